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
behind it if it is there more often. A whole, such as a wall with layers or an
assembly, is not compared with its parts.

Properties of a body are "guid", "type", "name", "storey" and "file", and if the
file has them "predefined_type", "material", "system", "classification" and
"parent". The command is ``orbox clash`` with other files: ``--help`` lists its
options.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ifcopenshell
import ifcopenshell.geom
import ifcopenshell.util.classification
import ifcopenshell.util.element
import ifcopenshell.util.system
import ifcopenshell.util.unit
import numpy as np

from . import _core
from ._ifc_map import map_matrix, map_notes
from ._ifc_places import Axis, Storey, axes_of, storeys_of
from ._inputs import Floats, Path
from ._options import Progress, progress_of
from ._report import clash_bodies
from ._scene import Scene
from ._tree import Tree

__all__ = ["add_file", "main", "scene"]

_of_element: Any = ifcopenshell.util.element
#: With their subtypes, elements that are no solids of their own: openings,
#: volumes cut out of others or added to them, and limits of rooms.
_LEFT_OUT = ("IfcFeatureElement", "IfcVirtualElement")
#: What is no element, by the word that takes it in.
_ON_REQUEST = {"spaces": "IfcSpace", "terrain": "IfcSite"}
#: Representations "Clearance" of elements, on request too.
_ZONES = "clearances"
#: Values of properties that are lengths in the unit of the file.
_LENGTHS = frozenset(
    ("IfcLengthMeasure", "IfcPositiveLengthMeasure", "IfcNonNegativeLengthMeasure")
)
#: Trees by their geometries, and the corners of their boxes.
_Trees = dict[str, tuple[Tree, Floats]]
#: Files that are farther apart than this, in metres, have hardly one origin.
_FAR = 1000.0


def scene(
    paths: Iterable[Path],
    *,
    take: Iterable[str] = (),
    properties: Iterable[str] = (),
    align: bool = False,
    progress: Progress = None,
) -> Scene:
    """A scene of the elements of IFC files.

    Warns about files that do not fit together: of different map conversions, or
    far apart.

    Args:
        paths: of one file or several, of one coordinate system.
        take: "spaces", "terrain" and "clearances", which are no elements.
            Clearances are the representations of this name: bodies of their own,
            with the property "zone".
        properties: by property set, as "Pset_WallCommon.FireRating". Lengths are
            in metres.
        align: moves the files to their map coordinates, relative to the first one.
        progress: as ``orbox.QueryOptions`` has it, of each file.

    Raises:
        OSError: a file cannot be read.
        ValueError: it is no IFC file, or an argument makes no sense.
    """
    reader = _Reader(Scene(), take, properties, align)
    for path in paths:
        reader.add(path, progress)
    for note in reader.misfits():
        warnings.warn(note, stacklevel=2)
    return reader.scene


def add_file(made: Scene, path: Path, *, progress: Progress = None) -> list[str]:
    """Adds the elements of an IFC file to a scene, and returns their names.

    Elements without a body, or whose body cannot be made, are left out:
    ``not_judged`` of the scene has their GlobalIds. A whole that only has parts
    is not one of them.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no IFC file, or an element's mesh is bad.
    """
    return _Reader(made).add(path, progress)


class _File:
    """An open IFC file, and where it is."""

    def __init__(self, path: str, label: str) -> None:
        with open(path, "rb"):  # for an OSError with the reason
            pass
        try:
            model: Any = ifcopenshell.open(path)
        except Exception as error:
            raise ValueError(f"{path}: is no IFC file that ifcopenshell reads ({error})") from None
        if not isinstance(model, ifcopenshell.file):
            raise ValueError(f"{path}: is no IFC file")
        self.model: Any = model
        self.path = path
        self.label = label
        self.lo = np.full(3, np.inf)
        self.hi = -self.lo
        self.to_map = map_matrix(self.model)

    def elements(self) -> Iterator[Any]:
        """What can have a body."""
        for element in self.model.by_type("IfcElement"):
            if not any(element.is_a(other) for other in _LEFT_OUT):
                yield element

    def stretch(self, corners: Floats) -> None:
        self.lo = np.minimum(self.lo, corners.min(axis=0))
        self.hi = np.maximum(self.hi, corners.max(axis=0))

    def unit(self) -> str:
        found = ifcopenshell.util.unit.get_project_unit(self.model, "LENGTHUNIT")
        if found is None:
            return "no unit"
        return f"{getattr(found, 'Prefix', None) or ''}{found.Name}".lower()


class _Reader:
    """Adds IFC files to a scene, and notes what to say about them."""

    def __init__(
        self,
        made: Scene,
        take: Iterable[str] = (),
        properties: Iterable[str] = (),
        align: bool = False,
    ) -> None:
        self.scene = made
        self.take = [str(word) for word in take]
        self.keys = [str(key) for key in properties]
        self.align = align
        self.files: list[_File] = []
        self.left_out: Counter[str] = Counter()
        for word in self.take:
            if word not in (*_ON_REQUEST, _ZONES):
                raise ValueError(f"{word!r} is none of {', '.join((*_ON_REQUEST, _ZONES))}")
        for key in self.keys:
            if not all(key.partition(".")):
                raise ValueError(f"{key!r} is no property; name one as Pset_WallCommon.FireRating")

    def add(self, path: Path, progress: Progress = None) -> list[str]:
        """Adds a file; returns the names of its bodies."""
        file = _File(os.fspath(path), self._label(path))
        self.files.append(file)
        wanted = list(file.elements())
        for word, kind in _ON_REQUEST.items():
            shaped = [e for e in file.model.by_type(kind) if e.Representation is not None]
            if word in self.take:
                wanted += shaped
            else:
                self.left_out[word] += len(shaped)
                for element in shaped:
                    self.scene.leave_out(element.GlobalId)
        added = self._add_shapes(file, wanted, progress)
        for element in wanted:
            if element.id() not in added and not element.IsDecomposedBy:
                self.scene.leave_out(element.GlobalId)
                self.left_out["elements without a body"] += 1
        self._set_parts_apart(file, added)
        return list(added.values())

    def notes(self) -> list[str]:
        """Everything that there is to say."""
        notes = self.misfits()
        for what, count in self.left_out.items():
            if count > 0:
                on_request = what in (*_ON_REQUEST, _ZONES)
                more = f"; --with {what} takes them in" if on_request else ""
                notes.append(f"left out: {what} ({count}){more}")
        return notes

    def places(self) -> tuple[list[Storey], list[Axis]]:
        """Storeys and axes of the grid: of the file that has the most of them."""
        storeys = [storeys_of(file.model, self._map_pose(file)) for file in self.files]
        axes = [axes_of(file.model, self._map_pose(file)) for file in self.files]
        return max(storeys, key=len, default=[]), max(axes, key=len, default=[])

    def misfits(self) -> list[str]:
        """Files that do not fit together."""
        if not self.files:
            return []
        first, *others = self.files
        notes: list[str] = []
        for other in others:
            notes += map_notes(
                first.label, other.label, first.to_map, other.to_map, self.align
            )
            gap = np.maximum(0, np.maximum(first.lo - other.hi, other.lo - first.hi))
            apart = float(np.linalg.norm(gap)) if np.isfinite(gap).all() else 0.0
            if apart >= _FAR:
                notes.append(
                    f"{first.label} (in {first.unit()}) and {other.label} (in {other.unit()}) "
                    f"are {apart / 1000:.4g} km apart: do they have one origin and the right units?"
                )
        return notes

    def _label(self, path: Path) -> str:
        name = os.path.basename(os.fspath(path))
        label, copy = name, 2
        while label in (file.label for file in self.files):
            label, copy = f"{name} ({copy})", copy + 1
        return label

    def _add_shapes(self, file: _File, wanted: Sequence[Any], progress: Progress) -> dict[int, str]:
        """Names of the bodies by the numbers of their elements."""
        added: dict[int, str] = {}
        if not wanted:
            return added
        geometry: Any = ifcopenshell.geom
        iterator = geometry.iterator(
            geometry.settings(), file.model, os.cpu_count() or 1, include=list(wanted)
        )
        tell = progress_of(progress)
        trees: _Trees = {}
        zones: list[tuple[int, Any]] = []
        more = iterator.initialize()
        while more:
            shape = iterator.get()
            # By its id in the file: a GlobalId may be there twice.
            element = file.model.by_id(shape.id)
            if shape.id not in added and _is_body(element, shape):
                added[shape.id] = self._add(file, element, shape, trees)
            elif shape.context == "Clearance" and len(shape.geometry.faces) > 0:
                zones.append((shape.id, shape))
            if tell is not None:
                tell(iterator.progress() / 100)
            more = iterator.next()
        for number, shape in zones:
            if _ZONES not in self.take:
                self.left_out[_ZONES] += 1
                continue
            name = self._add(file, file.model.by_id(number), shape, trees, zone="clearance")
            if number in added:
                self.scene.ignore([(name, added[number])])
        return added

    def _add(
        self, file: _File, element: Any, shape: Any, trees: _Trees, zone: str = ""
    ) -> str:
        geometry = shape.geometry
        if geometry.id not in trees:
            faces = np.asarray(geometry.faces, dtype=np.int64).reshape(-1, 3)
            vertices = np.asarray(geometry.verts, dtype=np.float64).reshape(-1, 3)
            try:
                trees[geometry.id] = Tree((vertices, faces)), _corners(vertices)
            except ValueError as error:
                raise ValueError(f"{file.path}: {element.is_a()} {shape.guid}: {error}") from None
        tree, corners = trees[geometry.id]
        pose = self._map_pose(file) @ _pose(shape)
        file.stretch(corners @ pose[:3, :3].T + pose[:3, 3])
        plain = f"{shape.guid} {zone}".strip()
        name, copy = plain, 2
        if name in self.scene:
            name = f"{file.label}:{plain}"
        while name in self.scene:
            name, copy = f"{file.label}:{plain} ({copy})", copy + 1
        known = _properties(file.model, element, self.keys)
        if zone:
            known["zone"] = zone
        self.scene.add(name, tree, pose, properties={**known, "file": file.label})
        return str(name)

    def _map_pose(self, file: _File) -> Floats:
        """Moves a file to its place relative to the first one."""
        first = self.files[0].to_map
        if not self.align or first is None or file.to_map is None or file is self.files[0]:
            return np.eye(4)
        return np.linalg.inv(first) @ file.to_map

    def _set_parts_apart(self, file: _File, added: Mapping[int, str]) -> None:
        """Does not compare a whole with its parts."""
        for number, name in added.items():
            seen = {number}
            whole = _whole(file.model.by_id(number))
            while whole is not None and whole.id() not in seen:
                seen.add(whole.id())
                if whole.id() in added:
                    self.scene.ignore([(name, added[whole.id()])])
                whole = _whole(whole)


def _corners(points: Floats) -> Floats:
    """The corners of the box of some points, (8, 3)."""
    lo, hi = points.min(axis=0), points.max(axis=0)
    return np.array([np.where([i & 1, i & 2, i & 4], hi, lo) for i in range(8)])


def _whole(element: Any) -> Any:
    """The element that this one is a part of, or None."""
    found = _of_element.get_aggregate(element) or _of_element.get_nest(element)
    return found if found is not None and found.is_a("IfcElement") else None


def _properties(model: Any, element: Any, keys: Sequence[str]) -> dict[str, str]:
    storey = _of_element.get_container(element, ifc_class="IfcBuildingStorey")
    whole = _whole(element)
    systems = ifcopenshell.util.system.get_element_systems(element)
    references: Any = ifcopenshell.util.classification.get_references(element)
    always = {
        "guid": element.GlobalId,
        "type": element.is_a(),
        "name": element.Name or "",
        "storey": "" if storey is None else storey.Name or "",
    }
    found = {
        "predefined_type": _predefined_type(element),
        "material": _joined(material.Name for material in _of_element.get_materials(element)),
        "system": _joined(system.Name for system in systems),
        "classification": _joined(
            getattr(r, "Identification", None) or getattr(r, "ItemReference", None) or r.Name
            for r in references
        ),
        "parent": None if whole is None else whole.Name or whole.GlobalId,
    }
    sets = _of_element.get_psets(element, verbose=True) if keys else {}
    for key in keys:
        group, _, name = key.partition(".")
        found[key] = _value(model, sets.get(group, {}).get(name))
    return always | {k: _shown(v) for k, v in found.items() if v not in (None, "")}


def _predefined_type(element: Any) -> str | None:
    found: str | None = _of_element.get_predefined_type(element)
    own = getattr(element, "PredefinedType", None)
    # Without a type, it is the ObjectType, which is a name.
    unnamed = found == getattr(element, "ObjectType", None) and own != "USERDEFINED"
    return None if unnamed or found == "NOTDEFINED" else found


def _value(model: Any, known: Any) -> Any:
    """The value of a property; a length in metres."""
    if not isinstance(known, dict):
        return known
    value = known.get("value")
    if known.get("value_type") in _LENGTHS or known.get("class") == "IfcQuantityLength":
        unit = ifcopenshell.util.unit.get_property_unit(model.by_id(known["id"]), model)
        if unit is not None and value is not None:
            prefix = getattr(unit, "Prefix", None)
            value = ifcopenshell.util.unit.convert(float(value), prefix, unit.Name, None, "METRE")
    return _joined(value) if isinstance(value, (list, tuple)) else value


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(sorted({_shown(v) for v in values if v}))


def _shown(value: Any) -> str:
    """In one line."""
    return " ".join(str(value).split())


def _is_body(element: Any, shape: Any) -> bool:
    """True for the representation "Body", or in files that name none, the only one."""
    if len(shape.geometry.faces) == 0:
        return False
    named = [r.RepresentationIdentifier for r in element.Representation.Representations]
    return bool(shape.context == ("Body" if "Body" in named else "Model"))


def _pose(shape: Any) -> Floats:
    """(4, 4); ifcopenshell has it column by column."""
    numbers = np.asarray(shape.transformation.matrix, dtype=np.float64)
    return numbers.reshape(4, 4).T if numbers.size == 16 else numbers


def main(arguments: Sequence[str] | None = None) -> int:
    """The command ``python -m orbox.ifc``; returns its exit code."""
    return _run(sys.argv[1:] if arguments is None else list(arguments), False)


def _run(words: list[str], owns_process: bool) -> int:
    return _core.run_ifc(words, _read, owns_process)


def _read(files: list[str], options: Mapping[str, str]) -> _core.ClashBodies:
    """The bodies of the command's files."""
    take, keys = (_words(options.get(name, "")) for name in ("--with", "--properties"))
    reader = _Reader(Scene(), take, keys, "--align" in options)
    for path in files:
        reader.add(path)
    if len(reader.scene) == 0:
        raise ValueError(f"{', '.join(files)}: no element has a body")
    if "--between-files" in options:
        for name in reader.scene:
            reader.scene.regroup(name, reader.scene.properties(name)["file"])
    bodies = clash_bodies(reader.scene)
    bodies.notes = reader.notes()
    bodies.set_places(*reader.places())
    return bodies


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


if __name__ == "__main__":
    # Ctrl-C ends it as it ends other programs, without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _run(sys.argv[1:], True)
    if code == 128 + signal.SIGPIPE:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.raise_signal(signal.SIGPIPE)
    sys.exit(code)
