# SPDX-License-Identifier: Apache-2.0

"""IFC files to scenes, and the command that reports their clashes."""

from __future__ import annotations

import json
import os
import signal
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
import ifcopenshell.api  # noqa: E402
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
    assert done.returncode == -signal.SIGPIPE and done.stderr == ""
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


def test_a_whole_is_not_compared_with_its_parts(write_ifc: Any, tmp_path: Path) -> None:
    blocks = [("IfcWall", "wall", (0, 0, 0), 1, 1, 1), ("IfcSlab", "slab", (0, 0, 0.5), 1, 1, 1)]
    blocks += [("IfcBuildingElementPart", n, (0, 0, 0), 1, 1, 0.5) for n in ("core", "bead")]
    write_ifc(tmp_path / "m.ifc", "METERS", blocks)

    def parts(model: Any) -> None:
        element = {e.Name: e for e in model.by_type("IfcElement")}
        for whole, part in (("wall", "core"), ("core", "bead")):
            ifcopenshell.api.run(
                "aggregate.assign_object",
                model,
                products=[element[part]],
                relating_object=element[whole],
            )

    scene = orbox.ifc.scene([edited(tmp_path / "m.ifc", parts)])
    name = {body: scene.properties(body)["name"] for body in scene}
    found = {frozenset((name[c.a], name[c.b])) for c in scene.clashes(tolerance=0.001)}
    assert found == {frozenset((part, "slab")) for part in ("wall", "core", "bead")}
    assert {scene.properties(b).get("parent") for b in scene} == {None, "wall", "core"}


def test_what_is_no_element_is_taken_in_on_request(write_ifc: Any, tmp_path: Path) -> None:
    write_ifc(tmp_path / "m.ifc", "METERS", [("IfcDoor", "door", (0, 0, 0), 1, 1, 1)])

    def more(model: Any) -> None:
        door = model.by_type("IfcDoor")[0]
        body = door.Representation.Representations[0]
        for kind in ("IfcSpace", "IfcSite"):
            model.create_entity(
                kind,
                GlobalId=ifcopenshell.guid.new(),
                Name=kind,
                ObjectPlacement=door.ObjectPlacement,
                Representation=door.Representation,
            )
        door.Representation = model.create_entity(
            "IfcProductDefinitionShape",
            Representations=[
                body,
                model.create_entity(
                    "IfcShapeRepresentation",
                    ContextOfItems=body.ContextOfItems,
                    RepresentationIdentifier="Clearance",
                    RepresentationType=body.RepresentationType,
                    Items=body.Items,
                ),
            ],
        )

    path = edited(tmp_path / "m.ifc", more)
    scene = orbox.ifc.scene([path])
    assert len(scene) == 1 and len(scene.not_judged().left_out) == 2
    taken = orbox.ifc.scene([path], take=["spaces", "terrain", "clearances"])
    assert sorted(taken.properties(b)["type"] for b in taken) == [
        "IfcDoor",
        "IfcDoor",
        "IfcSite",
        "IfcSpace",
    ]
    assert [b for b in taken if taken.properties(b).get("zone")] == [f"{list(scene)[0]} clearance"]
    # All are one block; the door is not compared with its clearance.
    assert len(taken.clashes(tolerance=0.001)) == 6 - 1
    with pytest.raises(ValueError, match="'rooms' is none of spaces, terrain, clearances"):
        orbox.ifc.scene([path], take=["rooms"])
    done = run(path, stdout=subprocess.DEVNULL)
    for what in ("spaces", "terrain", "clearances"):
        assert f"left out: {what} (1); --with {what} takes them in" in done.stderr
    done = run(path, "--with", "spaces,terrain,clearances", stdout=subprocess.PIPE)
    assert done.stderr == "" and done.stdout.startswith("m.ifc: 4 bodies")


def test_properties(write_ifc: Any, tmp_path: Path) -> None:
    blocks = [("IfcPipeSegment", n, (x, 0, 0), 1, 1, 1) for n, x in (("a", 0), ("b", 1.5))]
    write_ifc(tmp_path / "m.ifc", "MILLIMETERS", blocks)

    def more(model: Any) -> None:
        api: Any = ifcopenshell.api.run
        pipe = model.by_type("IfcPipeSegment")[0]
        pipe.PredefinedType = "RIGIDSEGMENT"
        system = api("system.add_system", model)
        system.Name = "cold water"
        api("system.assign_system", model, products=[pipe], system=system)
        steel = api("material.add_material", model, name="steel")
        api("material.assign_material", model, products=[pipe], material=steel)
        own = api("pset.add_pset", model, product=pipe, name="Own")
        values = {"Cover": model.createIfcPositiveLengthMeasure(600.0), "Fire": "EI 90"}
        api("pset.edit_pset", model, pset=own, properties=values)

    path = edited(tmp_path / "m.ifc", more)
    scene = orbox.ifc.scene([path], properties=["Own.Cover", "Own.Fire"])
    known = next(scene.properties(b) for b in scene if scene.properties(b)["name"] == "a")
    assert known["predefined_type"] == "RIGIDSEGMENT" and known["system"] == "cold water"
    assert known["material"] == "steel" and known["Own.Fire"] == "EI 90"
    assert float(known["Own.Cover"]) == 0.6
    with pytest.raises(ValueError, match="'Fire' is no property"):
        orbox.ifc.scene([path], properties=["Fire"])
    # The insulation of a pipe is more than the gap.
    rules = tmp_path / "rules.json"
    rules.write_text('{"rules": [{"insulation": "Own.Cover", "severity": "high"}]}')
    options = ["--properties", "Own.Cover", "--rules", rules, "--format", "csv"]
    done = run(path, *options, "--columns", "a.system,b.name", stdout=subprocess.PIPE)
    header, row = done.stdout.splitlines()
    assert header.endswith(",id,a.system,b.name,rule,severity")
    assert ",clearance," in row and row.endswith(",cold water,b,* and *,high")


def converted(path: Path, east: float) -> Path:
    def convert(model: Any) -> None:
        context = model.by_type("IfcGeometricRepresentationContext", include_subtypes=False)[0]
        crs = model.create_entity("IfcProjectedCRS", Name="EPSG:25832")
        model.create_entity("IfcMapConversion", context, crs, east, 5e6, 0.0)

    return edited(path, convert)


def test_files_of_different_map_coordinates(
    write_ifc: Any, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    for name, x in (("a", 0), ("b", 20)):
        write_ifc(tmp_path / f"{name}.ifc", "METERS", [("IfcWall", name, (x, 0, 0), 1, 1, 1)])
    files = [converted(tmp_path / "a.ifc", 500_000.0), converted(tmp_path / "b.ifc", 499_980.5)]
    with pytest.warns(UserWarning, match="a.ifc and b.ifc have different map .* 19.5 m apart"):
        scene = orbox.ifc.scene(files)
    assert not scene.clashes(tolerance=0.001)
    recwarn.clear()
    aligned = orbox.ifc.scene(files, align=True)
    assert len(recwarn) == 0
    (found,) = aligned.clashes(tolerance=0.001, thickness=True)
    assert np.isclose(found.clash.thickness.lower, 0.5, rtol=0.02)
    assert "--align" in run(*files, stdout=subprocess.DEVNULL).stderr
    done = run(*files, "--align", "--exit-code", stdout=subprocess.DEVNULL)
    assert done.returncode == 1 and done.stderr == ""


def test_the_unit_of_a_map(write_ifc: Any, tmp_path: Path) -> None:
    # One file in millimetres and one in metres, on one map in metres.
    write_ifc(tmp_path / "a.ifc", "MILLIMETERS", [("IfcWall", "a", (0, 0, 0), 1, 1, 1)])
    write_ifc(tmp_path / "b.ifc", "METERS", [("IfcWall", "b", (5, 0, 0), 1, 1, 1)])

    def metres(model: Any) -> None:
        model.by_type("IfcProjectedCRS")[0].MapUnit = model.create_entity(
            "IfcSIUnit", None, "LENGTHUNIT", None, "METRE"
        )

    a = edited(converted(tmp_path / "a.ifc", 500_000.0), metres)
    b = edited(converted(tmp_path / "b.ifc", 499_995.0), metres)
    scene = orbox.ifc.scene([a, b], align=True)
    assert scene.clashes(tolerance=0.001)[0].clash.kind == "duplicate"


def test_files_that_are_kilometres_apart(write_ifc: Any, tmp_path: Path) -> None:
    for name, x in (("a", 0), ("b", 5001)):
        write_ifc(tmp_path / f"{name}.ifc", "METERS", [("IfcWall", name, (x, 0, 0), 1, 1, 1)])
    done = run(tmp_path / "a.ifc", tmp_path / "b.ifc", stdout=subprocess.DEVNULL)
    assert "a.ifc (in metre) and b.ifc (in metre) are 5 km apart" in done.stderr


def test_the_options_of_the_command(files: list[Path], tmp_path: Path) -> None:
    last = tmp_path / "last.json"
    options = ["--tolerance", 0.001, "--between-files"]
    assert run(*files, *options, "--format", "json", "-o", last).returncode == 0
    answer = json.loads(last.read_text())
    assert answer["command"] == "clash" and answer["unit"] == "m"
    assert answer["summary"]["to_look_at"] == 1 and answer["bodies"][0]["properties"]["storey"]
    done = run(*files, *options, "--compare", last, "--places", stdout=subprocess.PIPE)
    assert "since the last run: 0 new, 1 active, 0 resolved" in done.stdout
    chosen = ["--between", "type=IfcDuct*", "name=west", "--exit-code"]
    assert run(*files, *chosen, stdout=subprocess.DEVNULL).returncode == 0
    assert run(*files, "--unit", "mm").returncode == 2
    wrong = run(*files, "--tolerence", 1)
    assert wrong.returncode == 2 and "did you mean '--tolerance'" in wrong.stderr
    assert "see 'python -m orbox.ifc --help'" in wrong.stderr
    assert run(stdout=subprocess.PIPE).returncode == 2
    helped = run("--help", stdout=subprocess.PIPE)
    assert helped.returncode == 0 and "usage: python -m orbox.ifc FILE..." in helped.stdout


def test_files_without_bodies(write_ifc: Any, tmp_path: Path) -> None:
    write_ifc(tmp_path / "m.ifc", "METERS", [])
    done = run(tmp_path / "m.ifc")
    assert done.returncode == 3 and "no element has a body" in done.stderr
