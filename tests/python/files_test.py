# SPDX-License-Identifier: Apache-2.0

"""Bodies of files, and scenes of them."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import orbox
import pytest


def bodies() -> list[orbox.Body]:
    box, ball = orbox.generate("box", 12), orbox.generate("sphere", 100)
    return [
        orbox.Body("wall", box, orbox.translation(1, 2, 3), {"type": "IfcWall", "storey": "1"}),
        orbox.Body("ball", ball, np.eye(4), {}),
        orbox.Body("door", box, orbox.scaling(2), {}),
    ]


def test_there_and_back(tmp_path: Path) -> None:
    path = tmp_path / "house.glb"
    orbox.write_bodies(bodies(), path, colors=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    read = orbox.read_bodies(path, progress=lambda share: None)
    assert [b.name for b in read] == ["wall", "ball", "door"]
    assert read[0].properties == {"type": "IfcWall", "storey": "1"}
    assert read[2].mesh.bounds.tolist() == [[0, 0, 0], [1, 1, 1]]
    assert np.array_equal(read[0].pose, orbox.translation(1, 2, 3))
    one = orbox.read_bodies(f"{path}#ball")
    assert [b.name for b in one] == ["ball"]
    for made, back in zip(bodies(), read):
        assert len(made.mesh) == len(back.mesh)


def test_a_scene_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "house.obj"
    path.write_text(
        "o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 0 0 0.5\nv 1 0 0.5\n"
        "v 0 1 0.5\nf 4 5 6\n"
    )
    scene = orbox.Scene()
    assert scene.add_file(path) == ["left", "right"]
    assert [(g.a, g.b, g.distance) for g in scene.within(1)] == [("left", "right", 0.5)]
    scene.add("named", orbox.generate("box", 12), properties={"level": 2})
    assert scene.properties("named") == {"level": "2"} and scene.properties("left") == {}


def test_elements_without_triangles_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "house.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\no axis\no wall\nf 1 2 3\no grid\n")
    names: list[str] = []
    assert [b.name for b in orbox.read_bodies(path, left_out=names)] == ["wall"]
    assert names == ["axis", "grid"]
    scene = orbox.Scene()
    assert scene.add_file(path) == ["wall"]
    assert scene.not_judged() == (["wall"], [], ["axis", "grid"])


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        orbox.read_bodies(tmp_path / "none.glb")
    with pytest.raises(ValueError, match="color"):
        orbox.write_bodies(bodies(), tmp_path / "a.glb", colors=[[1, 0, 0]])
    with pytest.raises(ValueError, match="colors"):
        orbox.write_bodies(bodies(), tmp_path / "a.glb", colors=[[1, 0]])
    with pytest.raises(ValueError):
        orbox.write_bodies(bodies(), tmp_path / "a.xyz")
    assert list(tmp_path.iterdir()) == []


def test_notes_say_what_was_tolerated(tmp_path: Path) -> None:
    path = tmp_path / "a.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\nf 1 2\nf 1 2 3\n")
    with pytest.raises(ValueError, match="finite"):
        orbox.read_mesh(path)
    mesh = orbox.read_mesh(path, skip_invalid=True)
    assert len(mesh) == 1
    assert mesh.notes == (
        "faces of fewer than 3 corners, skipped: 1, at line 5",
        "vertices that are not finite and that no face uses: 1, at vertex 3",
    )
    assert orbox.generate("box", 12).notes == ()
    assert orbox.Tree(path, skip_invalid=True).mesh.notes == mesh.notes
    assert orbox.Mesh.of(str(path), skip_invalid=True) == mesh
    with pytest.raises(ValueError, match="skip_invalid: is for the path of a file"):
        orbox.Tree(mesh, skip_invalid=True)


def test_welding_joins_close_vertices(tmp_path: Path) -> None:
    box = orbox.generate("box", 12)
    corners = box.vertices[box.faces].reshape(-1, 3)
    apart = corners + 1e-5 * np.sin(np.arange(corners.size)).reshape(-1, 3)
    faces = np.arange(36).reshape(-1, 3)
    assert not orbox.Mesh(apart, faces).is_closed
    mesh = orbox.Mesh(apart, faces, weld=1e-4)
    assert mesh.is_closed
    assert len(mesh.vertices) == 8
    assert len(mesh) == 12
    assert mesh.notes[0].startswith("vertices welded, moved by at most ")
    path = tmp_path / "apart.ply"
    orbox.Mesh(apart, faces).save(path)
    assert orbox.read_mesh(path, weld=1e-4) == mesh
    assert orbox.read_mesh(path, weld=1e-4).notes == mesh.notes
    assert pickle.loads(pickle.dumps(mesh)).notes == mesh.notes
    for x in (path, (apart, faces), orbox.Mesh(apart, faces), orbox.Tree((apart, faces))):
        assert orbox.Mesh.of(x, weld=1e-4) == mesh
        assert orbox.Mesh.of(x, weld=1e-4).notes == mesh.notes
        assert orbox.Tree(x, weld=1e-4).mesh == mesh
        assert orbox.Tree(x, weld=1e-4).contains((0.5, 0.5, 0.5))
    tree_file = tmp_path / "apart.orbox"
    orbox.Tree(path).save(tree_file)
    with pytest.raises(ValueError, match="weld: a tree file"):
        orbox.Tree(tree_file, weld=1e-4)
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="weld"):
            orbox.Mesh(apart, faces, weld=bad)


def test_meshes_of_others() -> None:
    box = orbox.generate("box", 12)
    corners = box.vertices[box.faces]

    class Stl:  # as numpy-stl's
        vectors = corners.astype(np.float32)
        v0 = corners[:, 0]

    mesh = orbox.Mesh.of(Stl())
    assert len(mesh.vertices) == 8
    assert np.array_equal(mesh.vertices[mesh.faces], corners)

    class Surface:
        points = box.vertices
        faces = np.column_stack([np.full(12, 3), box.faces]).ravel()

    class Grid:  # as pyvista's UnstructuredGrid
        points = box.vertices
        cells_dict = {10: [[0, 1, 2, 3]]}

        def extract_surface(self) -> Surface:
            return Surface()

    assert orbox.Mesh.of(Grid()) == box


def test_faces_that_are_none() -> None:
    points = np.eye(3)
    with pytest.raises(ValueError, match=r"faces\[:, 1:\]"):
        orbox.Mesh(points, [[3, 0, 1, 2]])
    with pytest.raises(ValueError, match="18446744073709551615"):
        orbox.Mesh(points, np.array([[0, 1, 2**64 - 1]], dtype=np.uint64))
    masked = np.ma.array(points, mask=np.eye(3, dtype=bool))
    with pytest.raises(ValueError, match="masked"):
        orbox.Mesh(masked, [[0, 1, 2]])
    assert len(orbox.Mesh(np.ma.array(points), [[0, 1, 2]])) == 1
