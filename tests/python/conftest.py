# SPDX-License-Identifier: Apache-2.0

"""Meshes that the tests share, and slow answers to compare with."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import orbox
import pytest

#: The notebooks, as plain files.
NOTEBOOKS = Path(__file__).resolve().parents[1] / "examples" / "python"


def run_cells(notebook: Path, *, until: str = "") -> dict[str, object]:
    """Runs a notebook cell by cell, up to the one that defines ``until``: all its names."""
    names: dict[str, object] = {"__name__": "notebook"}
    for cell in re.split(r"^# %%.*\n", notebook.read_text(encoding="utf-8"), flags=re.MULTILINE):
        exec(compile(cell, notebook.name, "exec"), names)
        if until in names:
            break
    return names


@pytest.fixture(scope="session")
def box() -> orbox.Tree:
    """The unit cube, from 0 to 1, of 12 faces."""
    return orbox.Tree(orbox.generate("box", 12))


@pytest.fixture(scope="session")
def knot() -> orbox.Tree:
    return orbox.Tree(orbox.generate("torus_knot", 2000))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def closest_on_triangle(p: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The point of a triangle closest to p, by its regions (Ericson 2005)."""
    a, b, c = corners
    ab, ac, ap = b - a, c - a, p - a
    d1, d2 = ab @ ap, ac @ ap
    if d1 <= 0 and d2 <= 0:
        return a
    bp = p - b
    d3, d4 = ab @ bp, ac @ bp
    if d3 >= 0 and d4 <= d3:
        return b
    if d1 * d4 - d3 * d2 <= 0 and d1 >= 0 and d3 <= 0:
        return a + d1 / (d1 - d3) * ab
    cp = p - c
    d5, d6 = ab @ cp, ac @ cp
    if d6 >= 0 and d5 <= d6:
        return c
    if d5 * d2 - d1 * d6 <= 0 and d2 >= 0 and d6 <= 0:
        return a + d2 / (d2 - d6) * ac
    if d3 * d6 - d5 * d4 <= 0 and d4 - d3 >= 0 and d5 - d6 >= 0:
        return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b)
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    return a + (vb * ab + vc * ac) / (va + vb + vc)


def brute_distances(mesh: orbox.Mesh, p: np.ndarray) -> np.ndarray:
    """The distance of p from each face."""
    corners = mesh.vertices[mesh.faces]
    return np.array([np.linalg.norm(p - closest_on_triangle(p, t)) for t in corners])
