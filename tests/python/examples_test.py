# SPDX-License-Identifier: Apache-2.0

"""The notebooks run, cell by cell, and end in a picture with something on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orbox
import pytest
from conftest import NOTEBOOKS, run_cells

ALL = sorted(NOTEBOOKS.glob("*.py"))


def test_they_are_there() -> None:
    if not NOTEBOOKS.exists():
        pytest.skip("the tests are not in the source tree")
    assert len(ALL) == 5


@pytest.mark.parametrize("notebook", ALL, ids=lambda path: path.stem)
def test_notebook(notebook: Path, capsys: pytest.CaptureFixture) -> None:
    text = notebook.read_text(encoding="utf-8")
    if "ifcopenshell" in text:
        pytest.importorskip("ifcopenshell")
    picture = run_cells(notebook)["picture"]
    assert isinstance(picture, orbox.Picture)
    assert text.rstrip().endswith("\npicture")
    shown = picture.pixels.reshape(-1, picture.pixels.shape[2])[:, :3]
    assert len(np.unique(shown, axis=0)) > 100
    assert capsys.readouterr().out
