# SPDX-License-Identifier: Apache-2.0

"""The clashes of a scene as a page to work through, and as issues in BCF."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._clash import clash_of
from ._inputs import InsideRule, Path
from ._options import MUCH, QueryOptions, query, run_options
from ._output import Page
from ._scene_pairs import BodyClash, PairsOfBodies

if TYPE_CHECKING:
    from ._options import Unpack


class ReportOptions(QueryOptions, total=False):
    """Options of ``Scene.report``: those of the command ``orbox clash``.

    tolerance: solids that share a region no thicker than this touch.
    clearance: also reports solids that are apart by no more than this.
    exact: without a tolerance, and without rounding.
    inside: the rule by which points are inside.
    close_holes: judges open bodies as solids if each hole is shorter than this.
    volume, depth: also measures these.
    places: lists the places where the bodies of each pair come close.
    between: pairs of patterns, as ``("type=IfcPipe*", "type=IfcWall*")``: only
        pairs of a body like the first and one like the second.
    ignore: patterns of bodies to leave out, or ``"same:KEY"``.
    accepted: a file of pairs to leave out.
    rules: a file of rules, for sets of bodies.
    min_thickness, min_volume: leave out pairs that certainly share less.
    compare: JSON of an earlier run: which pairs are new, active, resolved.
    motion: a file of poses, frame by frame.
    glb: writes the bodies for any viewer.
    bcf_version: ``"2.1"`` (the default) or ``"3.0"``.
    issues: the clashes that are one issue: ``"pair"`` (the default), ``"element"``,
        ``"near=0.5"`` or ``"group"``.
    review: files of decisions, the oldest first: tables that pages saved, or BCF.

    >>> import orbox
    >>> scene = orbox.Scene()
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> scene.add("wall", box, properties={"type": "IfcWall"})
    >>> scene.add("pipe", box, orbox.translation(0.5, 0, 0))
    >>> len(scene.report(tolerance=0.01, ignore=["type=IfcWall"]))
    0
    """

    tolerance: float
    clearance: float
    exact: bool
    inside: InsideRule
    close_holes: float
    volume: bool
    depth: bool
    places: bool
    between: Iterable[tuple[str, str]]
    ignore: Iterable[str]
    accepted: Path
    rules: Path
    min_thickness: float
    min_volume: float
    compare: Path
    motion: Path
    glb: Path
    bcf_version: str
    issues: str
    review: Iterable[Path]


#: Options of the command whose names differ.
_NAMES = {"clearance": "within"}
_OWN = frozenset(ReportOptions.__annotations__) - frozenset(QueryOptions.__annotations__)


class ClashReport(list[BodyClash]):
    """The clashes of a report, the worst first: a list. A notebook shows the page.

    ``page`` is None if only issues were written.
    """

    page: Page | None = None

    def _repr_html_(self) -> str | None:
        return None if self.page is None else self.page._repr_html_()


class Reports(PairsOfBodies):
    """Report files about a scene, for Scene."""

    __slots__ = ()

    @query
    def report(
        self,
        path: Path | None = None,
        *,
        bcf: Path | None = None,
        title: str = "scene",
        unit: str = "",
        id: str = "",
        group_by: Sequence[str] = (),
        pictures: int | None = None,
        **options: Unpack[ReportOptions],
    ) -> ClashReport:
        """Runs the command ``orbox clash`` on the scene: a page, and issues.

        The page is one file of HTML that loads nothing: the clashes as a list to
        search and filter, the worst first, with pictures. Issues are for programs
        that coordinate buildings (BIM Collaboration Format 2.1), each with a
        viewpoint and a picture; bodies with an IFC GlobalId among their
        properties are named by it.

        Args:
            path: of the page; None writes none, and makes none if there are issues.
            bcf: of the issues; None makes none.
            title: of the page.
            unit: of lengths, such as "mm"; without one, issues take metres.
            id: the property that identifies a body from run to run, such as "guid";
                its name if it has none.
            group_by: properties by which the page groups clashes.
            pictures: the number of the worst clashes with pictures; None is 24 on
                the page and 500 in issues.

        Returns:
            The clashes, with the page.

        Raises:
            OSError: a file cannot be read or written.
            ValueError: an option makes no sense, or two outputs are one file.

        >>> import os, tempfile, orbox
        >>> scene = orbox.Scene()
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> scene.add("wall", box)
        >>> scene.add("pipe", box, orbox.translation(0.5, 0, 0))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found = scene.report(os.path.join(folder, "page.html"), tolerance=0.01)
        ...     found[0].clash.kind, os.listdir(folder)
        ('clash', ['page.html'])
        """
        words = [f"-o={os.devnull}", *_words(options)]
        named = (("bcf", bcf), ("unit", unit), ("id", id), ("group", ",".join(group_by)))
        words += [f"--{name}={_text(value)}" for name, value in named if value]
        if pictures is not None:
            words.append(f"--pictures={pictures}")
        rest: Any = {k: v for k, v in options.items() if k not in _OWN}
        run = run_options(rest, MUCH)
        if run[0] > 0:
            words.append(f"--threads={run[0]}")
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "page.html") if path is None else os.fspath(path)
            if path is not None or bcf is None:
                words.append(f"--report={page}")
            columns = _core.clash_report(words, title, clash_bodies(self), run)
            names = list(self._all)
            report = ClashReport(
                BodyClash(names[int(ids[0])], names[int(ids[1])], clash_of(fields))
                for ids, *fields in zip(*columns)
            )
            if os.path.isfile(page):
                with open(page, "rb") as file:
                    report.page = Page(file.read())
        return report


def clash_bodies(scene: PairsOfBodies) -> _core.ClashBodies:
    """The bodies of a scene in the form of the extension, in the order of their names."""
    bodies = list(scene._all.values())
    number = {name: i for i, name in enumerate(scene._all)}
    poses: Any = [b.pose.reshape(16) for b in bodies]
    made = _core.clash_bodies(
        [str(name) for name in scene._all],
        [b.properties.get("file", "") for b in bodies],
        [b.tree._core for b in bodies],
        np.ascontiguousarray(poses, dtype=np.float64).reshape(-1, 16),
        [b.properties for b in bodies],
    )
    groups: dict[object, int] = {None: 0}
    made.groups = [groups.setdefault(b.group, len(groups)) for b in bodies]
    made.unrelated = [
        (number[min(pair, key=number.__getitem__)], number[max(pair, key=number.__getitem__)])
        for pair in scene._ignored
        if len(pair) == 2 and all(name in number for name in pair)
    ]
    made.left_out = [str(name) for name in scene._left_out]
    return made


def _words(options: ReportOptions) -> list[str]:
    """Words of the command for the options that are its own."""
    words: list[str] = []
    for name, value in options.items():
        if name not in _OWN or value is None or value is False:
            continue
        option = "--" + _NAMES.get(name, name).replace("_", "-")
        if value is True:
            words.append(option)
        elif name == "between":
            for a, b in value:  # type: ignore[attr-defined]
                words += [option, a, b]
        elif name in ("ignore", "review"):
            words += [f"{option}={_text(one)}" for one in value]  # type: ignore[attr-defined]
        elif name != "clearance" or value:
            words.append(f"{option}={_text(value)}")
    return words


def _text(value: object) -> str:
    return repr(float(value)) if isinstance(value, (int, float)) else os.fspath(value)  # type: ignore[call-overload]
