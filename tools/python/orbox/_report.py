# SPDX-License-Identifier: Apache-2.0

"""The clashes of a scene as a page to work through, and as issues in BCF."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._clash import ClashOptions, settings_of
from ._core import Statistics
from ._inputs import Path, by_parity, count_of
from ._options import MUCH, query, run_options
from ._output import Page, check_outputs, write_whole
from ._scene_pairs import BodyClash, PairsOfBodies

if TYPE_CHECKING:
    from ._options import Unpack

#: Equal to that of the command `orbox clash`: a pair has the same id from run to run.
_NAMESPACE = uuid.UUID("6f0d2b1e-6d0f-4c53-9a35-7c1c0f1f0b9d")
#: More pictures than this make a page slow to load.
_ON_PAGE = 24


class ClashReport(list[BodyClash]):
    """The clashes of a report: a list. A notebook shows the page.

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
        **options: Unpack[ClashOptions],
    ) -> ClashReport:
        """Finds the clashes, and makes a page of them, and issues.

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
                the page and all in issues.

        Returns:
            The result of ``clashes``, with the page.

        Raises:
            OSError: a file cannot be written.
            ValueError: the page and the issues are one file.

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
        named = (("path", path), ("bcf", bcf))
        check_outputs((role, file) for role, file in named if file is not None)
        settings, rest = settings_of(options)
        if rest.get("statistics") is None:
            rest["statistics"] = Statistics()  # the page shows the cost of the query
        run = run_options(rest, MUCH)
        found, columns = self._core.clashes(settings, run)
        rows = [(i, row) for i, row in enumerate(zip(*columns)) if self._counts(row[0])]
        clashes = [self._clash(*row) for _, row in rows]
        about = _core.ReportAbout()
        about.title, about.unit, about.date = title, unit, _date()
        about.tolerance = float(options.get("tolerance", 0))
        about.within = float(options["clearance"]) if options.get("clearance") else None
        about.left_out = len(self._left_out)
        about.by_parity = by_parity(options.get("inside", "winding"))
        about.close_holes = float(options.get("close_holes", 0))
        about.grouped_by = [str(key) for key in group_by]
        wanted = _ON_PAGE if pictures is None else count_of(pictures, "pictures")
        about.has_page = path is not None or bcf is None
        about.on_page = wanted if about.has_page else 0
        about.of_issues = 0 if bcf is None else len(rows) if pictures is None else wanted
        told = []
        for (i, _), clash in zip(rows, clashes):
            name = _uuid(self._key(clash.a, id), self._key(clash.b, id))
            told.append((i, name, _uuid(name, "viewpoint")))
        bodies = [
            (body.id, str(name), self.body(name)._target, body.properties)
            for name, body in sorted(self._all.items(), key=lambda item: item[1].id)
        ]
        page, issues = _core.clash_files(found, told, bodies, about, run)
        report = ClashReport(clashes)
        if about.has_page:
            report.page = Page(page)
        if path is not None:
            write_whole(path, page)
        if bcf is not None:
            write_whole(bcf, issues)
        return report

    def _key(self, name: Any, key: str) -> str:
        return self.properties(name).get(key, str(name))


def _uuid(a: str, b: str) -> str:
    return str(uuid.uuid5(_NAMESPACE, "\n".join(sorted((a, b)))))


def _date() -> str:
    """The current time, or that of SOURCE_DATE_EPOCH (reproducible-builds.org)."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = int(given) if given.isdigit() else int(time.time())
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
