# SPDX-License-Identifier: Apache-2.0

"""Queries of two meshes, of poses, and of a mesh and itself."""

from __future__ import annotations

import numpy as np
import orbox
import pytest


@pytest.fixture(scope="module")
def link() -> orbox.Tree:
    return orbox.Tree(orbox.generate("linked_knot", 2000))


def test_knots_that_touch_at_a_quarter(knot: orbox.Tree, link: orbox.Tree) -> None:
    apart = link.at(orbox.translation(0.24, 0, 0))
    touching = link.at(orbox.translation(0.25, 0, 0))
    assert not apart.overlaps(knot) and touching.overlaps(knot)
    assert knot.distance(touching).distance == 0
    gap = knot.distance(apart)
    assert gap.distance > 0
    assert np.linalg.norm(gap.point_a - gap.point_b) == pytest.approx(gap.distance)
    assert knot.within(apart, float(gap.distance))
    assert not knot.within(apart, float(np.nextafter(gap.distance, 0)))
    assert knot.distance(apart, guess=tuple(gap.faces))[0] == gap.distance
    near = knot.pairs_within(apart, 0.05)
    assert len(near.faces) == knot.within_count(apart, 0.05) > 0
    assert near.distance.min() == gap.distance and near.distance.max() <= 0.05


def test_far_meshes_have_no_gap(box: orbox.Tree) -> None:
    gap = box.distance(box.at(orbox.translation(9, 0, 0)), max_distance=1)
    assert np.isinf(gap.distance) and gap.faces == (-1, -1) and np.isnan(gap.point_a).all()


def test_contacts_are_of_the_overlapping_pairs(knot: orbox.Tree, link: orbox.Tree) -> None:
    inside = link.at(orbox.translation(0.3, 0, 0))
    pairs = knot.overlapping_pairs(inside)
    contacts = knot.contacts(inside)
    assert np.array_equal(contacts.faces, pairs) and len(pairs) == knot.overlap_count(inside)
    assert sum(len(c) for c in contacts) == len(contacts.points)
    assert contacts.segments.shape[1:] == (2, 3) and len(contacts.segments) > 0
    assert knot.closest(contacts.points).distance.max() < 1e-9
    swapped = inside.overlapping_pairs(knot)[:, ::-1]
    assert sorted(map(tuple, swapped.tolist())) == sorted(map(tuple, pairs.tolist()))


def test_poses_have_the_answers_of_each(knot: orbox.Tree, link: orbox.Tree) -> None:
    poses = np.stack([orbox.translation(x, 0, 0) for x in np.linspace(0, 0.4, 9)])
    batch = link.at(poses)
    assert len(batch) == 9
    single = [link.at(p) for p in poses]
    assert batch.overlaps(knot).tolist() == [s.overlaps(knot) for s in single]
    assert batch.overlap_count(knot).tolist() == [s.overlap_count(knot) for s in single]
    assert batch.within(knot, 0.05).tolist() == [s.within(knot, 0.05) for s in single]
    assert batch.distance(knot).distance.tolist() == [s.distance(knot).distance for s in single]
    for a, b in zip(batch.overlapping_pairs(knot), single):
        assert np.array_equal(a, b.overlapping_pairs(knot))
    for a, b in zip(batch.pairs_within(knot, 0.05), single):
        assert np.array_equal(a.faces, b.pairs_within(knot, 0.05).faces)
        assert np.array_equal(a.distance, b.pairs_within(knot, 0.05).distance)
    far = batch.distance(knot, max_distance=0)
    assert np.isinf(far.distance[0]) and far.faces[0].tolist() == [-1, -1]


def test_poses_of_scipy(box: orbox.Tree) -> None:
    class Rotation:
        def __init__(self, matrices: np.ndarray) -> None:
            self.matrices = matrices

        def as_matrix(self) -> np.ndarray:
            return self.matrices

    turn = orbox.rotation((0, 0, 1), 0.5)[:3, :3]
    assert np.array_equal(box.at(Rotation(turn)).pose[:3, :3], turn)
    assert len(box.at(Rotation(np.stack([turn, turn])))) == 2


def test_relation(box: orbox.Tree) -> None:
    inner = box.at(orbox.translation(0.25, 0.25, 0.25) @ orbox.scaling(0.5))
    assert box.relation(inner) == "contains"
    assert inner.relation(box) == "inside"
    assert box.relation(box.at(orbox.translation(1, 0, 0))) == "meet"
    assert box.relation(box.at(orbox.translation(5, 0, 0))) == "apart"
    plane = orbox.Tree(orbox.generate("plane", 2))
    around = box.at(orbox.translation(-0.5, -0.5, -0.5) @ orbox.scaling(2))
    assert plane.relation(around) in ("inside", "undefined")


def test_penetration(box: orbox.Tree) -> None:
    way = box.penetration(box.at(orbox.translation(0.75, 0.25, 0.25)))
    assert way is not None and way.lower <= 0.25 <= way.upper
    assert way.lower == pytest.approx(way.upper, rel=1e-9)
    assert way.normal == pytest.approx([-1, 0, 0])
    assert way.point_b - way.point_a == pytest.approx(way.translation)
    assert not box.at(orbox.translation(*way.translation)).overlaps(
        box.at(orbox.translation(0.75, 0.25, 0.25))
    )
    apart = box.penetration(box.at(orbox.translation(3, 0, 0)))
    assert apart is not None and (apart.lower, apart.upper) == (0, 0)


def test_hausdorff_and_deviation(box: orbox.Tree, knot: orbox.Tree) -> None:
    moved = box.at(orbox.translation(0.25, 0, 0))
    far = box.hausdorff(moved, tolerance=1e-6)
    assert far.lower <= 0.25 <= far.upper <= far.lower + 1e-6
    field = knot.deviation(box)
    assert field.nearest.shape == (len(knot.mesh),)
    assert np.all(field.nearest <= field.farthest_lower)
    assert np.all(field.farthest_lower <= field.farthest_upper)
    whole = knot.hausdorff(box)
    assert whole.lower <= field.farthest_upper.max()


def test_deviation_summary(box: orbox.Tree, knot: orbox.Tree) -> None:
    vertices = np.array(knot.mesh.vertices)
    faces = np.array(knot.mesh.faces)
    corners = vertices[faces]
    area = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    weights = np.bincount(faces.ravel(), np.repeat(area, 3), len(vertices))
    distances = box.closest(vertices).distance
    s = knot.deviation_summary(box, within=0.1)
    assert (s.points, s.beyond) == (len(vertices), 0)
    mean = np.average(distances, weights=weights)
    assert s.mean == pytest.approx(mean)
    assert s.root_mean_square == pytest.approx(np.average(distances**2, weights=weights) ** 0.5)
    assert s.standard_deviation == pytest.approx(
        np.average((distances - mean) ** 2, weights=weights) ** 0.5
    )
    assert s.share_within == pytest.approx(np.average(distances <= 0.1, weights=weights))
    assert (s.smallest, s.largest) == (distances.min(), distances.max())
    assert s.median <= s.percentile_90 <= s.percentile_95 <= s.percentile_99 <= s.largest

    near = knot.deviation_summary(box, max_distance=float(np.median(distances)))
    assert near.points + near.beyond == len(vertices)
    assert near.beyond > 0 and near.share_within is None
    far = knot.deviation_summary(box.at(orbox.translation(99, 0, 0)), max_distance=1)
    assert far.points == 0 and np.isnan(far.mean)
    with pytest.raises(ValueError, match="within"):
        knot.deviation_summary(box, within=-1)


def test_symmetric_hausdorff_is_both_ways(box: orbox.Tree, knot: orbox.Tree) -> None:
    for tolerance in (None, 1e-4):
        both = knot.symmetric_hausdorff(box, tolerance=tolerance)
        for one, alone in (
            (both.a_to_b, knot.hausdorff(box, tolerance=tolerance)),
            (both.b_to_a, box.hausdorff(knot, tolerance=tolerance)),
        ):
            assert one.faces == alone.faces and np.array_equal(one.point_a, alone.point_a)
            assert (one.lower, one.upper) == (alone.lower, alone.upper)
        assert both.lower == max(both.a_to_b.lower, both.b_to_a.lower)
        assert both.upper == max(both.a_to_b.upper, both.b_to_a.upper)
    with pytest.raises(ValueError, match="tolerance"):
        knot.symmetric_hausdorff(box, tolerance=-1)


def test_distance_bounds(box: orbox.Tree, knot: orbox.Tree, link: orbox.Tree) -> None:
    apart = link.at(orbox.translation(0.1, 0, 0))
    gap = knot.distance(apart)
    exact = knot.distance_bounds(apart)
    assert exact.faces == gap.faces and np.array_equal(exact.point_a, gap.point_a)
    assert gap.distance in (exact.lower, exact.upper)
    assert exact.upper <= np.nextafter(exact.lower, np.inf)
    exact_half = box.distance_bounds(box.at(orbox.translation(1.5, 0, 0)))
    assert (exact_half.lower, exact_half.upper) == (0.5, 0.5)
    for error, absolute in ((0.5, 0.0), (0.01, 0.0), (0.0, 0.02)):
        rough = knot.distance_bounds(apart, error=error, absolute_error=absolute)
        assert rough.lower <= gap.distance <= rough.upper
        assert rough.upper - rough.lower <= max(error * gap.distance, absolute) * (1 + 1e-12)
        points = np.linalg.norm(rough.point_a - rough.point_b)
        assert points == pytest.approx(rough.upper)
    cost, least = orbox.Statistics(), orbox.Statistics()
    knot.distance_bounds(apart, error=0.5, statistics=cost)
    knot.distance_bounds(apart, statistics=least)
    assert cost.triangle_tests < least.triangle_tests
    for far in (
        box.distance_bounds(box.at(orbox.translation(9, 0, 0)), max_distance=1),
        box.distance_bounds(box.at(orbox.translation(9, 0, 0)), max_distance=1, error=0.1),
    ):
        assert np.isinf([far.lower, far.upper]).all() and far.faces == (-1, -1)
    with pytest.raises(ValueError, match="error"):
        box.distance_bounds(box, error=-0.1)


def test_closest_pairs_are_all_ties(box: orbox.Tree) -> None:
    away = box.at(orbox.translation(2, 0, 0))
    ties = box.closest_pairs(away)
    near = box.pairs_within(away, 1)
    assert np.array_equal(ties, near.faces[near.distance == 1]) and len(ties) > 1


def test_self_intersections(knot: orbox.Tree, box: orbox.Tree) -> None:
    assert knot.self_intersections().shape == (0, 2)
    v, f = box.mesh.vertices, box.mesh.faces
    two = orbox.Tree((np.vstack([v, v + 0.5]), np.vstack([f, f + len(v)])))
    crossing = two.self_intersections()
    assert len(crossing) > 0 and np.all(crossing[:, 0] < crossing[:, 1])
    assert two.self_intersects() and not knot.self_intersects()
    expected = box.overlapping_pairs(box.at(orbox.translation(0.5, 0.5, 0.5)))
    assert np.array_equal(crossing, expected + [0, 12])
    near = two.self_within(0)
    assert np.array_equal(near.faces, crossing)
    with pytest.raises(ValueError, match="shared_corners"):
        two.self_intersections(shared_corners="x")  # type: ignore[arg-type]
    contacts = two.self_contacts()
    assert np.array_equal(contacts.faces, crossing)
    assert set(contacts.kind) == {"crossing", "touching"}
    assert len(knot.self_contacts().kind) == 0


def test_kinds_of_self_contacts() -> None:
    corners = [
        [(0, 0, 0), (4, 0, 0), (0, 4, 0)],
        [(1, 1, -1), (1, 1, 1), (5, 5, 1)],
        [(0, 0, 0), (4, 0, 0), (3, 3, 0)],
        [(0.5, 0.5, 0), (0.5, 9, 0), (0.4, 9, 0)],
        [(4, 0, 0), (0, 0, 0), (0, 4, 0)],
        [(0.5, 1, 0), (0.5, 1, 5), (0.6, 1, 5)],
    ]
    mesh = orbox.Mesh(np.reshape(corners, (-1, 3)), np.arange(18).reshape(-1, 3))
    contacts = orbox.Tree(mesh).self_contacts()
    kinds = {tuple(pair): kind for pair, kind in zip(contacts.faces.tolist(), contacts.kind)}
    assert kinds[0, 1] == "crossing" and kinds[0, 2] == "folded" and kinds[0, 3] == "coplanar"
    assert kinds[0, 4] == "duplicate" and kinds[0, 5] == "touching"


def test_time_of_contact(box: orbox.Tree) -> None:
    way = np.stack([orbox.translation(5, 0, 0), orbox.translation(1, 0, 0)])
    hit = box.time_of_contact(way, box, tolerance=1e-6)
    assert hit.outcome in ("contact", "near") and hit.earliest == pytest.approx(1, abs=1e-5)
    away = np.stack([orbox.translation(5, 0, 0), orbox.translation(9, 0, 0)])
    assert box.time_of_contact(away, box).outcome == "apart"
    with pytest.raises(ValueError, match="poses"):
        box.time_of_contact(np.eye(4), box)


def test_refit_and_deform(knot: orbox.Tree) -> None:
    moved = knot.mesh.vertices * [1, 2, 3]
    fresh = orbox.Tree((moved, knot.mesh.faces))
    points = np.array([[0.1, 0.2, 0.3], [2, 3, 4]])
    deforming = orbox.DeformingTree(knot.mesh)
    deforming.move(moved)
    for tree in (knot.refit(moved), deforming.tree):
        assert np.array_equal(tree.closest(points).distance, fresh.closest(points).distance)
    with pytest.raises(ValueError, match="vert"):
        deforming.move(moved[:5])
    with pytest.raises(ValueError, match="finite"):
        deforming.move(moved * np.nan)


def test_anything_serves_as_the_other_mesh(box: orbox.Tree) -> None:
    assert box.overlaps(box.mesh)
    assert box.overlaps((box.mesh.vertices, box.mesh.faces))
    with pytest.raises(TypeError, match="does not look like"):
        box.overlaps(object())


def test_contact_of_deforming_meshes() -> None:
    ball = orbox.Tree(orbox.generate("sphere", 100))
    wall = orbox.Tree(([[-9, -9, 3], [9, -9, 3], [0, 9, 3]], [[0, 1, 2]]))
    grown = ball.mesh.vertices * 5
    hit = ball.first_contact(grown, wall)
    assert hit is not None and 0 < hit.earliest <= hit.latest <= 1 and hit.faces[1] == 0
    t = (hit.earliest + hit.latest) / 2
    between = ball.refit(ball.mesh.vertices + t * (grown - ball.mesh.vertices))
    assert between.distance(wall).distance == pytest.approx(0, abs=1e-9)
    assert hit.point[2] == pytest.approx(3)
    assert ball.first_contact(ball.mesh.vertices, wall) is None
    assert ball.first_contact(grown, wall, max_t=0.4) is None
    lifted = wall.mesh.vertices + [0, 0, 9]
    assert ball.first_contact(grown, wall, lifted) is None
    ring = orbox.Tree(orbox.generate("torus_knot", 200))
    assert ring.first_self_contact(ring.mesh.vertices) is None
    crushed = ring.first_self_contact(ring.mesh.vertices * [1, 1, 0])
    assert crushed is not None and crushed.faces[0] < crushed.faces[1]
    with pytest.raises(ValueError, match="vert"):
        ball.first_contact(grown[:5], wall)
    with pytest.raises(ValueError, match="finite"):
        ball.first_contact(grown * np.nan, wall)
