# SPDX-License-Identifier: Apache-2.0

"""Queries of one mesh compared with slow results, and batches with single queries."""

from __future__ import annotations

import pickle

import numpy as np
import orbox
import pytest
from conftest import brute_distances


@pytest.fixture
def points(rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(-2, 2, (40, 3))


def test_closest_is_that_of_all_faces(knot: orbox.Tree, points: np.ndarray) -> None:
    found = knot.closest(points)
    for i, p in enumerate(points):
        slow = brute_distances(knot.mesh, p)
        assert found.distance[i] == pytest.approx(slow.min(), rel=1e-12)
        assert slow[found.face[i]] == pytest.approx(slow.min(), rel=1e-12)
        assert np.linalg.norm(found.point[i] - p) == pytest.approx(slow.min(), rel=1e-12)


def test_single_queries_have_the_answers_of_batches(knot: orbox.Tree, points: np.ndarray) -> None:
    found = knot.closest(points)
    for i, p in enumerate(points):
        one = knot.closest(p)
        assert (one.distance, one.face) == (found.distance[i], found.face[i])
        assert np.array_equal(one.point, found.point[i])
        assert knot.signed_distance(p) == knot.signed_distance(points)[i]
        assert knot.contains(p) == knot.contains(points)[i]


@pytest.mark.parametrize("threads", [1, 2, 0])
def test_threads_change_no_bytes(knot: orbox.Tree, rng: np.random.Generator, threads: int) -> None:
    points = rng.uniform(-2, 2, (5000, 3))
    expected = knot.closest(points, threads=1)
    found = knot.closest(points, threads=threads)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(expected, found))


def test_misses_are_inf_and_nan(box: orbox.Tree) -> None:
    for found in (box.closest([[9, 9, 9]], max_distance=1), box.closest((9, 9, 9), max_distance=1)):
        assert np.isinf(found.distance).all()
        assert np.all(np.asarray(found.face) == -1)
        assert np.isnan(found.point).all()
    assert np.isnan(box.signed_distance((9, 9, 9), max_distance=1))
    missed = box.ray_first((9, 9, 9), (0, 0, 1))
    assert np.isinf(missed.t) and missed.face == -1 and not missed.hit


def test_nearest_lists(knot: orbox.Tree, points: np.ndarray) -> None:
    lists = knot.nearest(points, 7)
    assert len(lists) == len(points) and lists.counts.tolist() == [7] * len(points)
    for i, p in enumerate(points):
        slow = np.sort(brute_distances(knot.mesh, p))[:7]
        assert lists[i].distance == pytest.approx(slow, rel=1e-12)
    assert [len(near.face) for near in lists] == [7] * len(points)
    assert lists.rows.tolist() == np.repeat(np.arange(len(points)), 7).tolist()
    with pytest.raises(IndexError):
        lists[len(points)]


def test_signs_agree(knot: orbox.Tree, rng: np.random.Generator) -> None:
    points = rng.uniform(-1.5, 1.5, (3000, 3))
    inside = knot.contains(points)
    assert inside.any() and not inside.all()
    assert np.array_equal(knot.signed_distance(points) < 0, inside)
    assert np.array_equal(knot.contains(points, method="winding"), inside)
    assert np.array_equal(np.round(knot.winding_number(points)) == 1, inside)
    closest = knot.signed_closest(points)
    assert np.array_equal(closest.distance, knot.signed_distance(points))


def test_open_meshes_have_winding_numbers() -> None:
    plane = orbox.Tree(orbox.generate("plane", 200))
    assert not plane.mesh.is_closed
    assert not plane.contains((0.5, 0.5, 1e-9))
    with pytest.raises(ValueError, match="edge"):
        plane.signed_distance((0, 0, 1))


def test_sides_of_an_open_surface(rng: np.random.Generator) -> None:
    terrain = orbox.Tree(orbox.generate("plane", 200))
    points = rng.uniform(-1, 2, (3000, 3))
    points[:10, 2] = 0
    sides = terrain.side(points)
    assert sides.dtype == np.int64 and np.array_equal(sides, np.sign(points[:, 2]))
    assert terrain.side((0.5, 0.5, -1)) == -1
    turned = terrain.at(np.diag([1.0, -1, -1, 1]))
    assert turned.side((0.5, -0.5, 1)) == -1
    with pytest.raises(ValueError, match="points: row 0"):
        terrain.side([(0, 0, np.nan)])


def test_rays(knot: orbox.Tree, rng: np.random.Generator) -> None:
    origins = rng.uniform(-3, 3, (500, 3))
    directions = -origins + rng.uniform(-1, 1, (500, 3))
    first = knot.ray_first(origins, directions)
    lists = knot.ray_all(origins, directions)
    assert np.array_equal(first.hit, knot.ray_any(origins, directions))
    assert np.array_equal(lists.counts, knot.ray_count(origins, directions))
    assert first.hit.any() and not first.hit.all()
    for i in np.flatnonzero(first.hit):
        assert lists[i].t[0] == first.t[i] and lists[i].face[0] == first.face[i]
        assert origins[i] + first.t[i] * directions[i] == pytest.approx(first.point[i], abs=1e-12)
        corners = knot.mesh.vertices[knot.mesh.faces[first.face[i]]]
        assert first.barycentric[i] @ corners == pytest.approx(first.point[i], abs=1e-12)
    blocked = knot.ray_any(origins, directions, max_t=float(np.median(first.t[first.hit])))
    assert 0 < blocked.sum() < first.hit.sum()


def test_swept_balls(box: orbox.Tree) -> None:
    starts = np.array([[0.5, 0.5, 5.0], [9, 9, 9]])
    hits = box.swept_ball(starts, (0.5, 0.5, 1), 0.25)
    assert hits.earliest[0] <= 3.75 / 4 <= hits.latest[0]
    assert box.swept_ball_any(starts, (0.5, 0.5, 1.25), 0.25).tolist() == [True, True]
    assert box.swept_ball_any(starts, (0.5, 0.5, 1.2500001), 0.25).tolist() == [False, False]
    assert box.swept_ball_all((0.5, 0.5, 5), (0.5, 0.5, 1), 0.25)[0].face.tolist() == sorted(
        box.in_ball((0.5, 0.5, 1), 0.25)[0].tolist()
    )


def test_regions(knot: orbox.Tree, rng: np.random.Generator) -> None:
    centers = rng.uniform(-2, 2, (30, 3))
    radii = rng.uniform(0, 0.7, 30)
    lists = knot.in_ball(centers, radii)
    for i in range(30):
        slow = np.flatnonzero(brute_distances(knot.mesh, centers[i]) <= radii[i])
        assert np.array_equal(lists[i], slow)
    assert np.array_equal(knot.in_ball_any(centers, radii), lists.counts > 0)
    assert np.array_equal(knot.in_ball_count(centers, radii), lists.counts)

    half = np.full(3, 0.3)
    boxes = knot.in_box(centers - half, centers + half)
    assert boxes.counts.sum() > 0
    obbs = knot.in_obb(centers, np.eye(3), half)
    sides = np.vstack([np.eye(3), -np.eye(3)])
    planes = np.stack(
        [np.column_stack([sides, np.concatenate([c + half, -(c - half)])]) for c in centers]
    )
    frustums = knot.in_frustum(planes)
    for i in range(30):
        assert np.array_equal(boxes[i], obbs[i])
        assert np.array_equal(boxes[i], frustums[i])
    assert np.array_equal(knot.in_box_count(centers - half, centers + half), boxes.counts)
    assert np.array_equal(knot.in_obb_any(centers, np.eye(3), half), boxes.counts > 0)
    assert np.array_equal(knot.in_frustum_count(planes), boxes.counts)
    assert knot.in_frustum_any(planes[0]) == (boxes.counts[0] > 0)


def test_touching_counts(box: orbox.Tree) -> None:
    assert box.in_ball_any((0.5, 0.5, 2), 1)
    assert not box.in_ball_any((0.5, 0.5, 2), np.nextafter(1, 0))


@pytest.mark.parametrize(
    "options", [{"storage": "compact"}, {"quality": "fast"}, {"volumes": "sphere"}]
)
def test_builds_change_no_answers(knot: orbox.Tree, points: np.ndarray, options: dict) -> None:
    other = orbox.Tree(knot.mesh, **options)
    for a, b in zip(knot.closest(points), other.closest(points)):
        assert a.tobytes() == b.tobytes()


def test_statistics_add_up(knot: orbox.Tree, points: np.ndarray) -> None:
    cost = orbox.Statistics()
    knot.closest(points, statistics=cost)
    once = cost.triangle_tests
    knot.closest(points, statistics=cost)
    assert cost.triangle_tests == 2 * once > 0
    cost.reset()
    assert cost.triangle_tests == 0


def test_empty_batches(box: orbox.Tree) -> None:
    none = np.zeros((0, 3))
    assert box.closest(none).point.shape == (0, 3)
    assert box.closest([]).distance.shape == (0,)
    assert len(box.nearest(none, 3)) == 0
    assert box.signed_distance(none).shape == box.contains(none).shape == (0,)
    assert box.ray_first(none, (0, 0, 1)).t.shape == (0,)
    assert len(box.in_ball(none, 1)) == 0
    assert len(box.at(np.zeros((0, 4, 4))).overlaps(box)) == 0


def boxes(*corners: tuple[float, float, float]) -> orbox.Tree:
    """Unit boxes of one mesh."""
    one = orbox.generate("box", 12)
    vertices = np.concatenate([one.vertices + np.asarray(lo) for lo in corners])
    count = len(one.vertices)
    faces = np.concatenate([one.faces + count * i for i in range(len(corners))])
    return orbox.Tree(orbox.Mesh(vertices, faces))


def test_inside_of_shells_that_overlap() -> None:
    two = boxes((0, 0, 0), (0.5, 0, 0))
    assert two.mesh.do_faces_agree
    points = [[0.25, 0.5, 0.5], [0.75, 0.5, 0.5], [1.25, 0.5, 0.5], [2, 0.5, 0.5]]
    assert two.contains(points).tolist() == [True, True, True, False]
    assert two.contains(points, method="exact").tolist() == [True, True, True, False]
    assert two.contains(points, method="parity").tolist() == [True, False, True, False]
    assert two.contains(points[1]) is True
    assert two.contains(points[1], method="parity") is False
    assert (two.signed_distance(points) < 0).tolist() == [True, True, True, False]
    parity = two.signed_distance(points, inside="parity")
    assert (parity < 0).tolist() == [True, False, True, False]
    assert (two.signed_closest(points, inside="parity").distance == parity).all()
    ends = two.distance_to_boundary(points)
    exact = np.array([-0.25, -0.5, -0.25, 0.5])  # by no wall
    assert (ends.lower <= exact).all() and (exact <= ends.upper).all()
    assert (ends.upper - ends.lower < 1e-8).all()
    single = two.distance_to_boundary(points[1])
    assert (single.lower, single.upper) == (ends.lower[1], ends.upper[1])
    surface = two.distance_to_boundary(points, inside="parity")
    assert (surface.lower <= parity).all() and (parity <= surface.upper).all()
    probe = boxes((0, 0, 0)).at(orbox.translation(0.7, 0.4, 0.4) @ orbox.scaling(0.1))
    assert two.relation(probe) == "contains"
    assert two.relation(probe, inside="parity") == "apart"
    with pytest.raises(ValueError, match="inside"):
        two.relation(probe, inside="odd")  # type: ignore[arg-type]


def test_facts_about_the_inside() -> None:
    box = orbox.generate("box", 12)
    two = orbox.Tree(
        orbox.Mesh(
            np.vstack([box.vertices, box.vertices + (0.5, 0, 0)]),
            np.vstack([box.faces, box.faces + 8]),
        )
    )
    facts = two.inside_facts(error=1e-6)
    assert facts[:5] == (True, True, False, True, False)
    assert facts.volume is not None
    assert facts.volume.lower <= 1.5 <= facts.volume.upper <= facts.volume.lower * (1 + 1e-6)
    inward = orbox.Tree(orbox.Mesh(box.vertices, box.faces[:, ::-1])).inside_facts()
    assert inward.looks_inward and inward.volume is not None
    assert inward.volume.lower <= 1 <= inward.volume.upper <= inward.volume.lower + 1e-13
    turned = orbox.Tree(orbox.Mesh(box.vertices, np.vstack([box.faces[:1, ::-1], box.faces[1:]])))
    assert turned.inside_facts() == (True, False, False, False, False, None)
    lid = orbox.Tree(orbox.Mesh(box.vertices, box.faces[1:]))
    assert lid.inside_facts() == (False, False, False, False, False, None)


def test_faces_that_do_not_agree() -> None:
    mesh = orbox.generate("box", 12)
    faces = mesh.faces.copy()
    faces[3] = faces[3][::-1]
    turned = orbox.Tree(orbox.Mesh(mesh.vertices, faces))
    assert turned.mesh.is_closed and not turned.mesh.do_faces_agree
    assert turned.contains((0.5, 0.5, 0.5))
    assert turned.exact_winding_number((0.5, 0.5, 0.5)) == 0


def test_rays_leave_the_face_where_they_start() -> None:
    ball = orbox.Tree(orbox.generate("sphere", 1000))
    corners = ball.mesh.vertices[ball.mesh.faces]
    origins = corners.mean(axis=1)
    own = np.arange(len(origins))
    outward = ball.closest(origins).normal
    assert ball.ray_any(origins, outward).any()
    assert not ball.ray_any(origins, outward, skip=own).any()
    assert not ball.ray_any(origins, outward, min_t=1e-9).any()
    limits = np.full(len(own), 1e-9)
    assert not ball.ray_count(origins, outward, min_t=limits).any()
    through = ball.ray_first(origins, -outward, skip=own)
    assert through.hit.all() and (through.t > 0.5).all()
    lists = ball.ray_all(origins, -outward, skip=own, threads=2)
    assert np.array_equal(lists.values.face[lists.offsets[:-1]], through.face)
    # One ray and many faces to skip, and the other way around.
    assert ball.ray_first(origins[0], -outward[0], skip=[0, 1]).t.shape == (2,)
    assert (ball.ray_first(origins[:2], -outward[:2], skip=-1).t < 1e-9).all()
    one = ball.ray_first(origins[7], -outward[7], skip=7)
    assert (one.t, one.face) == (through.t[7], through.face[7])
    for wrong in ({"min_t": -1}, {"min_t": np.inf}, {"skip": [[1]]}):
        with pytest.raises(ValueError):
            ball.ray_first(origins[0], outward[0], **wrong)
    with pytest.raises(TypeError):
        ball.ray_first(origins[0], outward[0], skip=0.5)


def test_crossings_alternate(knot: orbox.Tree, rng: np.random.Generator) -> None:
    origins = rng.uniform(-1.5, 1.5, (200, 3)) + (0, 0, 5)
    lists = knot.ray_crossings(origins, (0, 0, -1))
    hits = knot.ray_all(origins, (0, 0, -1))
    assert lists.counts.sum() > 100
    for crossings, all_hits in zip(lists, hits):
        assert np.array_equal(np.cumsum(crossings.winding) % 2, np.arange(len(crossings.t)) % 2 == 0)
        assert crossings.hits.sum() == len(all_hits.t)
    box = orbox.Tree(orbox.generate("box", 12))
    edge = box.ray_crossings((-1, 0, 0.5), (1, 1, 0))[0]
    assert edge.winding.tolist() == [0] and edge.t.tolist() == [1.0]
    assert not len(box.ray_crossings((5, 5, 5), (1, 1, 0))[0].t)


def test_weights_and_normals(knot: orbox.Tree, points: np.ndarray) -> None:
    corners = knot.mesh.vertices[knot.mesh.faces]
    turned = knot.at(orbox.rotation((0, 0, 1), 0.5))
    for tree in (knot, turned):
        near = tree.closest(points)
        weights = near.barycentric
        assert weights.sum(axis=1) == pytest.approx(1)
        assert np.linalg.norm(near.normal, axis=1) == pytest.approx(1)
        inside = tree.contains(points)
        along = np.einsum("ij,ij->i", near.feature_normal, points - near.point)
        assert np.array_equal(along < 0, inside)
        if tree is knot:
            placed = np.einsum("ij,ijk->ik", weights, corners[near.face])
            assert placed == pytest.approx(near.point, abs=1e-12)
    lists = knot.nearest(points[:5], 3)
    assert lists.values.normal.shape == (15, 3)
    assert np.array_equal(lists[2].normal, lists.values.normal[6:9])
    one = knot.closest(points[0])
    assert one.normal == near_normal(knot, points[0])
    hit = knot.ray_first(points, (0, 0, -1))
    assert np.array_equal(np.isnan(hit.normal[:, 0]), ~hit.hit)
    swept = knot.swept_ball((0, 0, 9), (0, 0, -9), 2.5)
    assert swept.normal.shape == (3,)


def near_normal(tree: orbox.Tree, point: np.ndarray) -> np.ndarray:
    corners = tree.mesh.vertices[tree.mesh.faces[tree.closest(point).face]]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    return pytest.approx(normal / np.linalg.norm(normal))


def test_normals_need_the_tree(knot: orbox.Tree, points: np.ndarray) -> None:
    near = knot.closest(points[:3])
    copied = pickle.loads(pickle.dumps(near))
    assert isinstance(copied, orbox.Closest)
    assert np.array_equal(copied.distance, near.distance)
    with pytest.raises(ValueError, match="need the tree"):
        copied.normal
