# SPDX-License-Identifier: Apache-2.0

"""Clashes of IFC files. Needs ifcopenshell: ``pip install orbox[ifc]``.

    python -m orbox.ifc A.ifc B.ifc --tolerance 1e-3 --bcf out.bcf --report out.html

>>> import orbox.ifc                                   # doctest: +SKIP
>>> scene = orbox.ifc.scene(["walls.ifc", "pipes.ifc"])  # doctest: +SKIP
>>> for found in scene.clashes(tolerance=0.001):       # doctest: +SKIP
...     print(found.a, found.b, found.clash.kind)

Every element with a shape is a body: its mesh as ifcopenshell makes it, openings
cut out, in metres. Elements of one shape share a tree. Its name is the GlobalId,
in the second file and later with the file's name before it if it is there
already; its properties are "guid", "type", "name", "storey" and "file".
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import numpy as np

from ._clash import Clash
from ._inputs import Floats, Path
from ._options import Progress, progress_of
from ._scene import Scene
from ._scene_pairs import BodyClash
from ._tree import Tree

__all__ = ["add_file", "main", "scene"]

#: No solids of their own: what they cut out, the room inside, notes.
_LEFT_OUT = ("IfcOpeningElement", "IfcSpace", "IfcAnnotation", "IfcGrid", "IfcVirtualElement")


def scene(paths: Iterable[Path], *, progress: Progress = None) -> Scene:
    """A scene of the elements of IFC files.

    Args:
        paths: of one file or several, of one coordinate system.
        progress: as ``orbox.QueryOptions`` has it, of each file.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is no IFC file.
    """
    made = Scene()
    for path in paths:
        add_file(made, path, progress=progress)
    return made


def add_file(made: Scene, path: Path, *, progress: Progress = None) -> list[str]:
    """Adds the elements of an IFC file to a scene, and returns their names.

    Elements whose shape is empty, or cannot be made, are left out.
    """
    where = os.fspath(path)
    with open(where, "rb"):  # for an OSError that says why
        pass
    try:
        file: Any = ifcopenshell.open(where)
    except Exception as error:
        raise ValueError(f"{where}: is no IFC file that ifcopenshell reads ({error})") from None
    if not isinstance(file, ifcopenshell.file):
        raise ValueError(f"{where}: is no IFC file")
    model: Any = file
    geometry: Any = ifcopenshell.geom
    elements = [e for e in model.by_type("IfcElement") if e.is_a() not in _LEFT_OUT]
    if not elements:
        return []
    iterator = geometry.iterator(geometry.settings(), file, os.cpu_count() or 1, include=elements)
    tell = progress_of(progress)
    trees: dict[str, Tree] = {}
    names: list[str] = []
    more = iterator.initialize()
    while more:
        shape = iterator.get()
        name = _add(made, file, shape, trees, os.path.basename(where))
        if name is not None:
            names.append(name)
        if tell is not None:
            tell(iterator.progress() / 100)
        more = iterator.next()
    return names


def _add(made: Scene, file: Any, shape: Any, trees: dict[str, Tree], file_name: str) -> str | None:
    """Adds one element; None if it has no triangle."""
    geometry = shape.geometry
    if geometry.id not in trees:
        faces = np.asarray(geometry.faces, dtype=np.int64).reshape(-1, 3)
        if len(faces) == 0:
            return None
        vertices = np.asarray(geometry.verts, dtype=np.float64).reshape(-1, 3)
        trees[geometry.id] = Tree((vertices, faces))
    element = file.by_guid(shape.guid)
    name = shape.guid if shape.guid not in made else f"{file_name}:{shape.guid}"
    copy = 2
    while name in made:
        name, copy = f"{file_name}:{shape.guid} ({copy})", copy + 1
    storey = ifcopenshell.util.element.get_container(element, ifc_class="IfcBuildingStorey")
    made.add(
        name,
        trees[geometry.id],
        _pose(shape),
        properties={
            "guid": shape.guid,
            "type": element.is_a(),
            "name": element.Name or "",
            "storey": "" if storey is None else storey.Name or "",
            "file": file_name,
        },
    )
    return name


def _pose(shape: Any) -> Floats:
    """(4, 4); ifcopenshell has it column by column."""
    numbers = np.asarray(shape.transformation.matrix, dtype=np.float64)
    return numbers.reshape(4, 4).T if numbers.size == 16 else numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m orbox.ifc``; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m orbox.ifc", description="Which elements of IFC files clash?"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="IFC files of one place")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="T",
        help="solids clash if what they share is thicker than T metres",
    )
    parser.add_argument(
        "--clearance",
        type=float,
        default=0.0,
        metavar="D",
        help="also tell of solids that are apart by no more than D metres",
    )
    parser.add_argument("--between-files", action="store_true", help="only clashes of two files")
    parser.add_argument("--report", metavar="HTML", help="write a page to work through")
    parser.add_argument("--bcf", metavar="BCF", help="write issues for coordination (BCF 2.1)")
    parser.add_argument("--progress", action="store_true", help="show how far it is")
    asked = parser.parse_args(arguments)
    try:
        made = scene(asked.files, progress=asked.progress)
    except (OSError, ValueError) as error:
        print(f"orbox.ifc: {error}", file=sys.stderr)
        return 4 if isinstance(error, OSError) else 3
    if asked.between_files:
        _ignore_within_files(made)
    found = made.report(
        asked.report,
        bcf=asked.bcf,
        title=", ".join(os.path.basename(f) for f in asked.files),
        unit="m",
        id="guid",
        group_by=("storey", "type"),
        tolerance=asked.tolerance,
        clearance=asked.clearance,
        progress=asked.progress,
    )
    told = [c for c in found if c.clash.is_clash or c.clash.kind == "clearance"]
    for clash in sorted(told, key=lambda c: -c.clash.thickness.lower):
        print(_line(made, clash))
    kinds = Counter(c.clash.kind for c in found)
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()) or "nothing"
    print(f"{len(made)} elements: {counts}")
    return 0


def _ignore_within_files(made: Scene) -> None:
    for name in made:
        made.regroup(name, made.properties(name)["file"])


def _line(made: Scene, found: BodyClash) -> str:
    def told(name: Any) -> str:
        of = made.properties(name)
        return f"{of['type']} {of['guid']} {of['name']!r}"

    clash: Clash = found.clash
    size = f"{clash.gap.distance:.4g} m apart" if clash.gap else f"{clash.thickness.lower:.4g} m"
    return f"{clash.kind}: {told(found.a)} and {told(found.b)}: {size}"


if __name__ == "__main__":
    sys.exit(main())
