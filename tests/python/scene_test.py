# SPDX-License-Identifier: Apache-2.0

"""Scenes: their answers are those of the bodies, two by two."""

from __future__ import annotations

import threading
from itertools import combinations

import numpy as np
import orbox
import pytest


@pytest.fixture
def scene(knot: orbox.Tree, box: orbox.Tree, rng: np.random.Generator) -> orbox.Scene:
    made = orbox.Scene()
    for i in range(12):
        place = orbox.translation(*rng.uniform(-4, 4, 3)) @ orbox.rotation(rng.normal(size=3), 1)
        made.add(f"body {i}", knot if i % 2 else box, place)
    return made


def test_pairs_of_bodies(scene: orbox.Scene) -> None:
    pairs = list(combinations(scene.names, 2))
    bodies = {name: scene.body(name) for name in scene}
    clashes = {p for p in pairs if bodies[p[0]].overlaps(bodies[p[1]])}
    near = {p: bodies[p[0]].distance(bodies[p[1]]).distance for p in pairs}
    assert set(scene.overlaps()) == clashes
    assert {(g.a, g.b): g.distance for g in scene.within(1.0)} == {
        p: d for p, d in near.items() if d <= 1
    }
    assert 0 < len(clashes) < len(scene.within(1.0)) < len(pairs)
    for (a, b), faces in scene.overlapping_pairs().items():
        assert np.array_equal(faces, bodies[a].overlapping_pairs(bodies[b]))
    for (a, b), faces in scene.pairs_within(0.1).items():
        assert np.array_equal(faces.distance, bodies[a].pairs_within(bodies[b], 0.1).distance)
    closest = scene.closest_bodies()
    assert closest is not None and closest.distance == min(near.values())


def test_one_mesh_among_bodies(scene: orbox.Scene, box: orbox.Tree) -> None:
    part = box.at(orbox.scaling(3))
    bodies = {name: scene.body(name) for name in scene}
    hit = [name for name in scene if bodies[name].overlaps(part)]
    assert scene.overlapping(part) == hit and hit
    assert scene.overlapping(part, exclude=hit[0]) == hit[1:]
    found = scene.closest_body(box.at(orbox.translation(20, 0, 0)))
    assert found is not None
    name, gap = found
    far = box.at(orbox.translation(20, 0, 0))
    assert gap.distance == min(far.distance(b).distance for b in bodies.values())
    poses = np.stack([orbox.translation(x, 0, 0) for x in np.linspace(-6, 6, 20)])
    flags = scene.poses_overlap(box.at(poses))
    assert flags.tolist() == [bool(scene.overlapping(box.at(p))) for p in poses]
    numbers, gaps = scene.poses_closest(box.at(poses))
    assert np.array_equal(gaps.distance == 0, flags)
    assert all(scene.name(n) in scene for n in numbers)


def test_points_rays_and_regions(scene: orbox.Scene, rng: np.random.Generator) -> None:
    points = rng.uniform(-5, 5, (50, 3))
    near = scene.closest(points)
    one = scene.closest(points[3])
    assert (one.body, one.distance) == (near.body[3], near.distance[3])
    moved = [orbox.Tree((scene.body(n).vertices, scene.body(n).tree.mesh.faces)) for n in scene]
    assert np.array_equal(
        near.distance, np.min([t.closest(points).distance for t in moved], axis=0)
    )
    hits = scene.ray_first(points, -points)
    assert np.array_equal(hits.t, np.min([t.ray_first(points, -points).t for t in moved], axis=0))
    balls = scene.in_ball(points, 1.0)
    for i in range(50):
        slow = [n for n, t in zip(scene, moved) if t.in_ball_any(points[i], 1.0)]
        assert [scene.name(b) for b in balls[i]] == slow
    assert len(scene.in_box((-9, -9, -9), (9, 9, 9))[0]) == 12


def test_ignored_pairs_and_groups(box: orbox.Tree) -> None:
    scene = orbox.Scene()
    for name, group in (("a", "arm"), ("b", "arm"), ("c", None), ("d", None)):
        scene.add(name, box, group=group)
    assert len(scene.overlaps()) == 5
    scene.ignore([("d", "c")])
    assert scene.overlaps() == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert len(scene.within(1)) == len(scene.overlapping_pairs()) == len(scene.pairs_within(1)) == 4


def test_changes(box: orbox.Tree) -> None:
    scene = orbox.Scene()
    scene.add("a", box)
    scene.add(("b", 1), box.at(orbox.translation(5, 0, 0)))
    tracker = scene.track(within=0.5)
    assert tracker.update() == []
    scene.move(("b", 1), orbox.translation(1.5, 0, 0))
    assert [e.change for e in tracker.update()] == ["begin"]
    assert [e.change for e in tracker.update()] == ["stay"]
    scene.reshape(("b", 1), orbox.generate("sphere", 100), orbox.translation(9, 0, 0))
    assert [e.change for e in tracker.update()] == ["end"]
    scene.remove("a")
    assert len(scene) == 1 and "a" not in scene and scene.overlaps() == []
    scene.add("a", box)
    with pytest.raises(ValueError, match="already"):
        scene.add("a", box)
    for call in (scene.remove, scene.body, lambda n: scene.move(n, np.eye(4))):
        with pytest.raises(KeyError, match="nobody"):
            call("nobody")
    with pytest.raises(ValueError, match="one pose"):
        scene.move("a", np.stack([np.eye(4)] * 2))
    with pytest.raises(TypeError, match="at many poses"):
        scene.poses_overlap(box)  # type: ignore[arg-type]


def test_rays_leave_out_the_faces_where_they_start() -> None:
    scene = orbox.Scene()
    for x in range(3):
        scene.add(x, orbox.generate("box", 12), orbox.translation(2 * x, 0, 0))
    starts = [[-5, 0.1, 0.2], [-5, 0.3, 0.2]]
    ahead = (1, 0, 0)
    hits = scene.ray_first(starts, ahead)
    seen = []
    while (hits.face >= 0).all():
        seen.append((hits.body.tolist(), hits.point[:, 0].round(9).tolist()))
        hits = scene.ray_first(hits.point, ahead, skip=(hits.body, hits.face))
    boxes = [(b, 2.0 * b + x) for b in range(3) for x in (0.0, 1.0)]
    assert seen == [([b, b], [x, x]) for b, x in boxes]
    single = scene.ray_first(starts[0], ahead)
    again = scene.ray_first(single.point, ahead, skip=(single.body, single.face))
    assert (again.body, again.t) == (0, 1.0)
    # A face of a body that the ray does not hit, and none.
    for skip in ((2, single.face), (-1, -1), (0, -1), ([], [])):
        rays = np.empty((0, 3)) if skip == ([], []) else single.point
        assert np.all(scene.ray_first(rays, ahead, skip=skip).t == 0)
    with pytest.raises(TypeError, match=r"\(hits.body, hits.face\)"):
        scene.ray_first(starts, ahead, skip=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 bodies and 1 faces"):
        scene.ray_first(starts, ahead, skip=([0, 1], [2]))
    with pytest.raises(TypeError, match="numbers of faces"):
        scene.ray_first(starts, ahead, skip=(0.5, 1))


def test_queries_that_only_trees_have_name_them() -> None:
    scene = orbox.Scene()
    box = orbox.Tree(orbox.generate("box", 12))
    batch = box.at(np.stack([np.eye(4)] * 2))
    with pytest.raises(AttributeError, match=r"scene\.body\(name\)\.ray_crossings"):
        scene.ray_crossings((0, 0, 0), (1, 0, 0))
    with pytest.raises(AttributeError, match=r"\[tree\.at\(pose\)\.closest for pose in poses\]"):
        batch.closest((0, 0, 0))
    for one in (scene, batch):
        with pytest.raises(AttributeError, match="has no attribute 'closets'"):
            one.closets


def test_an_empty_scene_answers() -> None:
    scene = orbox.Scene()
    assert scene.overlaps() == scene.within(1) == [] and scene.closest_bodies() is None
    assert scene.closest((0, 0, 0)).body == -1
    assert scene.closest_body(orbox.generate("box", 12)) is None


def test_queried_while_it_changes(scene: orbox.Scene) -> None:
    done = threading.Event()

    def change() -> None:
        x = 0.0
        while not done.is_set():
            x += 0.01
            scene.move("body 3", orbox.translation(x % 4, 0, 0))

    threads = [threading.Thread(target=change)] + [
        threading.Thread(target=lambda: [scene.overlaps() for _ in range(20)]) for _ in range(2)
    ]
    for t in threads:
        t.start()
    for t in threads[1:]:
        t.join()
    done.set()
    threads[0].join()
    assert len(scene) == 12
