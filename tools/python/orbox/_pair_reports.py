# SPDX-License-Identifier: Apache-2.0

"""Reports on two meshes, as pages for a browser."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from . import _core
from ._clash import ClashQueries
from ._inputs import InsideRule, by_parity, distance_of
from ._options import MUCH, QueryOptions, query, run_options
from ._output import Page
from ._pairs import limits_of, other_of, tolerances_of

if TYPE_CHECKING:
    from ._options import Unpack


class PairReports(ClashQueries):
    """The reports on two meshes, for Tree and PosedTree."""

    __slots__ = ()

    @query
    def clearance_report(
        self,
        other: Any,
        *,
        within: float | None = None,
        title: str = "A and B",
        unit: str = "",
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> Page:
        """Report on the clearance of the surfaces: pictures, numbers, the nearest pairs.

        Args:
            within: reports the pairs of faces within this distance; None reports
                those that overlap.
            title: names the meshes, such as "A (arm.stl) and B (wall.stl)".
            unit: of lengths, such as "mm".
            inside: the rule by which a mesh is inside the other, as for ``contains``.

        >>> import orbox
        >>> gear = orbox.Tree(orbox.generate("gear", 200))
        >>> page = gear.clearance_report(gear.at(orbox.translation(2.5, 0, 0)), within=0.5)
        >>> page.save("gears.html")                         # doctest: +SKIP
        >>> b"do not meet" in page.html
        True
        """
        limit = None if within is None else distance_of(within, "within")
        run = run_options(options, MUCH)
        rule = by_parity(inside)
        page = _core.clearance_page(
            self._target, other_of(other), limit, title, unit, rule, run
        )
        return Page(page)

    @query
    def deviation_report(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        within: float | None = None,
        max_distance: float = inf,
        title: str = "A and B",
        unit: str = "",
        **options: Unpack[QueryOptions],
    ) -> Page:
        """Report on the deviation of this surface, a scan, from another one.

        Has the Hausdorff distance both ways, a chart and the statistics of the
        vertices' distances, and pictures in their colours. Tolerances are those
        of ``hausdorff``, ``within`` and ``max_distance`` those of
        ``deviation_summary``.

        >>> import orbox
        >>> ball = orbox.Tree(orbox.generate("sphere", 200))
        >>> scan = ball.at(orbox.translation(0.01, 0, 0))
        >>> b"Deviation" in scan.deviation_report(ball, unit="mm").html
        True
        """
        wanted = tolerances_of(tolerance, relative_tolerance) + limits_of(within, max_distance)
        run = run_options(options, MUCH)
        model = _in_place(other_of(other))
        return Page(_core.deviation_page(self._target, model, *wanted, title, unit, run))


def _in_place(posed: _core.PosedTree) -> _core.Tree:
    """A tree of the mesh at its pose."""
    if not posed.is_moved:
        return posed.tree
    from ._tree import Tree

    return Tree((posed.vertices, posed.tree.mesh.faces))._core
