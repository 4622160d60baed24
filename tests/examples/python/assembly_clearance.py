# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # The clearance of an assembly
# Two gears, as they turn: how near do they come, in which places, and at which
# angle?

# %%
import math

import numpy as np
import orbox

gear = orbox.Tree(orbox.generate("gear", 2000))
size = gear.mesh.bounds[1] - gear.mesh.bounds[0]
apart = orbox.translation(0.98 * float(size[0]), 0, 0)

# %% [markdown]
# One call queries at all angles of the second gear.

# %%
angles = np.linspace(0, 2 * math.pi / 12, 90, endpoint=False)
poses = np.stack([apart @ orbox.rotation((0, 0, 1), angle) for angle in angles])
gaps = gear.at(poses).distance(gear)
best = int(np.argmax(gaps.distance))
print(f"they touch at {np.count_nonzero(gaps.distance == 0)} of {len(angles)} angles")
print(
    f"the most clearance is {gaps.distance[best]:.4f}, at {math.degrees(angles[best]):.0f} degrees"
)

# %% [markdown]
# Where is that? Pairs of faces that hang together are one place.

# %%
there = gear.at(poses[best])
within = 1.5 * float(gaps.distance[best]) + 0.01
places = there.places_within(gear, within)
for distance, point, pairs in zip(places.distance, places.point_a, places.pair_count):
    print(f"{distance:.4f} near {point.round(2)}: {pairs} pairs of faces")
assert len(places.distance) >= 1 and places.distance[0] == gaps.distance[best]

# %%
picture = orbox.picture(there, gear, within=within, towards_viewer=(0, -0.4, 1))
picture
