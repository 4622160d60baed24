# SPDX-License-Identifier: Apache-2.0

"""Clashes of IFC files. Needs ifcopenshell: ``pip install 'orbox[ifc]'``.

    python -m orbox.ifc A.ifc B.ifc --tolerance 1e-3 --bcf out.bcf --report out.html

>>> import orbox.ifc                                   # doctest: +SKIP
>>> scene = orbox.ifc.scene(["walls.ifc", "pipes.ifc"])  # doctest: +SKIP
>>> for found in scene.clashes(tolerance=0.001):       # doctest: +SKIP
...     print(found.a, found.b, found.clash.kind)

Every element with a body is a body of the scene: its representation "Body" as
ifcopenshell meshes it, openings cut out, in metres. Openings and other features
are none. Elements of one shape share a tree. The name of a body is the GlobalId,
with the file's name before it if that GlobalId is there already, and a number
behind it if it is there more often; its properties are "guid", "type", "name",
"storey" and "file".

The command overwrites no file that it reads, and no output by another one. It
exits with 0; with 1 if --exit-code is given and there is something to look at;
with 2 for a command line that makes no sense, 3 for files that are missing or
wrong, 4 for reads and writes that fail and memory that runs out.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.element
import numpy as np

from ._clash import Clash
from ._inputs import Floats, Path
from ._options import Progress, progress_of
from ._output import check_outputs
from ._scene import Scene
from ._scene_pairs import BodyClash
from ._tree import Tree

__all__ = ["add_file", "main", "scene"]

#: With their subtypes, elements that are no solids of their own: openings,
#: volumes cut out of others or added to them, and limits of rooms.
_LEFT_OUT = ("IfcFeatureElement", "IfcVirtualElement")
#: The exit codes of the command, as `orbox` has them.
_LOOK, _BAD_INPUT, _IO, _READER_GONE = 1, 3, 4, 141


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

    Elements without a body, or whose body cannot be made, are left out:
    ``not_judged`` of the scene has their GlobalIds. A whole that only has parts
    is not one of them.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no IFC file, or an element's mesh is bad.
    """
    where = os.fspath(path)
    with open(where, "rb"):  # for an OSError with the reason
        pass
    try:
        file: Any = ifcopenshell.open(where)
    except Exception as error:
        raise ValueError(f"{where}: is no IFC file that ifcopenshell reads ({error})") from None
    if not isinstance(file, ifcopenshell.file):
        raise ValueError(f"{where}: is no IFC file")
    model: Any = file
    geometry: Any = ifcopenshell.geom
    elements = [
        e for e in model.by_type("IfcElement") if not any(e.is_a(kind) for kind in _LEFT_OUT)
    ]
    if not elements:
        return []
    iterator = geometry.iterator(geometry.settings(), file, os.cpu_count() or 1, include=elements)
    tell = progress_of(progress)
    trees: dict[str, Tree] = {}
    names: list[str] = []
    added: set[int] = set()
    more = iterator.initialize()
    while more:
        shape = iterator.get()
        name = _add(made, file, shape, trees, os.path.basename(where))
        if name is not None:
            names.append(name)
            added.add(shape.id)
        if tell is not None:
            tell(iterator.progress() / 100)
        more = iterator.next()
    for element in elements:
        if element.id() not in added and not element.IsDecomposedBy:
            made.leave_out(element.GlobalId)
    return names


def _add(made: Scene, file: Any, shape: Any, trees: dict[str, Tree], file_name: str) -> str | None:
    """Adds one element; None if this shape of it is no body."""
    # By its id in the file: a GlobalId may be there twice.
    element = file.by_id(shape.id)
    geometry = shape.geometry
    if not _is_body(element, shape) or len(geometry.faces) == 0:
        return None
    if geometry.id not in trees:
        faces = np.asarray(geometry.faces, dtype=np.int64).reshape(-1, 3)
        vertices = np.asarray(geometry.verts, dtype=np.float64).reshape(-1, 3)
        try:
            trees[geometry.id] = Tree((vertices, faces))
        except ValueError as error:
            raise ValueError(f"{file_name}: {element.is_a()} {shape.guid}: {error}") from None
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


def _is_body(element: Any, shape: Any) -> bool:
    """True for the representation "Body", or in files that name none, the only one."""
    named = [r.RepresentationIdentifier for r in element.Representation.Representations]
    return bool(shape.context == ("Body" if "Body" in named else "Model"))


def _pose(shape: Any) -> Floats:
    """(4, 4); ifcopenshell has it column by column."""
    numbers = np.asarray(shape.transformation.matrix, dtype=np.float64)
    return numbers.reshape(4, 4).T if numbers.size == 16 else numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m orbox.ifc``; returns its exit code.

    Raises:
        SystemExit: with 2, for a command line that makes no sense.
    """
    parser = _parser()
    request = parser.parse_args(arguments)
    outputs = [("--report", request.report), ("--bcf", request.bcf)]
    try:
        check_outputs(
            [(role, path) for role, path in outputs if path is not None],
            [("FILE", path) for path in request.files],
        )
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        return _failed(error, _IO)
    try:
        made = scene(request.files, progress=request.progress)
    except (FileNotFoundError, IsADirectoryError, PermissionError, ValueError) as error:
        return _failed(error, _BAD_INPUT)
    except (OSError, MemoryError) as error:
        return _failed(error, _IO)
    if request.between_files:
        _ignore_within_files(made)
    try:
        return _report(made, request)
    except BrokenPipeError:
        _drop_standard_output()
        return _READER_GONE
    except ValueError as error:
        return _failed(error, _BAD_INPUT)
    except (OSError, MemoryError) as error:
        _drop_standard_output()
        return _failed(error, _IO)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m orbox.ifc", description="Which elements of IFC files clash?"
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="IFC files of one place")
    parser.add_argument(
        "--tolerance",
        type=_length,
        default=0.0,
        metavar="T",
        help="solids clash if what they share is thicker than T metres",
    )
    parser.add_argument(
        "--clearance",
        type=_length,
        default=0.0,
        metavar="D",
        help="also report solids that are apart by no more than D metres",
    )
    parser.add_argument(
        "--close-holes",
        type=_length,
        default=0.0,
        metavar="D",
        help="judge open elements as solids if each of their holes is shorter than D metres",
    )
    parser.add_argument("--between-files", action="store_true", help="only clashes of two files")
    parser.add_argument(
        "--report",
        type=_name(".html", ".htm", ".xhtml"),
        metavar="HTML",
        help="write a page to work through",
    )
    parser.add_argument(
        "--bcf",
        type=_name(".bcf", ".bcfzip"),
        metavar="BCF",
        help="write issues for coordination (BCF 2.1)",
    )
    parser.add_argument(
        "--exit-code", action="store_true", help="exit 1 if there is something to look at"
    )
    parser.add_argument("--progress", action="store_true", help="show how far it is")
    return parser


def _length(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no length; give a number, 0 or more")
    return value


def _name(*extensions: str) -> Callable[[str], str]:
    """A file's name with one of the extensions, or none: never that of a model."""

    def checked(text: str) -> str:
        extension = os.path.splitext(text)[1].lower()
        if not text or (extension and extension not in extensions):
            raise argparse.ArgumentTypeError(f"{text!r}: name a {extensions[0]} file")
        return text

    return checked


def _report(made: Scene, request: argparse.Namespace) -> int:
    """Finds the clashes, writes the files, prints the list."""
    found = made.report(
        request.report,
        bcf=request.bcf,
        title=", ".join(os.path.basename(f) for f in request.files),
        unit="m",
        id="guid",
        group_by=("storey", "type"),
        tolerance=request.tolerance,
        clearance=request.clearance,
        close_holes=request.close_holes,
        progress=request.progress,
    )
    told = [c for c in found if c.clash.is_clash or c.clash.kind == "clearance"]
    for clash in sorted(told, key=lambda c: -c.clash.thickness.lower):
        print(_line(made, clash))
    kinds = Counter(c.clash.kind for c in found)
    counts = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common()) or "nothing"
    print(f"{len(made)} elements: {counts}", flush=True)
    open_bodies, disagree, left_out = made.not_judged(close_holes=request.close_holes)
    not_judged = (
        (open_bodies, "open"),
        (disagree, "whose faces do not agree"),
        (left_out, "without a body"),
    )
    said = ", ".join(f"{len(names)} {why}" for names, why in not_judged if names)
    if said:
        print(f"not judged: {said}", flush=True)
    closed = made.closed_holes(request.close_holes)
    if closed:
        print(f"closed: {sum(closed.values())} holes of {len(closed)} elements", flush=True)
    return _LOOK if request.exit_code and told else 0


def _failed(error: BaseException, code: int) -> int:
    said = "memory does not suffice" if isinstance(error, MemoryError) else str(error)
    if isinstance(error, OSError) and error.filename is not None:
        said = f"{os.fsdecode(error.filename)}: {error.strerror}"
    print(f"orbox.ifc: {said}", file=sys.stderr)
    return code


def _drop_standard_output() -> None:
    """Drops data that could not be written. Python would try to write it again at exit."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


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
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # ends as other programs do, without a traceback
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
