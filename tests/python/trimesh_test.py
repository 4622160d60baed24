# SPDX-License-Identifier: Apache-2.0

"""Orbox behind trimesh, compared with trimesh itself."""

from __future__ import annotations

import copy
import doctest
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import orbox
import pytest

trimesh = pytest.importorskip("trimesh")
ours = pytest.importorskip("orbox.trimesh")


@pytest.fixture(autouse=True)
def _behind_trimesh() -> Iterator[None]:
    ours.install()
    ours.install()
    yield
    ours.uninstall()


@pytest.fixture
def ball() -> Any:
    return trimesh.creation.icosphere(subdivisions=2)


def test_examples() -> None:
    ours.uninstall()
    assert doctest.testmod(ours)[0] == 0


def test_install_can_be_undone() -> None:
    ours.uninstall()
    for name in (
        "collision.CollisionManager",
        "proximity.closest_point",
        "proximity.signed_distance",
    ):
        module, thing = name.split(".")
        assert not getattr(getattr(trimesh, module), thing).__module__.startswith("orbox")


def test_proximity(ball: Any, rng: np.random.Generator) -> None:
    points = rng.uniform(-2, 2, (200, 3))
    closest, distance, face = ball.nearest.on_surface(points)
    assert np.array_equal(distance, ours.tree_of(ball).closest(points).distance)
    assert np.linalg.norm(closest - points, axis=1) == pytest.approx(distance)
    signed = trimesh.proximity.signed_distance(ball, points)
    assert np.array_equal(signed > 0, ball.contains(points))
    assert np.abs(signed) == pytest.approx(distance)
    # Among faces that share the closest corner, one that faces the point.
    assert np.all(
        ((points - closest) * ball.face_normals[face]).sum(axis=1)[~ball.contains(points)] > 0
    )
    with pytest.raises(ValueError, match="points must be"):
        ball.nearest.on_surface([1, 2, 3])


def test_small_meshes_have_right_distances() -> None:
    ball = trimesh.creation.icosphere(radius=0.01)
    points = np.random.default_rng(3).normal(size=(300, 3))
    points *= 0.02 / np.linalg.norm(points, axis=1)[:, None]
    corners = orbox.Mesh.of(ball)
    distance = ball.nearest.on_surface(points)[1]
    assert np.all(distance >= 0.01 * (1 - 1e-12)) and np.all(distance <= 0.0102)
    scaled = orbox.Tree((1024 * corners.vertices, corners.faces)).closest(1024 * points)
    assert np.array_equal(scaled.distance, 1024 * distance)


def test_far_from_the_origin(ball: Any, rng: np.random.Generator) -> None:
    """Coordinates with large offsets, as on maps: no digit of them is lost."""
    points = rng.integers(-8, 8, (100, 3)) / 4.0
    ball.vertices = np.round(ball.vertices * 64) / 64
    near = ball.nearest.on_surface(points)[1]
    moved = ball.copy()
    moved.vertices += (500_000, 5_000_000, 0)
    assert np.array_equal(moved.nearest.on_surface(points + (500_000, 5_000_000, 0))[1], near)
    assert np.array_equal(moved.contains(points + (500_000, 5_000_000, 0)), ball.contains(points))


def test_rays(ball: Any) -> None:
    origins = np.array([[0.1, 0.2, 5], [9, 9, 9], [0, 0, 5], [np.nan, 0, 0]])
    down = np.tile([0, 0, -1.0], (4, 1))
    assert ball.ray.intersects_any(origins, down).tolist() == [True, False, True, False]
    first = ball.ray.intersects_first(origins, down)
    assert first[1] == first[3] == -1 and first[0] >= 0
    face, ray = ball.ray.intersects_id(origins, down)
    assert ray.tolist() == [0, 0, 2, 2]  # the corner at the top counts once
    points, ray, face = ball.ray.intersects_location(origins, down, multiple_hits=False)
    assert ray.tolist() == [0, 2] and len(points) == len(face) == 2
    assert len(ball.ray.intersects_id(origins, down, max_hits=1)[0]) == 2
    with pytest.raises(ValueError, match="match"):
        ball.ray.intersects_any(origins, down[:2])


def test_trees_are_kept_and_survive(ball: Any) -> None:
    tree = ours.tree_of(ball)
    assert ours.tree_of(ball) is tree
    for other in (pickle.loads(pickle.dumps(ball)), copy.deepcopy(ball), ball.copy()):
        assert other.nearest.on_surface([[0, 0, 3]])[1] == pytest.approx(2)
        assert other.contains([[0, 0, 0]]).all()
    ball.vertices *= 2
    assert ours.tree_of(ball) is not tree
    assert ball.nearest.on_surface([[0, 0, 3]])[1] == pytest.approx(1)


def test_open_meshes(ball: Any) -> None:
    lid = trimesh.Trimesh(ball.vertices, ball.faces[3:], process=False)
    assert lid.contains([[0, 0, 0], [3, 0, 0]]).tolist() == [True, False]
    assert (trimesh.proximity.signed_distance(lid, [[0, 0, 0], [3, 0, 0]]) > 0).tolist() == [
        True,
        False,
    ]


def test_managers(ball: Any) -> None:
    manager = trimesh.collision.CollisionManager()
    manager.add_object("a", ball)
    manager.add_object("b", ball, orbox.translation(3, 0, 0))
    assert manager.in_collision_internal() is False
    assert manager.min_distance_internal(return_names=True)[1] == ("a", "b")
    manager.set_transform("b", orbox.translation(2, 0, 0))  # touching
    hit, names, contacts = manager.in_collision_internal(True, True)
    assert hit and names == {("a", "b")} and contacts
    assert contacts[0].point == pytest.approx([1, 0, 0])
    assert contacts[0].depth == pytest.approx(0, abs=1e-12)
    assert contacts[0].index("a") >= 0
    distance, data = manager.min_distance_single(ball, orbox.translation(0, 3, 0), return_data=True)
    assert data.distance == distance == pytest.approx(1, abs=0.02)
    inner = ball.copy().apply_scale(0.1)
    assert manager.in_collision_single(inner, return_names=True) == (True, {"a"})
    assert manager.min_distance_single(inner) < 0
    other = trimesh.collision.CollisionManager()
    other.add_object("c", ball, orbox.translation(0, 0, 9))
    assert manager.in_collision_other(other) is False
    assert manager.min_distance_other(other, return_names=True)[1] == ("a", "c")
    manager.remove_object("a")
    for call in (lambda: manager.remove_object("a"), lambda: manager.set_transform("a", np.eye(4))):
        with pytest.raises(ValueError, match="not in collision manager"):
            call()
