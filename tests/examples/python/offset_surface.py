# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # An offset surface
# All points at the distance d outside of a solid: signed distances on a grid,
# and the level d of them as a surface. Each cell is cut into six tetrahedra,
# whose surfaces fit together without holes.

# %%
import itertools

import numpy as np
import orbox

solid = orbox.Tree(orbox.generate("torus_knot", 2000))
d = 0.08

# %% [markdown]
# The signed distances of all grid points are one call.

# %%
lo, hi = solid.mesh.bounds
step = float((hi - lo).max()) / 44
lo, hi = lo - d - 2 * step, hi + d + 2 * step
axes = [np.arange(a, b + step, step) for a, b in zip(lo, hi)]
grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
values = solid.signed_distance(grid.reshape(-1, 3)).reshape(grid.shape[:3]) - d


# %%
def surface_of(grid, values):
    """The triangles where values are 0, from - to +, and their corners."""
    number = np.arange(values.size).reshape(values.shape)
    tetrahedra = []
    for order in itertools.permutations(range(3)):  # a way along the cell's edges
        corner, way = [0, 0, 0], []
        for axis in (None, *order):
            if axis is not None:
                corner[axis] = 1
            window = tuple(slice(c, c + n - 1) for c, n in zip(corner, values.shape))
            way.append(number[window].ravel())
        tetrahedra.append(np.stack(way, axis=1))
    cells, level, points = np.vstack(tetrahedra), values.ravel(), grid.reshape(-1, 3)
    below = level[cells] < 0
    edges, count = [], below.sum(axis=1)
    # One corner apart from the others: a triangle; two and two: two of them.
    for one, alone in ((1, True), (3, False)):
        some = cells[count == one]
        first = np.argmax(below[count == one] == alone, axis=1)
        apex = some[np.arange(len(some)), first]
        rest = some[np.arange(4) != first[:, None]].reshape(-1, 3)
        edges.append(np.stack([np.stack([apex, rest[:, k]], axis=1) for k in range(3)], axis=1))
    some = cells[count == 2]
    order = np.argsort(~below[count == 2], axis=1, kind="stable")
    a, b, c, e = np.take_along_axis(some, order, axis=1).T
    for corners in (((a, c), (a, e), (b, e)), ((a, c), (b, e), (b, c))):
        edges.append(np.stack([np.stack(pair, axis=1) for pair in corners], axis=1))
    cut, faces = np.unique(
        np.sort(np.vstack(edges).reshape(-1, 2), axis=1), axis=0, return_inverse=True
    )
    share = level[cut[:, 0]] / (level[cut[:, 0]] - level[cut[:, 1]])
    where = points[cut[:, 0]] + share[:, None] * (points[cut[:, 1]] - points[cut[:, 0]])
    return where, faces.reshape(-1, 3)


offset = orbox.Tree(surface_of(grid, values))
print(f"{len(offset.mesh):,} triangles; closed: {offset.mesh.is_closed}")

# %% [markdown]
# How far is it from where it should be? Its corners, exactly.

# %%
distance = solid.signed_distance(offset.mesh.vertices)
print(f"corners are {distance.min():.4f} to {distance.max():.4f} away from the solid")
assert offset.mesh.is_closed and not offset.overlaps(solid)
assert np.abs(np.median(distance) - d) < 0.002

# %%
middles = offset.mesh.vertices[offset.mesh.faces].mean(axis=1)
picture = orbox.picture(offset, values=np.abs(solid.signed_distance(middles) - d), within=0.03)
picture
