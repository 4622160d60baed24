# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # A scan against its model
# How far does a part that was scanned stray from the model, and where? The
# deviation is exact for every face, not only for its corners.

# %%
import numpy as np
import orbox

model = orbox.Tree(orbox.generate("torus_knot", 5000))

# %% [markdown]
# The scan: the same part, turned a little, noisy, and with a dent.

# %%
rng = np.random.default_rng(1)
vertices = np.array(model.mesh.vertices)
dent = vertices[np.argmax(vertices[:, 2])]
near = np.exp(-(((vertices - dent) / 0.25) ** 2).sum(axis=1))
vertices -= 0.06 * near[:, None] * [0, 0, 1]
vertices += rng.normal(scale=0.002, size=vertices.shape)
turn = orbox.rotation((0, 0, 1), 0.004)
scan = orbox.Tree((vertices @ turn[:3, :3].T, model.mesh.faces))

# %%
field = scan.deviation(model)
far = scan.hausdorff(model)
print(f"the scan strays by {far.upper:.3f} at most")
print(f"half of its faces by {np.median(field.farthest_upper):.4f} at most")
assert far.lower <= field.farthest_upper.max()
assert 0.03 < far.upper < 0.08

# %%
picture = orbox.picture(
    scan, values=field.farthest_upper, within=0.07, towards_viewer=(0.3, -0.5, 1)
)
picture
