# SPDX-License-Identifier: Apache-2.0

"""The notebooks run, cell by cell, and end in a picture with something on it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import orbox
import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "python"
NOTEBOOKS = sorted(FOLDER.glob("*.py"))


def test_they_are_there() -> None:
    if not FOLDER.exists():
        pytest.skip("the tests are not in the source tree")
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook: Path, capsys: pytest.CaptureFixture) -> None:
    text = notebook.read_text(encoding="utf-8")
    if "ifcopenshell" in text:
        pytest.importorskip("ifcopenshell")
    cells = re.split(r"^# %%.*\n", text, flags=re.MULTILINE)
    names: dict[str, object] = {"__name__": "notebook"}
    for cell in cells:
        exec(compile(cell, notebook.name, "exec"), names)
    picture = names["picture"]
    assert isinstance(picture, orbox.Picture)
    assert cells[-1].rstrip().endswith("\npicture")
    shown = picture.pixels.reshape(-1, picture.pixels.shape[2])[:, :3]
    assert len(np.unique(shown, axis=0)) > 100
    assert capsys.readouterr().out
