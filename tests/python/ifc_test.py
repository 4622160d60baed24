# SPDX-License-Identifier: Apache-2.0

"""IFC files to scenes, and the command that reports their clashes."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import orbox
import pytest
from conftest import NOTEBOOKS, run_cells

ifcopenshell: Any = pytest.importorskip("ifcopenshell")
import ifcopenshell.guid  # noqa: E402
import orbox.ifc  # noqa: E402


@pytest.fixture(scope="module")
def write_ifc() -> Any:
    """The notebook's function, for blocks (class, name, corner, length, height, width)."""
    notebook = NOTEBOOKS / "ifc_clashes.py"
    if not notebook.exists():
        pytest.skip("the tests are not in the source tree")
    return run_cells(notebook, until="write_ifc")["write_ifc"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, write_ifc: Any) -> list[Path]:
    folder = tmp_path_factory.mktemp("ifc")
    walls, ducts = folder / "walls.ifc", folder / "ducts.ifc"
    write_ifc(
        walls,
        "METERS",
        [("IfcWall", "south", (0, 0, 0), 5, 3, 0.2), ("IfcWall", "west", (0, 0, 0), 0.2, 3, 5)],
    )
    write_ifc(
        ducts,
        "MILLIMETERS",
        [
            ("IfcDuctSegment", "through", (1, -1, 2), 0.3, 0.3, 3),
            ("IfcDuctSegment", "free", (3, 1, 2), 0.3, 0.3, 2),
        ],
    )
    return [walls, ducts]


def test_a_scene_of_two_files(files: list[Path]) -> None:
    scene = orbox.ifc.scene(files)
    assert len(scene) == 4
    by_name = {scene.properties(body)["name"]: body for body in scene}
    assert set(by_name) == {"south", "west", "through", "free"}
    known = scene.properties(by_name["through"])
    assert known["type"] == "IfcDuctSegment" and known["storey"] == "Level 1"
    assert known["file"] == "ducts.ifc" and known["guid"] == by_name["through"]
    bounds = scene.body(by_name["through"]).vertices
    assert np.allclose([bounds.min(axis=0), bounds.max(axis=0)], [[1, -1, 2], [1.3, 2, 2.3]])
    found = scene.clashes(tolerance=0.001)
    kinds = {frozenset((c.a, c.b)): c.clash.kind for c in found}
    assert kinds == {
        frozenset((by_name["south"], by_name["through"])): "clash",
        frozenset((by_name["south"], by_name["west"])): "clash",
    }


def test_the_same_file_twice(files: list[Path]) -> None:
    scene = orbox.ifc.scene([files[0], files[0]])
    assert len(scene) == 4
    assert sum(c.clash.kind == "duplicate" for c in scene.clashes(tolerance=0.001)) == 2


def test_elements_without_a_body_are_said(files: list[Path], tmp_path: Path) -> None:
    model = ifcopenshell.open(str(files[0]))
    wall, other = model.by_type("IfcWall")
    bare = model.create_entity("IfcDoor", GlobalId=ifcopenshell.guid.new(), Name="bare")
    stair = model.create_entity("IfcStair", GlobalId=ifcopenshell.guid.new(), Name="stair")
    model.create_entity(  # a whole is its parts
        "IfcRelAggregates",
        GlobalId=ifcopenshell.guid.new(),
        RelatingObject=stair,
        RelatedObjects=[other],
    )
    path = tmp_path / "bare.ifc"
    model.write(str(path))
    scene = orbox.ifc.scene([path])
    assert len(scene) == 2 and wall.GlobalId in scene
    assert scene.not_judged() == ([], [], [bare.GlobalId])
    assert orbox.ifc.scene([files[0]]).not_judged() == ([], [], [])
    page = tmp_path / "out.html"
    done = run(path, "--report", page, stdout=subprocess.PIPE)
    assert "not judged: 1 element of the files has no body" in done.stdout
    assert "1 element of the files has no body" in page.read_text(encoding="utf-8")


def test_the_command(files: list[Path], tmp_path: Path) -> None:
    bcf, page = tmp_path / "out.bcf", tmp_path / "out.html"
    options = ["--tolerance", "1e-3", "--between-files", "--bcf", bcf, "--report", page]
    done = run(*files, *options, "--group", "name", stdout=subprocess.PIPE)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("walls.ifc, ducts.ifc: 4 bodies of ")
    assert "1 pair to look at: 1 clash\n" in done.stdout
    assert "south | through: 1 clash" in done.stdout
    assert "clash, 0.2 m thick" in done.stdout
    assert page.read_text(encoding="utf-8").count("IfcDuctSegment") > 0
    with zipfile.ZipFile(bcf) as archive:
        assert sum(n.endswith("markup.bcf") for n in archive.namelist()) == 1


def run(*arguments: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command; a traceback is never right."""
    command = [sys.executable, "-m", "orbox.ifc", *map(str, arguments)]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, **options)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr, done.stderr
    return done


def test_bad_files(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    text = tmp_path / "text.ifc"
    text.write_text("no IFC")
    assert orbox.ifc.main([str(text)]) == 3
    assert orbox.ifc.main([str(tmp_path / "none.ifc")]) == 3
    assert orbox.ifc.main([str(tmp_path)]) == 4
    said = capfd.readouterr().err
    assert "text.ifc: is no IFC file" in said
    assert f"{tmp_path / 'none.ifc'}: No such file or directory" in said


def test_no_output_overwrites_an_input(files: list[Path], tmp_path: Path) -> None:
    model = tmp_path / "m.ifc"
    model.write_bytes(files[0].read_bytes())
    (tmp_path / "soft.bcf").symlink_to(model)
    os.link(model, tmp_path / "hard.bcf")
    (tmp_path / "folder").mkdir()
    # Without an extension, and by other spellings of its path, too.
    bare = tmp_path / "model"
    bare.write_bytes(model.read_bytes())
    cases = [
        (model, ["--bcf", model], "would overwrite FILE"),
        (model, ["--report", model], "would overwrite FILE"),
        (model, ["--bcf", tmp_path / "soft.bcf"], "would overwrite FILE"),
        (model, ["--bcf", tmp_path / "hard.bcf"], "would overwrite FILE"),
        (bare, ["--report", bare], "would overwrite FILE"),
        (bare, ["--bcf", tmp_path / "folder" / ".." / "model"], "would overwrite FILE"),
    ]
    for read, options, message in cases:
        before = read.read_bytes()
        done = run(files[1], read, *options)
        assert done.returncode == 2 and message in done.stderr, (options, done)
        assert read.read_bytes() == before
    done = run("model", "--bcf", "./model", cwd=tmp_path)
    assert done.returncode == 2 and "would overwrite FILE ('model')" in done.stderr


def test_no_output_overwrites_another(files: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(out)
    for other in (out, tmp_path / "folder" / ".." / "out", tmp_path / "link"):
        done = run(files[0], "--report", out, "--bcf", other)
        assert done.returncode == 2 and "are one file; write to two" in done.stderr
    assert not out.exists()


def test_numbers_that_are_no_lengths(files: list[Path]) -> None:
    for option in ("--tolerance", "--within", "--close-holes"):
        for text in ("-1", "nan", "inf", "x"):
            done = run(files[0], option, text)
            assert done.returncode == 2 and option in done.stderr and text in done.stderr


def test_outputs_that_cannot_be_written(files: list[Path], tmp_path: Path) -> None:
    lost = tmp_path / "none" / "out.bcf"
    done = run(files[0], "--bcf", lost)
    assert done.returncode == 4 and f"{lost}: No such file or directory" in done.stderr
    done = run(files[0], "--bcf", tmp_path)
    assert done.returncode == 4 and "Is a directory" in done.stderr
    with open("/dev/full", "w") as full:
        done = run(files[0], stdout=full)
    assert done.returncode == 4 and "No space left" in done.stderr


def test_a_reader_that_goes_away(files: list[Path], tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = run(*files, "--bcf", tmp_path / "out.bcf", stdout=write)
    os.close(write)
    assert done.returncode == 141 and done.stderr == ""
    assert zipfile.is_zipfile(tmp_path / "out.bcf")


def test_the_exit_code_says_what_there_is_to_look_at(files: list[Path]) -> None:
    assert run(*files, stdout=subprocess.DEVNULL).returncode == 0
    assert run(*files, "--exit-code", stdout=subprocess.DEVNULL).returncode == 1
    assert run(files[1], "--exit-code", stdout=subprocess.DEVNULL).returncode == 0
    near = run(files[1], "--exit-code", "--within", 2, stdout=subprocess.DEVNULL)
    assert near.returncode == 1


def edited(file: Path, edit: Any) -> Path:
    """The file after ``edit(model)``."""
    model = ifcopenshell.open(str(file))
    edit(model)
    model.write(str(file))
    return file


def test_a_global_id_that_is_there_twice_is_two_elements(write_ifc: Any, tmp_path: Path) -> None:
    blocks = [("IfcWall", "wall", (0, 0, 0), 1, 1, 1), ("IfcSlab", "slab", (9, 0, 0), 1, 1, 1)]
    write_ifc(tmp_path / "m.ifc", "METERS", blocks)

    def twice(model: Any) -> None:
        model.by_type("IfcSlab")[0].GlobalId = model.by_type("IfcWall")[0].GlobalId

    scene = orbox.ifc.scene([edited(tmp_path / "m.ifc", twice)])
    assert len(scene) == 2
    known = {scene.properties(b)["name"]: b for b in scene}
    assert set(known) == {"wall", "slab"}
    assert scene.properties(known["slab"])["type"] == "IfcSlab"
    assert scene.body(known["slab"]).vertices.min(axis=0)[0] == 9
    assert len({scene.properties(b)["guid"] for b in scene}) == 1


def test_features_are_no_bodies(write_ifc: Any, tmp_path: Path) -> None:
    kinds = ["IfcWall", "IfcOpeningElement", "IfcOpeningStandardCase", "IfcVoidingFeature"]
    kinds += ["IfcProjectionElement", "IfcVirtualElement"]
    write_ifc(tmp_path / "m.ifc", "METERS", [(k, k, (0, 0, 0), 1, 1, 1) for k in kinds[:1]])

    def more(model: Any) -> None:
        wall = model.by_type("IfcWall")[0]
        for kind in kinds[1:]:
            model.create_entity(
                kind,
                GlobalId=ifcopenshell.guid.new(),
                Name=kind,
                ObjectPlacement=wall.ObjectPlacement,
                Representation=wall.Representation,
            )

    scene = orbox.ifc.scene([edited(tmp_path / "m.ifc", more)])
    assert [scene.properties(b)["type"] for b in scene] == ["IfcWall"]


def test_only_the_representation_body_is_a_body(write_ifc: Any, tmp_path: Path) -> None:
    blocks = [("IfcFurniture", name, (x, 0, 0), 1, 1, 1) for name, x in (("a", 0), ("b", 1.5))]
    write_ifc(tmp_path / "m.ifc", "METERS", blocks)

    def clearances(model: Any) -> None:
        first, second = (e.Representation for e in model.by_type("IfcFurniture"))
        for own, other in ((first, second), (second, first)):
            body = next(iter(other.Representations))
            own.Representations = [
                *own.Representations,
                model.create_entity(
                    "IfcShapeRepresentation",
                    ContextOfItems=body.ContextOfItems,
                    RepresentationIdentifier="Clearance",
                    RepresentationType=body.RepresentationType,
                    Items=body.Items,
                ),
            ]

    scene = orbox.ifc.scene([edited(tmp_path / "m.ifc", clearances)])
    assert sorted(scene.properties(b)["name"] for b in scene) == ["a", "b"]
    assert not scene.clashes(tolerance=0.001)


def test_a_file_that_names_no_representation(write_ifc: Any, tmp_path: Path) -> None:
    write_ifc(tmp_path / "m.ifc", "METERS", [("IfcWall", "wall", (0, 0, 0), 1, 1, 1)])

    def unnamed(model: Any) -> None:
        model.by_type("IfcShapeRepresentation")[0].RepresentationIdentifier = None

    assert len(orbox.ifc.scene([edited(tmp_path / "m.ifc", unnamed)])) == 1
