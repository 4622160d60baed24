# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # A robot in its cell
# An arm of two links swings through a cell with a table, a post and a wall. At
# which steps of the motion does it hit something, and what?

# %%
import math

import numpy as np
import orbox

box = orbox.Tree(orbox.generate("box", 12))


def block(lo, hi):
    """The pose that makes the unit cube a block."""
    lo, hi = np.array(lo, float), np.array(hi, float)
    pose = np.eye(4)
    pose[:3, :3] = np.diag(hi - lo)
    pose[:3, 3] = lo
    return pose


cell = orbox.Scene()
cell.add("table", box, block((-2, -2, -0.2), (2, 2, 0)))
cell.add("post", box, block((0.6, 0.9, 0), (0.8, 1.1, 1.4)))
cell.add("wall", box, block((-2, 1.6, 0), (2, 1.7, 2)))

# %% [markdown]
# Each link is a tree at many poses; each question is one call.

# %%
link = orbox.Tree(orbox.generate("box", 12))
steps = np.linspace(0, 1, 200)
shoulder, elbow = [], []
for t in steps:
    base = orbox.translation(0, 0, 0.6) @ orbox.rotation((0, 0, 1), -0.5 + 1.8 * t)
    upper = base @ orbox.rotation((0, 1, 0), -0.3 + 0.3 * math.sin(3 * t))
    lower = upper @ orbox.translation(0.9, 0, 0) @ orbox.rotation((0, 1, 0), 0.5 - 0.4 * t)
    shoulder.append(upper @ block((0, -0.06, -0.06), (0.9, 0.06, 0.06)))
    elbow.append(lower @ block((0, -0.05, -0.05), (0.8, 0.05, 0.05)))
links = {"upper": link.at(np.stack(shoulder)), "lower": link.at(np.stack(elbow))}
hits = {name: cell.poses_overlap(batch) for name, batch in links.items()}
blocked = hits["upper"] | hits["lower"]
print(f"{np.count_nonzero(blocked)} of {len(steps)} steps are blocked")

# %%
first = int(np.argmax(blocked))
name = "upper" if hits["upper"][first] else "lower"
part = link.at((shoulder if name == "upper" else elbow)[first])
print(f"first at step {first}: the {name} link meets the {cell.overlapping(part)[0]}")
bodies, gaps = cell.poses_closest(links[name])
free = gaps.distance > 0
print(f"where it is free, it comes as near as {gaps.distance[free].min():.4f}")
assert blocked.any() and not blocked.all() and gaps.distance[first] == 0

# %% [markdown]
# The cell and the arm as two meshes, to draw them.


# %%
def together(bodies):
    """One mesh of several posed trees."""
    faces, begin = [], 0
    for body in bodies:
        faces.append(body.tree.mesh.faces + begin)
        begin += len(body.vertices)
    return np.vstack([b.vertices for b in bodies]), np.vstack(faces)


arm = together([link.at(shoulder[first]), link.at(elbow[first])])
picture = orbox.picture(arm, together([cell.body(n) for n in cell]), towards_viewer=(0.6, -1, 0.9))
picture
