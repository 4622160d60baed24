# SPDX-License-Identifier: Apache-2.0

"""What a user writes; types_test.py has it checked in strict mode."""

import numpy as np
import orbox
from numpy.typing import NDArray


def clearance(a: orbox.Tree, b: orbox.Tree) -> float:
    gap = a.distance(b.at(orbox.translation(1, 2, 3)), max_distance=10.0)
    return float(gap.distance)


def clashes(a: orbox.Tree, poses: NDArray[np.float64], b: orbox.Tree) -> int:
    batch = orbox.PoseBatch
    assert batch is not None
    return int(np.count_nonzero(a.at(poses).overlaps(b)))


def closest_faces(tree: orbox.Tree, points: NDArray[np.float64]) -> NDArray[np.int64]:
    cost = orbox.Statistics()
    near = tree.closest(points, threads=1, statistics=cost)
    assert cost.triangle_tests > 0
    return near.face[near.distance < 0.5]


def lists(tree: orbox.Tree, points: NDArray[np.float64]) -> list[int]:
    found = tree.nearest(points, 3)
    balls = tree.in_ball(points, 0.5)
    return [len(near.face) + len(ids) for near, ids in zip(found, balls)]


if __name__ == "__main__":
    box = orbox.Tree(orbox.generate("box", 12))
    where = np.array([[0.5, 0.5, 1.1]])
    print(clearance(box, box), clashes(box, np.stack([np.eye(4)]), box))
    print(closest_faces(box, where).tolist(), lists(box, where))
