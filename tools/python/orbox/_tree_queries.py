# SPDX-License-Identifier: Apache-2.0

"""Queries of trees in memory."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import InsideRule, Ints, by_parity
from ._options import QueryOptions, query
from ._pair_reports import PairReports
from ._points import PointQueries, point_rows
from ._queries import query_of
from ._rays import RAY_CROSSINGS, RayQueries
from ._regions import RegionQueries
from ._results import BoundaryDistances, Ragged, RayCrossings

if TYPE_CHECKING:
    from ._options import Unpack


_TO_BOUNDARY = query_of("distance_to_boundary", point_rows, (bool,))
_SIDE = query_of("side", point_rows)
_EXACT_WINDING = query_of("exact_winding", point_rows)


class TreeQueries(PointQueries, RegionQueries, RayQueries, PairReports):
    """The queries of Tree and PosedTree. A Tree is posed at the identity."""

    __slots__ = ("_side", "_signed", "_target", "_winding")

    _target: core.PosedTree
    _side: core.SurfaceSideField | None
    _signed: core.SignedDistanceField | None
    _winding: core.WindingNumberField | None

    def __init__(self, target: core.PosedTree) -> None:
        self._target = target
        self._side = None
        self._signed = None
        self._winding = None

    def _signed_field(self) -> core.SignedDistanceField:
        if self._signed is None:
            self._signed = core.signed_distance_field(self._target)
        return self._signed

    def _winding_field(self) -> core.WindingNumberField:
        if self._winding is None:
            self._winding = core.winding_number_field(self._target)
        return self._winding

    @query
    def distance_to_boundary(
        self,
        points: ArrayLike,
        *,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> BoundaryDistances:
        """Distances of points to the boundary of the inside; negative inside.

        Inside, walls between shells that overlap count as nothing. Outside, this
        is the distance to the surface. The two bounds are neighbours, except inside where a wall is
        near: there, they are apart by some 2^-32 of the mesh's size, and 2^-45 of
        its largest coordinate.

        Args:
            points: (n, 3), or (3,) for a single one.
            inside: the rule by which points are inside, as for ``contains``.

        >>> import orbox
        >>> box = orbox.generate("box", 12)
        >>> both = orbox.Tree(([*box.vertices, *(box.vertices + [0.5, 0, 0])],
        ...                    [*box.faces, *(box.faces + 8)]))
        >>> both.signed_distance((0.5, 0.5, 0.5))
        0.0
        >>> round(both.distance_to_boundary((0.5, 0.5, 0.5)).upper, 6)
        -0.5
        """
        found = _TO_BOUNDARY(self._signed_field(), (points,), options, (by_parity(inside),))
        return BoundaryDistances._make(found)

    @query
    def side(self, points: ArrayLike, **options: Unpack[QueryOptions]) -> Ints:
        """The side of the surface next to each point: 1 above, 0 on, -1 below.

        For open surfaces such as terrains. Above is in front of the faces. The
        normal at the closest point decides: at edges and vertices, that of all
        faces there, weighted by their angles. A pose that mirrors keeps the front
        of each face. This is not an inside; use ``contains`` for solids.

        >>> import orbox
        >>> plane = orbox.Tree(orbox.generate("plane", 200))
        >>> plane.side([(0.3, 0.4, 1), (0.3, 0.4, 0), (5, 5, -1)]).tolist()
        [1, 0, -1]
        """
        if self._side is None:
            self._side = core.surface_side_field(self._target)
        return _SIDE(self._side, (points,), options)

    @query
    def ray_crossings(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        skip: ArrayLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> Ragged[RayCrossings]:
        """All points at which rays pass the surface, and in which direction.

        Hits at one point, such as those of the faces around an edge, are one
        crossing. Points and directions are exact. Arguments are those of
        ``ray_first``. A ray along a face crosses at its ends, as a ray does that is
        aside by infinitely little.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> through = box.ray_crossings((-1, -1, -1), (1, 1, 1))[0]
        >>> through.t.tolist(), through.winding.tolist()
        ([1.0, 2.0], [1, -1])
        """
        rays = (origins, directions, min_t, skip)
        offsets, found = RAY_CROSSINGS(self._target, rays, options, (max_t,))
        return Ragged(offsets, RayCrossings._make(found))

    @query
    def exact_winding_number(
        self,
        points: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """The winding numbers about points: integers, exactly.

        1 inside a shell that faces outward, and the sum where shells overlap.
        0 for points of the surface, and where faces do not agree. The mesh has to
        be closed.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.exact_winding_number([(0.5, 0.5, 0.5), (2, 2, 2)]).tolist()
        [1, 0]
        """
        return _EXACT_WINDING(self._target, (points,), options)
