# SPDX-License-Identifier: Apache-2.0

"""Queries of points."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import Bools, Floats, InsideRule, by_parity, count_of, distance_of, rows
from ._options import QueryOptions, query, run_options
from ._results import Closest, Ragged, only

if TYPE_CHECKING:
    from ._options import Unpack


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
        if not options:
            found = core.closest_one(self._target, (points,), max_distance)
            if found is not None:
                return Closest._make(found)._on(self._target)
        where, single = rows(points, 3, "points")
        limit = distance_of(max_distance, "max_distance")
        run = run_options(options, len(where))
        found = core.closest(self._target, where, limit, run)
        return Closest._make(only(found) if single else found)._on(self._target)

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
        lists = None if options else core.nearest_one(self._target, (points,), k, max_distance)
        if lists is None:
            where, _ = rows(points, 3, "points")
            limit = distance_of(max_distance, "max_distance")
            run = run_options(options, len(where))
            lists = core.nearest(self._target, where, count_of(k, "k"), limit, run)
        return Ragged(lists[0], Closest._make(lists[1])._on(self._target))

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
        parity = by_parity(inside)
        if not options and not parity:
            distance = core.signed_distance_one(field, (points,), max_distance)
            if distance is not None:
                return distance
        where, single = rows(points, 3, "points")
        limit = distance_of(max_distance, "max_distance")
        run = run_options(options, len(where))
        distances = core.signed_distance(field, where, limit, parity, run)
        return only(distances) if single else distances

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
        field = self._signed_field()
        parity = by_parity(inside)
        if not options and not parity:
            found = core.signed_closest_one(field, (points,), max_distance)
            if found is not None:
                return Closest._make(found)._on(self._target)
        where, single = rows(points, 3, "points")
        limit = distance_of(max_distance, "max_distance")
        run = run_options(options, len(where))
        found = core.signed_closest(field, where, limit, parity, run)
        return Closest._make(only(found) if single else found)._on(self._target)

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
        is_exact = method in ("exact", "parity")
        if is_exact and not options:
            is_inside = core.inside_one(self._target, (points,), method == "parity")
            if is_inside is not None:
                return is_inside
        where, single = rows(points, 3, "points")
        run = run_options(options, len(where))
        if is_exact:
            inside = core.inside(self._target, where, method == "parity", run)
        elif method == "winding":
            inside = core.inside_by_winding(self._winding_field(), where, run)
        else:
            allowed = '"auto", "exact", "parity" or "winding"'
            raise ValueError(f"method: is {method!r}, and has to be {allowed}")
        return only(inside) if single else inside

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
        where, single = rows(points, 3, "points")
        error = distance_of(max_error, "max_error")
        run = run_options(options, len(where))
        numbers = core.winding_number(self._winding_field(), where, error, run)
        return only(numbers) if single else numbers

    def _signed_field(self) -> Any:
        raise NotImplementedError

    def _winding_field(self) -> Any:
        raise NotImplementedError

    def _is_closed(self) -> bool:
        raise NotImplementedError
