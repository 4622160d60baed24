# SPDX-License-Identifier: Apache-2.0

"""Type checkers accept the package and what a user writes, in strict mode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import orbox
import pytest

EXAMPLE = Path(__file__).with_name("typed_example.py")


def test_the_package_says_that_it_is_typed() -> None:
    folder = Path(orbox.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()


def test_the_example_runs() -> None:
    run = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True)
    assert run.stdout.split() == ["2.23606797749979", "1", "[10]", "[5]"] + [
        *("a,", "b:", "clash", "3", "0")
    ], run.stderr


def test_pyright_accepts_it(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    folder = str(Path(orbox.__file__).parents[1])
    settings = {"typeCheckingMode": "strict", "extraPaths": [folder]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    (tmp_path / "example.py").write_text(EXAMPLE.read_text())
    run = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", tmp_path],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_mypy_accepts_it(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, EXAMPLE],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
