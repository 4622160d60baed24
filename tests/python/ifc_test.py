# SPDX-License-Identifier: Apache-2.0

"""IFC files to scenes, and the command that tells their clashes."""

from __future__ import annotations

import importlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import orbox
import pytest

api = pytest.importorskip("ifcopenshell.api")
for part in ("aggregate", "context", "geometry", "project", "root", "spatial", "unit"):
    importlib.import_module(f"ifcopenshell.api.{part}")
import orbox.ifc  # noqa: E402


def write_ifc(path: Path, unit: str, blocks: list[tuple[str, str, Any, Any]]) -> None:
    """Blocks (class, name, corner, size) in metres, on the storey "Level 1"."""
    file = api.project.create_file(version="IFC4")
    project = api.root.create_entity(file, ifc_class="IfcProject", name="P")
    api.unit.assign_unit(file, length={"is_metric": True, "raw": unit})
    model = api.context.add_context(file, context_type="Model")
    body = api.context.add_context(
        file,
        context_type="Model",
        context_identifier="Body",
        target_view="MODEL_VIEW",
        parent=model,
    )
    storey = api.root.create_entity(file, ifc_class="IfcBuildingStorey", name="Level 1")
    api.aggregate.assign_object(file, products=[storey], relating_object=project)
    for kind, name, corner, (length, width, height) in blocks:
        element = api.root.create_entity(file, ifc_class=kind, name=name)
        place = orbox.translation(*corner)
        api.geometry.edit_object_placement(file, product=element, matrix=place)
        shape = api.geometry.add_wall_representation(
            file, context=body, length=length, height=height, thickness=width
        )
        api.geometry.assign_representation(file, product=element, representation=shape)
        api.spatial.assign_container(file, products=[element], relating_structure=storey)
    file.write(str(path))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("ifc")
    walls, ducts = folder / "walls.ifc", folder / "ducts.ifc"
    write_ifc(
        walls,
        "METERS",
        [("IfcWall", "south", (0, 0, 0), (5, 0.2, 3)), ("IfcWall", "west", (0, 0, 0), (0.2, 5, 3))],
    )
    write_ifc(
        ducts,
        "MILLIMETERS",
        [
            ("IfcDuctSegment", "through", (1, -1, 2), (0.3, 3, 0.3)),
            ("IfcDuctSegment", "free", (3, 1, 2), (0.3, 2, 0.3)),
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


def test_the_command(files: list[Path], tmp_path: Path) -> None:
    bcf, page = tmp_path / "out.bcf", tmp_path / "out.html"
    options = ["--tolerance", "1e-3", "--between-files", "--bcf", bcf, "--report", page]
    run = subprocess.run(
        [sys.executable, "-m", "orbox.ifc", *files, *options], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == 2 and "'south'" in lines[0] and "'through'" in lines[0]
    assert lines[1] == "4 elements: 1 clash"
    assert page.read_text(encoding="utf-8").count("IfcDuctSegment") > 0
    with zipfile.ZipFile(bcf) as archive:
        assert sum(n.endswith("markup.bcf") for n in archive.namelist()) == 1


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    text = tmp_path / "text.ifc"
    text.write_text("no IFC")
    assert orbox.ifc.main([str(text)]) == 3
    assert orbox.ifc.main([str(tmp_path / "none.ifc")]) == 4
    said = capsys.readouterr().err
    assert "text.ifc: is no IFC file" in said and "none.ifc" in said
