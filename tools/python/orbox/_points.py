# SPDX-License-Identifier: Apache-2.0

"""Queries of points."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from ._inputs import Bools, Floats, InsideRule, by_parity, rows
from ._options import QueryOptions, query
from ._queries import k_of, max_distance_of, max_error_of, query_of
from ._results import Closest, Ragged

if TYPE_CHECKING:
    from ._options import Unpack


def point_rows(points: ArrayLike) -> tuple[Floats, bool]:
    return rows(points, 3, "points")


_CLOSEST = query_of("closest", point_rows, (max_distance_of,))
_NEAREST = query_of("nearest", point_rows, (k_of, max_distance_of), has_lists=True)
_SIGNED = query_of("signed_distance", point_rows, (max_distance_of, bool))
_SIGNED_CLOSEST = query_of("signed_closest", point_rows, (max_distance_of, bool))
_INSIDE = query_of("inside", point_rows, (bool,))
_INSIDE_BY_WINDING = query_of("inside_by_winding", point_rows)
_WINDING = query_of("winding_number", point_rows, (max_error_of,))


class PointQueries:
    """The queries of points, for Tree, PosedTree and ChunkedTree."""

    __slots__ = ()

    _target: Any

    @query
    def closest(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        **options: Unpack[QueryOptions],
    ) -> Closest:
        """The closest point of the surface, exactly.

        Args:
            points: (n, 3), or (3,) for a single one.
            max_distance: nothing farther is found.

        Returns:
            distance, face and point of each. The distance is correctly rounded;
            among faces equally far, the lowest is reported. If nothing is found:
            inf, -1, nan.

        Raises:
            ValueError: a shape is wrong, or a coordinate is not finite.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.mesh.bounds.tolist()
        [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
        >>> near = box.closest([[0, 0, 3], [2, 0, 0]])
        >>> near.distance
        array([2., 1.])
        >>> box.closest((0, 0, 3)).point
        array([0., 0., 1.])
        """
        found = _CLOSEST(self._target, (points,), options, (max_distance,))
        return Closest._make(found)._on(self._target)

    @query
    def nearest(
        self,
        points: ArrayLike,
        k: int,
        *,
        max_distance: float = inf,
        **options: Unpack[QueryOptions],
    ) -> Ragged[Closest]:
        """The k nearest faces of each point, nearest first.

        There are fewer than k where the mesh, or the ball of ``max_distance``,
        holds fewer. Arguments and errors are those of ``closest``.

        Returns:
            A list for each point: distance, face, and the face's closest point.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> lists = box.nearest([[0, 0, 3], [2, 0, 0]], k=2)
        >>> lists[1].distance
        array([1., 1.])
        """
        offsets, found = _NEAREST(self._target, (points,), options, (k, max_distance))
        return Ragged(offsets, Closest._make(found)._on(self._target))

    @query
    def signed_distance(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> Floats:
        """The distance from a closed surface, negative inside, exactly.

        The sign is exact for every closed mesh, for either orientation and for
        meshes that cross themselves. If its faces do not agree, parity decides. If
        shells overlap, distances to walls within their union count as well. The
        first call prepares the mesh. Returns NaN if nothing is within
        ``max_distance``.

        Args:
            points: (n, 3), or (3,) for a single one.
            max_distance: nothing farther is found.
            inside: the rule by which points are inside, as for ``contains``.

        Raises:
            ValueError: the mesh is open; use ``winding_number`` there.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.signed_distance([[0, 0, 3], [0.5, 0.5, 0.5]])
        array([ 2. , -0.5])
        """
        field = self._signed_field()
        return _SIGNED(field, (points,), options, (max_distance, by_parity(inside)))

    @query
    def signed_closest(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> Closest:
        """Closest points like ``closest``, with the distances of ``signed_distance``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.signed_closest([[0.5, 0.5, 0.75]]).distance
        array([-0.25])
        """
        field, parity = self._signed_field(), by_parity(inside)
        found = _SIGNED_CLOSEST(field, (points,), options, (max_distance, parity))
        return Closest._make(found)._on(self._target)

    @query
    def contains(
        self,
        points: ArrayLike,
        *,
        method: Literal["auto", "exact", "parity", "winding"] = "auto",
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """Tests whether points are inside. Points of the surface are not.

        (By "winding", points of the surface may be on either side of it.)

        Args:
            method: "exact" is for closed meshes: points are inside if the
                winding number about them is not 0, and where the faces do not
                agree (``Mesh.do_faces_agree``), if a ray crosses the surface an
                odd number of times. "parity" decides by such rays everywhere.
                "winding" tests whether the winding number is above 1/2, for
                meshes with holes whose faces look outward. "auto" is "exact"
                where the mesh is closed, and else "winding".

        Shells that overlap count as their union, and cavities face the other
        way than the shell around them; by "parity", the overlap is outside.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.contains([[0, 0, 3], [0.5, 0.5, 0.5]])
        array([False,  True])
        """
        if method == "auto":
            method = "exact" if self._is_closed() else "winding"
        if method in ("exact", "parity"):
            return _INSIDE(self._target, (points,), options, (method == "parity",))
        if method == "winding":
            return _INSIDE_BY_WINDING(self._winding_field(), (points,), options)
        allowed = '"auto", "exact", "parity" or "winding"'
        raise ValueError(f"method: is {method!r}, and has to be {allowed}")

    @query
    def winding_number(
        self,
        points: ArrayLike,
        *,
        max_error: float = 1e-3,
        **options: Unpack[QueryOptions],
    ) -> Floats:
        """Winding numbers of the surface about points: 1 inside, 0 outside.

        Between the two where the surface has holes. The faces have to look
        outward; a pose that mirrors turns them inward, so that the numbers have
        the opposite sign. The first call prepares the mesh.

        Args:
            max_error: how far a value may be from the exact one.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.winding_number([[0, 0, 3], [0.5, 0.5, 0.5]]).round(2) + 0.0
        array([0., 1.])
        """
        return _WINDING(self._winding_field(), (points,), options, (max_error,))

    def _signed_field(self) -> Any:
        raise NotImplementedError

    def _winding_field(self) -> Any:
        raise NotImplementedError

    def _is_closed(self) -> bool:
        raise NotImplementedError
