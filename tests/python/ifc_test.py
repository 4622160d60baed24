# SPDX-License-Identifier: Apache-2.0

"""IFC files to scenes, and the command that tells their clashes."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import orbox
import pytest
from conftest import NOTEBOOKS, run_cells

pytest.importorskip("ifcopenshell")
import orbox.ifc  # noqa: E402


@pytest.fixture(scope="module")
def write_ifc() -> Any:
    """As the notebook has it: blocks (class, name, corner, length, height, width)."""
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
