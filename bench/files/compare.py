# SPDX-License-Identifier: Apache-2.0

"""Mesh files of public repositories, read by Orbox and next to it by trimesh and meshio.

    python bench/files/compare.py --files DIR [--page bench/files/README.md] [--only TEXT]

DIR/OWNER+NAME is a work tree of each repository of files.csv, at its commit. files.csv
lists the files with their sizes. Each reader's triangles are measured by the same numpy
code: count, distinct corners, area, signed volume, closedness. A row is "same" if all
readers that read the file agree with Orbox. The page has the sums, and the other rows
but those that no reader reads; judged.csv says who is right in them.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import logging
import math
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import meshio
import numpy as np
import trimesh

import orbox

HERE = Path(__file__).parent
MARK = "<!-- made by compare.py -->"
# Millimetres of a unit of trimesh. Orbox reads 3MF in millimetres.
MILLIMETRES = {"micron": 1e-3, "millimeter": 1.0, "centimeter": 10.0, "meter": 1e3,
               "inch": 25.4, "foot": 304.8}


class Soup(NamedTuple):
    """Triangles as a reader returns them."""

    vertices: np.ndarray
    faces: np.ndarray
    notes: tuple[str, ...] = ()


class Measures(NamedTuple):
    """Properties of a surface that do not depend on the numbering of its vertices."""

    triangles: int
    corners: int
    area: float
    volume: float
    closed: bool


def fans(faces: np.ndarray) -> np.ndarray:
    """(n, k) polygons as fans of triangles."""
    k = faces.shape[1]
    return np.concatenate([faces[:, [0, i, i + 1]] for i in range(1, k - 1)])


def by_orbox(path: Path) -> Soup:
    mesh = orbox.read_mesh(path)
    return Soup(mesh.vertices, mesh.faces, mesh.notes)


def by_trimesh(path: Path) -> Soup:
    scene = trimesh.load_scene(path, process=False)
    scale = MILLIMETRES.get(scene.units or "", 1.0) if path.suffix.lower() == ".3mf" else 1.0
    meshes = [m for m in scene.dump() if isinstance(m, trimesh.Trimesh)]
    starts = np.cumsum([0] + [len(m.vertices) for m in meshes])
    if not sum(len(m.faces) for m in meshes):
        raise ValueError("no triangles")
    return Soup(scale * np.concatenate([m.vertices for m in meshes]),
                np.concatenate([m.faces + s for m, s in zip(meshes, starts)]))


def by_meshio(path: Path) -> Soup:
    mesh = meshio.read(path)
    faces = [fans(np.asarray(block.data)) for block in mesh.cells
             if block.type in ("triangle", "quad", "polygon")]
    if not sum(len(f) for f in faces):
        raise ValueError("no triangles")
    return Soup(mesh.points, np.concatenate(faces))


READERS: dict[str, Callable[[Path], Soup]] = {
    "orbox": by_orbox, "trimesh": by_trimesh, "meshio": by_meshio}


def measure(soup: Soup) -> Measures:
    vertices = np.asarray(soup.vertices, float)[:, :3] + 0.0
    if vertices.shape[1] < 3:
        vertices = np.pad(vertices, ((0, 0), (0, 3 - vertices.shape[1])))
    faces = np.asarray(soup.faces).astype(np.int64)
    used, faces = np.unique(faces, return_inverse=True)
    corners, same = np.unique(vertices[used], axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces.reshape(-1)].reshape(-1, 3)
    centred = corners - corners.mean(axis=0)
    a, b, c = (centred[faces[:, i]] for i in range(3))
    area = 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())
    volume = float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    counts = np.unique(edges, axis=0, return_counts=True)[1]
    return Measures(len(faces), len(corners), area, volume, bool((counts % 2 == 0).all()))


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raises TimeoutError after the time; silences what readers print."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        signal.alarm(0)


def read(reader: Callable[[Path], Soup], path: Path) -> tuple[Measures | None, str]:
    """The measures, or the error; then the notes."""
    try:
        with limited(60):
            soup = reader(path)
            return measure(soup), "; ".join(soup.notes)
    except (Exception, SystemExit) as error:  # a reader may raise anything, or exit
        text = " ".join(str(error).split()).replace(f"{path}: ", "")
        return None, f"{type(error).__name__}: {text}"


def differs(ours: Measures, theirs: Measures) -> list[str]:
    """Names of the measures that differ beyond the rounding of floats."""
    names = []
    for name in Measures._fields:
        a, b = getattr(ours, name), getattr(theirs, name)
        if name in ("area", "volume"):
            scale = max(ours.area, 1e-300) ** (1 if name == "area" else 1.5)
            if not math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-5 * scale):
                names.append(name)
        elif a != b:
            names.append(name)
    return names


def compare(path: Path) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, reader in READERS.items():
        if name == "meshio" and path.suffix.lower() in (".3mf", ".gltf", ".glb"):
            row[name], row[name + "_text"] = None, "not a format of meshio"
        else:
            row[name], row[name + "_text"] = read(reader, path)
    ours = row["orbox"]
    row["differs"] = {
        name: differs(ours, row[name]) for name in ("trimesh", "meshio")
        if ours and row[name] and differs(ours, row[name])}
    peers = [row[name] for name in ("trimesh", "meshio") if row[name]]
    if not ours:
        row["kind"] = "refused by all" if not peers else "refused by orbox only"
    elif not peers:
        row["kind"] = "read by orbox only"
    else:
        row["kind"] = "differs" if row["differs"] else "same"
    return row


KINDS = ("same", "differs", "read by orbox only", "refused by orbox only", "refused by all")


def short(measures: Measures | None, text: str) -> str:
    """A cell of the page."""
    if measures is None:
        return "refused: " + text.split(": ", 1)[-1][:100].replace("|", "/")
    return (f"{measures.triangles:,} triangles, {measures.corners:,} corners, area "
            f"{measures.area:.6g}, volume {measures.volume:.6g}"
            f"{', closed' if measures.closed else ''}")


def page(rows: list[dict[str, Any]]) -> str:
    """The sums, and the rows to judge."""
    formats = sorted({Path(row["path"]).suffix.lower() for row in rows})
    lines = ["| format | files | " + " | ".join(KINDS) + " |",
             "| --- |" + " ---: |" * (len(KINDS) + 1)]
    for suffix in [*formats, ""]:
        of = [row for row in rows if not suffix or Path(row["path"]).suffix.lower() == suffix]
        counts = Counter(row["kind"] for row in of)
        cells = [suffix or "all", len(of), *(counts[kind] for kind in KINDS)]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    with (HERE / "judged.csv").open(newline="") as judged:
        why = {row["file"]: f"**{row['right']}**: {row['why']}" for row in csv.DictReader(judged)}
    for kind in KINDS[1:4]:
        lines += ["", f"## {kind.capitalize()}", ""]
        lines += ["| file | readers | right |", "| --- | --- | --- |"]
        for row in rows:
            if row["kind"] != kind:
                continue
            name = f"{row['repository']}/{row['path']}"
            said = [f"{reader}: {short(row[reader], row[reader + '_text'])}" for reader in READERS
                    if row[reader + "_text"] != "not a format of meshio"]
            lines.append(f"| {name} | {'<br>'.join(said)} | {why.get(name, 'not judged')} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--page", type=Path, help="replaces what follows its first table mark")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    rows = []
    with (HERE / "files.csv").open(newline="") as lines:
        for file in csv.DictReader(lines):
            if options.only not in f"{file['repository']}/{file['path']}":
                continue
            row = compare(options.files / file["repository"].replace("/", "+") / file["path"])
            rows.append(file | row)
            if options.only:
                print(json.dumps(rows[-1], indent=1))
    if options.page:
        head = options.page.read_text().split(MARK)[0]
        options.page.write_text(head + MARK + "\n\n" + page(rows))
    print(Counter(row["kind"] for row in rows))


if __name__ == "__main__":
    main()
