# SPDX-License-Identifier: Apache-2.0

"""Queries of a tree at a pose compared with those of a tree over the moved mesh."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import orbox
import pytest
from orbox._options import is_query
from orbox._points import PointQueries
from orbox._rays import RayQueries
from orbox._regions import RegionQueries

TURN = orbox.rotation((1, 2, 3), 0.7, about=(0.5, -1, 2))

POSES = {
    "none": np.eye(4),
    "shift": orbox.translation(0.1, -20.3, 3),
    "turn": TURN,
    "turn and scale": orbox.translation(1, 2, 3) @ orbox.scaling(3) @ TURN,
    "mirror": np.diag([1.0, -1, 1, 1]) @ TURN,
    "shear": np.array([[1, 0.5, 0, 1], [0, 1, 0.25, 2], [0, 0, 1, 3], [0, 0, 0, 1.0]]),
    "stretch": TURN @ np.diag([1.0, 100, 0.5, 1]),
    "flat": TURN @ np.diag([1.0, 1, 0, 1]),
    "line": np.diag([1.0, 0, 0, 1]),
    "point": orbox.translation(1, 2, 3) @ np.diag([0.0, 0, 0, 1]),
}

#: Every query of one mesh, with arguments for a mesh of about size 1 at the origin.
QUERIES: dict[str, list[dict[str, Any]]] = {
    "closest": [{}, {"max_distance": 0.3}],
    "nearest": [{"k": 5}, {"k": 3, "max_distance": 0.5}],
    "signed_distance": [{}, {"max_distance": 0.3}, {"inside": "parity"}],
    "signed_closest": [{}, {"inside": "parity"}],
    "contains": [{"method": m} for m in ("auto", "exact", "parity", "winding")],
    "winding_number": [{}, {"max_error": 1e-9}],
    "exact_winding_number": [{}],
    "distance_to_boundary": [{}, {"inside": "parity"}],
    "side": [{}],
    "ray_first": [{}, {"max_t": 0.4}],
    "ray_any": [{}, {"max_t": 0.4}],
    "ray_count": [{}, {"max_t": 0.4}],
    "ray_all": [{}, {"max_t": 0.4}],
    "swept_ball": [{}],
    "swept_ball_any": [{}],
    "swept_ball_all": [{}],
    **{
        f"in_{kind}{how}": [{}]
        for kind in ("ball", "box", "obb", "frustum")
        for how in ("", "_any", "_count")
    },
}


@pytest.fixture(scope="module")
def trees() -> dict[str, orbox.Tree]:
    meshes = {shape: orbox.generate(shape, 600) for shape in ("torus_knot", "gear", "plane")}
    box, ball = orbox.generate("box", 12), orbox.generate("sphere", 200)
    meshes["shells"] = orbox.Mesh(
        np.concatenate([box.vertices, ball.vertices * 0.7]),
        np.concatenate([box.faces, ball.faces + len(box.vertices)]),
    )
    return {name: orbox.Tree(mesh) for name, mesh in meshes.items()}


def _arguments(query: str, moved: orbox.Mesh, rng: np.random.Generator) -> tuple[Any, ...]:
    """40 queries about the moved mesh, some of which touch its vertices."""
    lo, hi = moved.bounds
    size = float(np.linalg.norm(hi - lo)) or 1.0
    near = (lo + hi) / 2 + rng.uniform(-0.6, 0.6, (40, 3)) * (hi - lo + 0.1 * size)
    corners = moved.vertices[rng.integers(len(moved.vertices), size=40)]
    near[:5] = corners[:5]
    if query.startswith("ray"):
        return near, np.where(np.arange(40)[:, None] < 20, corners, near[::-1]) - near + 1e-3 * size
    if query.startswith("swept"):
        return near, corners, rng.uniform(0, 0.05, 40) * size
    radii = rng.uniform(0, 0.4, 40) * size
    if query.startswith("in_ball"):
        radii[:20] = np.linalg.norm(near - corners, axis=1)[:20]
        return near, radii
    if query.startswith("in_box"):
        return np.minimum(near, corners), np.maximum(near, corners)
    if query.startswith("in_obb"):
        return near, TURN[:3, :3], rng.uniform(0, 0.3, (40, 3)) * size
    if query.startswith("in_frustum"):
        normals = rng.normal(size=(40, 3, 3))
        offsets = np.einsum("nmk,nk->nm", normals, corners)
        return (np.concatenate([normals, offsets[:, :, None]], axis=2),)
    return (near,)


def _arrays(found: Any) -> list[np.ndarray]:
    if isinstance(found, orbox.Ragged):
        return [found.offsets, *_arrays(found.values)]
    return [np.asarray(a) for a in found] if isinstance(found, tuple) else [np.asarray(found)]


def _answer(tree: Any, query: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        return getattr(tree, query)(*arguments, **options)
    except ValueError as error:  # of an open mesh, which has no signs
        return str(error)


def _same(found: Any, expected: Any) -> None:
    if isinstance(expected, str):
        assert found == expected
        return
    assert type(found) is type(expected)
    for a, b in zip(_arrays(found), _arrays(expected), strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _near(found: Any, expected: Any) -> None:
    """Winding numbers, which depend on the tree within their error."""
    assert np.allclose(found, expected, rtol=0, atol=2e-3)


def _same_first_contacts(found: orbox.SweptHits, expected: orbox.SweptHits) -> None:
    """Of faces that are touched at one time, another tree may report another."""
    hit = np.atleast_1d(expected.face) >= 0
    assert np.array_equal(np.atleast_1d(found.face) >= 0, hit)
    for a, b in ((found, expected), (expected, found)):
        earliest, latest = np.atleast_1d(a.earliest)[hit], np.atleast_1d(b.latest)[hit]
        assert (earliest <= latest + 1e-12).all()


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("query", QUERIES)
def test_answers_are_those_of_the_moved_mesh(
    trees: dict[str, orbox.Tree], query: str, pose: str
) -> None:
    rng = np.random.default_rng(5)
    for tree in trees.values():
        posed = tree.at(POSES[pose])
        # A pose that mirrors keeps the fronts, so the corners turn around.
        turns = query == "side" and pose == "mirror"
        faces = tree.mesh.faces[:, ::-1] if turns else tree.mesh.faces
        mesh = orbox.Mesh(posed.vertices, faces)
        moved = orbox.Tree(mesh)
        arguments = _arguments(query, mesh, rng)
        others = {"swept_ball": _same_first_contacts, "winding_number": _near}
        same = others.get(query, _same)
        for options in QUERIES[query]:
            same(
                _answer(posed, query, arguments, options),
                _answer(moved, query, arguments, options),
            )
            for i in (0, 33):  # single ones, which the extension reads itself
                one = tuple(a if a.shape == (3, 3) else a[i] for a in arguments)
                same(_answer(posed, query, one, options), _answer(moved, query, one, options))


def test_the_table_has_all_queries_of_one_mesh() -> None:
    common = {
        name
        for kind in (PointQueries, RayQueries, RegionQueries)
        for name, member in inspect.getmembers(kind)
        if is_query(member)
    }
    assert common | {"exact_winding_number", "distance_to_boundary", "side"} == set(QUERIES)


def test_queries_find_something(trees: dict[str, orbox.Tree]) -> None:
    rng = np.random.default_rng(5)
    posed = trees["shells"].at(POSES["turn and scale"])
    mesh = orbox.Mesh(posed.vertices, posed.tree.mesh.faces)
    for query in QUERIES:
        found = _answer(posed, query, _arguments(query, mesh, rng), QUERIES[query][0])
        if query in ("nearest", "ray_all", "swept_ball_all", "in_ball", "in_box", "in_obb"):
            assert found.counts.any(), query
        elif query in ("contains", "exact_winding_number", "ray_any"):
            assert found.any() and not found.all(), query


def test_options_of_posed_queries(knot: orbox.Tree, rng: np.random.Generator) -> None:
    posed = knot.at(TURN)
    points = rng.uniform(-2, 2, (5000, 3))
    cost = orbox.Statistics()
    one = posed.closest(points, threads=1, statistics=cost)
    assert 0 < cost.triangle_tests < 5000 * len(knot.mesh) / 10
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, posed.closest(points, threads=2)))
    with pytest.raises(ValueError, match="points: row 7"):
        points[7, 1] = np.nan
        posed.closest(points)
    assert len(posed.nearest(np.zeros((0, 3)), 3)) == 0
    with pytest.raises(ValueError, match="method"):
        posed.contains(points[0], method="odd")  # type: ignore[arg-type]


def test_a_rotation_of_whole_numbers_only_renames(box: orbox.Tree) -> None:
    """By a quarter turn about z, which loses no digit."""
    quarter = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    posed = box.at(quarter)
    found = posed.closest((-0.25, 0.5, 3))
    expected = box.closest((0.5, 0.25, 3))
    assert (found.distance, found.face) == (expected.distance, expected.face)
    assert np.array_equal(found.point, [-0.25, 0.5, 1])
    assert posed.ray_first((-0.25, 0.5, 3), (0, 0, -1)).face == expected.face
    assert posed.signed_distance((-0.25, 0.5, 0.5)) == -0.25
    assert posed.in_ball_count((-0.25, 0.5, 3), 2) == box.in_ball_count((0.5, 0.25, 3), 2)


def test_queries_that_a_pose_lacks_are_named(box: orbox.Tree) -> None:
    posed = box.at(TURN)
    with pytest.raises(AttributeError, match=r"posed\.tree\.self_intersections"):
        posed.self_intersections()
    with pytest.raises(AttributeError, match="PosedTree has no attribute 'closets'"):
        posed.closets()
    assert not hasattr(posed, "mesh")
