# SPDX-License-Identifier: Apache-2.0

"""Code of a user; types_test.py checks it in strict mode."""

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


def thickest(scene: orbox.Scene) -> str:
    found = scene.clashes(tolerance=1e-3, thickness=True, threads=1)
    worst = max(found, key=lambda c: c.clash.thickness.lower)
    return f"{worst.a}, {worst.b}: {worst.clash.kind}"


def near_places(a: orbox.Tree, b: orbox.Tree) -> NDArray[np.float64]:
    places = a.places_within(b, 0.1)
    return places.point_a[places.pair_count > 1]


def told(a: orbox.Tree, b: orbox.Tree) -> tuple[bool, float, bytes]:
    parts = a.mesh.split()
    return a.interiors_overlap(b), parts[0].facts.volume, a.clearance_report(b, within=0.1).html


def report(scene: orbox.Scene) -> list[str]:
    found = scene.report(tolerance=1e-3)
    assert found.page is not None
    return [clash.clash.kind for clash in found]


def frames(boxes: orbox.BroadPhase, lo: NDArray[np.float64]) -> int:
    boxes.set(np.arange(len(lo)), lo, lo + 1)
    return len(boxes.update().begun)


if __name__ == "__main__":
    box = orbox.Tree(orbox.generate("box", 12))
    where = np.array([[0.5, 0.5, 1.1]])
    print(clearance(box, box), clashes(box, np.stack([np.eye(4)]), box))
    print(closest_faces(box, where).tolist(), lists(box, where))
    two = orbox.Scene()
    two.add("a", box)
    two.add("b", box, orbox.translation(0.5, 0, 0))
    print(thickest(two), near_places(box, box).shape[1], frames(orbox.BroadPhase(), where))
