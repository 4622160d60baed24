# SPDX-License-Identifier: Apache-2.0

"""Chunked trees answer as a tree of the whole mesh does, and so do their tasks."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import orbox
import pytest
from orbox._chunked import TaskQuestion, joined


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With knot.orboxd, ball.orboxd, and the meshes that they are of."""
    path = tmp_path_factory.mktemp("chunks")
    for name, shape, faces in [("knot", "torus_knot", 2000), ("ball", "sphere", 1000)]:
        mesh = path / f"{name}.ply"
        orbox.generate(shape, faces).save(mesh)
        orbox.ChunkedTree.build([mesh], path / f"{name}.orboxd", chunk_size=150)
    return path


def both(folder: Path, name: str) -> tuple[orbox.ChunkedTree, orbox.Tree]:
    return (
        orbox.ChunkedTree(folder / f"{name}.orboxd"),
        orbox.Tree(orbox.read_mesh(folder / f"{name}.ply")),
    )


def same(found: object, expected: object) -> None:
    if isinstance(expected, tuple):
        assert isinstance(found, tuple) and len(found) == len(expected)
        for one, other in zip(found, expected):
            same(one, other)
        return
    one, other = np.asarray(found), np.asarray(expected)
    assert one.dtype == other.dtype and one.shape == other.shape
    assert one.tobytes() == other.tobytes()


def same_lists(found: Any, expected: Any) -> None:
    same(found.offsets, expected.offsets)
    same(found.values, expected.values)


def test_answers_are_those_of_the_whole_mesh(folder: Path, rng: np.random.Generator) -> None:
    chunks, whole = both(folder, "knot")
    assert len(chunks) == len(whole.mesh) and chunks.chunk_count > 10
    same(chunks.bounds, whole.mesh.bounds)
    points = rng.uniform(-2, 2, (300, 3))
    same(chunks.closest(points), whole.closest(points))
    same(chunks.closest(points, max_distance=0.3), whole.closest(points, max_distance=0.3))
    directions = rng.normal(size=(300, 3))
    same(chunks.ray_first(points, directions), whole.ray_first(points, directions))
    same(chunks.ray_any(points, directions), whole.ray_any(points, directions))
    same(chunks.ray_count(points, directions), whole.ray_count(points, directions))
    same_lists(chunks.ray_all(points, directions), whole.ray_all(points, directions))
    same(chunks.contains(points), whole.contains(points))
    same(chunks.contains(points, method="winding"), whole.contains(points, method="winding"))
    same_lists(chunks.nearest(points, 5), whole.nearest(points, 5))
    same(chunks.signed_distance(points), whole.signed_distance(points))
    same(chunks.signed_closest(points), whole.signed_closest(points))
    apart = chunks.winding_number(points) - whole.winding_number(points)
    assert np.abs(apart).max() <= 2e-3


def test_regions_are_those_of_the_whole_mesh(folder: Path, rng: np.random.Generator) -> None:
    chunks, whole = both(folder, "knot")
    centers = rng.uniform(-1.5, 1.5, (100, 3))
    lo, hi = centers - 0.2, centers + 0.3
    axes = np.linalg.qr(rng.normal(size=(100, 3, 3)))[0]
    planes = np.tile([[1, 0, 0, 0.4], [0, 1, 0.5, 0.1]], (3, 1, 1)).astype(float)
    assert chunks.in_ball_count(centers, 0.3).sum() > 100
    same_lists(chunks.in_ball(centers, 0.3), whole.in_ball(centers, 0.3))
    same(chunks.in_ball_any(centers, 0.3), whole.in_ball_any(centers, 0.3))
    same(chunks.in_ball_count(centers, 0.3), whole.in_ball_count(centers, 0.3))
    same_lists(chunks.in_box(lo, hi), whole.in_box(lo, hi))
    same_lists(chunks.in_obb(centers, axes, [0.1, 0.2, 0.3]), whole.in_obb(centers, axes, [0.1, 0.2, 0.3]))
    same_lists(chunks.in_frustum(planes), whole.in_frustum(planes))


def test_moving_balls_touch_what_they_touch_of_the_whole_mesh(
    folder: Path, rng: np.random.Generator
) -> None:
    chunks, whole = both(folder, "knot")
    starts, ends = rng.uniform(-2, 2, (2, 100, 3))
    found, expected = chunks.swept_ball(starts, ends, 0.1), whole.swept_ball(starts, ends, 0.1)
    hit = expected.face >= 0
    same(found.face >= 0, hit)
    # The trees may report different faces if several are touched at one time.
    assert (found.earliest[hit] <= expected.latest[hit]).all()
    assert (expected.earliest[hit] <= found.latest[hit]).all()
    np.testing.assert_allclose(found.earliest, expected.earliest, atol=1e-12)
    same(chunks.swept_ball_any(starts, ends, 0.1), whole.swept_ball_any(starts, ends, 0.1))


def test_one_query_is_a_row(folder: Path) -> None:
    chunks, whole = both(folder, "ball")
    same(chunks.closest((0, 0, 3)), whole.closest((0, 0, 3)))
    same(chunks.signed_distance((0, 0, 0.1)), whole.signed_distance((0, 0, 0.1)))
    same(chunks.contains((0, 0, 0.1)), True)
    same(chunks.ray_first((0, 0, 3), (0, 0.01, -1)), whole.ray_first((0, 0, 3), (0, 0.01, -1)))
    same(chunks.in_ball_count((0, 0, 1), 0.2), whole.in_ball_count((0, 0, 1), 0.2))
    same(chunks.nearest((0, 0, 3), 2)[0].face, whole.nearest((0, 0, 3), 2)[0].face)


def test_open_meshes_are_told(tmp_path: Path) -> None:
    sheet = orbox.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    sheet.save(tmp_path / "sheet.ply")
    chunks = orbox.ChunkedTree.build([tmp_path / "sheet.ply"], tmp_path / "sheet.orboxd")
    with pytest.raises(ValueError, match="closed|open"):
        chunks.signed_distance((0, 0, 1))
    assert chunks.contains((0.2, 0.2, 1e-9)) == orbox.Tree(sheet).contains((0.2, 0.2, 1e-9))


def test_pairs_are_those_of_the_whole_meshes(folder: Path) -> None:
    knot, whole_knot = both(folder, "knot")
    ball, whole_ball = both(folder, "ball")
    pose = orbox.translation(0.3, 0.1, 0)
    other = whole_ball.at(pose)
    assert len(whole_knot.overlapping_pairs(other))
    same(knot.overlapping_pairs(ball, pose=pose), whole_knot.overlapping_pairs(other))
    same(knot.pairs_within(ball, 0.05, pose=pose), whole_knot.pairs_within(other, 0.05))
    assert knot.overlaps(ball, pose=pose) and knot.within(ball, 0.05, pose=pose)
    same(knot.overlap_count(ball, pose=pose), whole_knot.overlap_count(other))
    same(knot.within_count(ball, 0.05, pose=pose), whole_knot.within_count(other, 0.05))
    far = orbox.translation(5, 0.1, 0)
    same(knot.distance(ball, pose=far), whole_knot.distance(whole_ball.at(far)))
    assert knot.distance(ball, max_distance=0.1, pose=far).faces == (-1, -1)
    same(knot.self_intersections(), whole_knot.self_intersections())
    same(knot.self_contacts(), whole_knot.self_contacts())
    same(knot.self_within(0.02), whole_knot.self_within(0.02))


def test_relations_are_those_of_the_whole_meshes(tmp_path: Path) -> None:
    box = orbox.generate("box", 12)
    two = orbox.Mesh(
        np.vstack([box.vertices, box.vertices + 0.5]),
        np.vstack([box.faces, box.faces + len(box.vertices)]),
    )
    two.save(tmp_path / "two.ply")
    chunks = orbox.ChunkedTree.build([tmp_path / "two.ply"], tmp_path / "c.orboxd", chunk_size=5)
    whole = orbox.Tree(two)
    small = orbox.scaling(0.01)
    both = orbox.translation(0.7, 0.7, 0.7) @ small  # in both boxes
    for pose in (both, orbox.translation(0.2, 0.2, 0.2) @ small, orbox.translation(3, 0, 0)):
        for inside in ("winding", "parity"):
            assert chunks.relation(chunks, pose=pose, inside=inside) == whole.relation(
                whole.at(pose), inside=inside
            )
    assert chunks.relation(chunks, pose=both) == "contains"
    assert chunks.relation(chunks, pose=both, inside="parity") == "apart"
    assert chunks.relation(chunks) == "meet"


def test_surfaces_stray_as_the_whole_meshes_do(folder: Path) -> None:
    knot, whole_knot = both(folder, "knot")
    ball, whole_ball = both(folder, "ball")
    pose = orbox.translation(0.3, 0.1, 0)
    other = whole_ball.at(pose)
    same(
        knot.hausdorff(ball, tolerance=0.05, pose=pose), whole_knot.hausdorff(other, tolerance=0.05)
    )
    both_ways = knot.symmetric_hausdorff(ball, tolerance=0.05, pose=pose)
    same(both_ways, whole_knot.symmetric_hausdorff(other, tolerance=0.05))
    same(
        knot.deviation(ball, tolerance=0.05, pose=pose), whole_knot.deviation(other, tolerance=0.05)
    )


@pytest.mark.parametrize("distance", [None, 0.05])
@pytest.mark.parametrize("of", ["two", "self"])
def test_tasks_in_any_order_join_to_the_whole(folder: Path, distance: float | None, of: str) -> None:
    a, b = str(folder / "knot.orboxd"), str(folder / "ball.orboxd")
    pose = orbox.translation(0.3, 0.1, 0)
    question = TaskQuestion(a, b if of == "two" else None, distance, pose, 1 << 20)
    todo = question.tasks()
    assert len(todo.chunks) > 10 and (todo.cost > 0).all()
    parts = [question.ask(run) for run in np.array_split(todo.chunks, 4)]
    knot, ball = orbox.ChunkedTree(a), orbox.ChunkedTree(b)
    if of == "two":
        expected = (
            knot.overlapping_pairs(ball, pose=pose)
            if distance is None
            else knot.pairs_within(ball, distance, pose=pose)
        )
    else:
        expected = knot.self_intersections() if distance is None else knot.self_within(distance)
    same(joined(parts[::-1]), expected)


def test_a_tree_is_pickled_by_its_path(folder: Path) -> None:
    knot = orbox.ChunkedTree(folder / "knot.orboxd", memory=1 << 20)
    again = pickle.loads(pickle.dumps(knot))
    assert again.path == knot.path and len(again) == len(knot)
    assert "2,000" in f"{len(knot):,}" and "chunks" in repr(knot)


def test_what_is_wrong_is_named(folder: Path) -> None:
    with pytest.raises(OSError, match="none.orboxd"):
        orbox.ChunkedTree(folder / "none.orboxd")
    with pytest.raises(ValueError, match="memory"):
        orbox.ChunkedTree(folder / "knot.orboxd", memory=-1)
    knot = orbox.ChunkedTree(folder / "knot.orboxd")
    with pytest.raises(TypeError, match="other"):
        knot.overlapping_pairs(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="distance"):
        knot.self_within(-1)
    question = TaskQuestion(knot.path, None, None, None, 1 << 20)
    with pytest.raises(ValueError, match="tasks"):
        question.ask(np.array([[0, 999]]))


def test_queries_that_chunks_lack_are_named(folder: Path) -> None:
    chunks, _ = both(folder, "ball")
    with pytest.raises(AttributeError, match="'ray_crossings', only a Tree"):
        chunks.ray_crossings((0, 0, 0), (0, 0, 1))
    with pytest.raises(AttributeError, match="ChunkedTree has no attribute 'closets'"):
        chunks.closets((0, 0, 0))
