# SPDX-License-Identifier: Apache-2.0

"""Meshes and places where other libraries were seen to answer wrongly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import orbox
import pytest
from conftest import brute_distances

OFFSET = np.array([500_000.0, 5_000_000.0, 100.0])  # as maps have it (UTM)


def dyadic(mesh: orbox.Mesh, digits: int = 256) -> orbox.Mesh:
    """Coordinates of few digits: moving them by OFFSET rounds nothing."""
    return orbox.Mesh(np.round(mesh.vertices * digits) / digits, mesh.faces)


def crossed_star() -> orbox.Mesh:
    """A closed mesh whose faces look inward, with a corner whose faces cross each other."""
    ball = orbox.generate("sphere", 200)
    vertices, faces = np.array(ball.vertices), np.array(ball.faces)
    top = int(np.argmax(vertices[:, 2]))
    ring = np.unique(faces[(faces == top).any(axis=1)])
    ring = ring[ring != top]
    # Every second neighbour moves to the other side of the corner.
    vertices[ring[::2]] += 1.5 * (vertices[top] - vertices[ring[::2]])
    return orbox.Mesh(vertices, faces[:, ::-1])


def crossings(mesh: orbox.Mesh, p: np.ndarray) -> int:
    """Number of times that the upward ray from p crosses the surface, in exact arithmetic."""
    number = 0
    px, py, pz = (Fraction(float(x)) for x in p)
    for corners in mesh.vertices[mesh.faces]:
        a, b, c = ([Fraction(float(x)) for x in q] for q in corners)

        def side(u: list, v: list) -> Fraction:
            return (u[0] - px) * (v[1] - py) - (u[1] - py) * (v[0] - px)

        sides = side(b, c), side(c, a), side(a, b)
        assert all(s != 0 for s in sides), "choose another point"
        if len({s > 0 for s in sides}) == 1:
            z = sum(s * q[2] for s, q in zip(sides, (a, b, c))) / sum(sides)
            number += z > pz
    return number


def test_distances_of_small_meshes(rng: np.random.Generator) -> None:
    """A ball of radius 0.01: absolute tolerances make most distances wrong."""
    ball = orbox.generate("sphere", 320)
    small = orbox.Tree((0.01 * ball.vertices, ball.faces))
    points = rng.normal(size=(100, 3)) * 0.02
    found = small.closest(points)
    slow = np.array([brute_distances(small.mesh, p).min() for p in points])
    assert found.distance == pytest.approx(slow, rel=1e-12, abs=0)


def test_signs_near_a_corner_whose_faces_cross(rng: np.random.Generator) -> None:
    """Faces that face inward, and normals with the wrong side."""
    mesh = crossed_star()
    tree = orbox.Tree(mesh)
    assert mesh.is_closed and len(tree.self_intersections()) > 0
    assert mesh.facts.volume < 0
    top = mesh.vertices[np.argmax(mesh.vertices[:, 2])]
    points = np.vstack([rng.uniform(-1.3, 1.3, (60, 3)), top + rng.normal(size=(140, 3)) * 0.1])
    inside = np.array([crossings(mesh, p) % 2 == 1 for p in points])
    assert inside.any() and not inside.all()
    assert np.array_equal(tree.contains(points), inside)
    signed = tree.signed_distance(points)
    assert np.array_equal(signed < 0, inside)
    assert np.array_equal(np.abs(signed), tree.closest(points).distance)


def test_far_from_the_origin(rng: np.random.Generator) -> None:
    """Floats lose ten centimetres at UTM offsets; no digit gets lost here."""
    mesh = dyadic(orbox.generate("torus_knot", 2000))
    here, there = orbox.Tree(mesh), orbox.Tree((mesh.vertices + OFFSET, mesh.faces))
    points = np.round(rng.uniform(-2, 2, (500, 3)) * 64) / 64
    near, far = here.closest(points), there.closest(points + OFFSET)
    assert np.array_equal(near.distance, far.distance)
    assert np.array_equal(here.contains(points), there.contains(points + OFFSET))
    assert np.array_equal(here.signed_distance(points), there.signed_distance(points + OFFSET))
    down = here.ray_first(points, (0.25, 0.125, -1))
    assert np.array_equal(down.t, there.ray_first(points + OFFSET, (0.25, 0.125, -1)).t)


def test_a_millionth_apart_is_apart(box: orbox.Tree) -> None:
    for gap in (1e-6, 1e-9, 2.0**-52):
        moved = box.at(orbox.translation(1 + gap, 0, 0))
        assert not box.overlaps(moved) and box.distance(moved).distance == (1 + gap) - 1
    assert box.overlaps(box.at(orbox.translation(1, 0, 0)))


def test_hausdorff_is_not_that_of_samples(box: orbox.Tree) -> None:
    """The farthest point is in the middle of a face, far from its vertices."""
    vertices, faces = np.array(box.mesh.vertices), np.array(box.mesh.faces)
    pit = np.array([[0.5, 0.5, 0.25]])
    lid = np.flatnonzero((vertices[faces][:, :, 2] == 1).all(axis=1))
    sides = [(a, b) for f in lid for a, b in zip(faces[f], np.roll(faces[f], -1))]
    rim = [(a, b) for a, b in sides if (b, a) not in sides]
    dented = orbox.Tree(
        (
            np.vstack([vertices, pit]),
            np.vstack([np.delete(faces, lid, axis=0), [(a, b, len(vertices)) for a, b in rim]]),
        )
    )
    assert dented.mesh.is_closed
    # Each vertex of the box is one of the dented box; the middle of the lid is far.
    assert dented.closest(vertices).distance.max() == 0
    points = np.array([[0.5, 0.5, 1.0]])
    far = box.hausdorff(dented, tolerance=1e-9)
    assert far.lower <= far.upper <= far.lower + 1e-9
    assert far.lower >= dented.closest(points).distance[0] - 1e-9 > 0.3
