# SPDX-License-Identifier: Apache-2.0

"""Queries of two meshes."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._inputs import InsideRule, Ints, by_parity, count_of, distance_of
from ._options import MUCH, PER_FACE, QueryOptions, query, run_options
from ._results import (
    Contacts,
    Deviation,
    DeviationSummary,
    DistanceBounds,
    Gap,
    Hausdorff,
    PairsWithin,
    Penetration,
    Places,
    SymmetricHausdorff,
)

if TYPE_CHECKING:
    from ._options import Unpack

Relation = Literal["meet", "apart", "inside", "contains", "solids overlap", "undefined"]


def other_of(x: Any) -> _core.PosedTree:
    """The other mesh of a query, at its pose."""
    target = getattr(x, "_target", None)
    if isinstance(target, _core.PosedTree):
        return target
    from ._tree import Tree

    return Tree(x)._target


def tolerances_of(tolerance: float | None, relative_tolerance: float) -> tuple[float, float]:
    """The tolerances of a Hausdorff distance as the extension takes them."""
    absolute = -1.0 if tolerance is None else distance_of(tolerance, "tolerance")
    return absolute, distance_of(relative_tolerance, "relative_tolerance")


def limits_of(within: float | None, max_distance: float) -> tuple[float, float]:
    """The limits of a deviation's statistics as the extension takes them."""
    share = -1.0 if within is None else distance_of(within, "within")
    return share, distance_of(max_distance, "max_distance")


class PairQueries:
    """The queries of two meshes, for Tree and PosedTree.

    The other mesh may be a Tree, a PosedTree, or anything that ``Mesh.of``
    takes; such a mesh gets a tree for this one call.
    """

    __slots__ = ()

    _target: _core.PosedTree

    @query
    def overlaps(self, other: Any, **options: Unpack[QueryOptions]) -> bool:
        """Returns True if the surfaces have a common point, exactly. Touching counts.

        A mesh inside another does not overlap it: see ``relation``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.overlaps(box.at(orbox.translation(1, 0, 0)))
        True
        >>> box.overlaps(box.at(orbox.translation(1.0000000001, 0, 0)))
        False
        """
        return _core.overlap(self._target, other_of(other), run_options(options, 1))

    @query
    def overlapping_pairs(
        self,
        other: Any,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """All pairs of faces that overlap, (n, 2), ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.overlapping_pairs(box.at(orbox.translation(9, 0, 0))).shape
        (0, 2)
        """
        return self._with(_core.overlapping_pairs, other, options)

    @query
    def overlap_count(
        self,
        other: Any,
        **options: Unpack[QueryOptions],
    ) -> int:
        """Number of pairs of faces that overlap."""
        return self._with(_core.overlap_count, other, options)

    @query
    def contacts(
        self,
        other: Any,
        **options: Unpack[QueryOptions],
    ) -> Contacts:
        """Common points of overlapping faces: points, segments, and polygons of common planes.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> touch = box.contacts(box.at(orbox.translation(1, 0, 0)))
        >>> set(touch.points[:, 0].tolist())
        {1.0}
        """
        return Contacts(*self._with(_core.contacts, other, options))

    @query
    def distance(
        self,
        other: Any,
        *,
        max_distance: float = inf,
        guess: tuple[int, int] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Gap:
        """Smallest distance of the surfaces, and where; 0 if they overlap.

        Args:
            max_distance: nothing farther is found; then distance is inf, faces
                are -1 and points are nan.
            guess: faces that are near, such as those of the last result if meshes
                move a little. It saves time and does not change the result.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.distance(box.at(orbox.translation(1.5, 0, 0))).distance
        0.5
        """
        pair = None
        if guess is not None:
            first, second = guess
            pair = _core.TrianglePair(count_of(first, "guess"), count_of(second, "guess"))
        limit = distance_of(max_distance, "max_distance")
        return Gap._make(self._with(_core.distance, other, options, limit, pair))

    @query
    def distance_bounds(
        self,
        other: Any,
        *,
        error: float = 0.0,
        absolute_error: float = 0.0,
        max_distance: float = inf,
        **options: Unpack[QueryOptions],
    ) -> DistanceBounds:
        """Two numbers that certainly enclose the distance.

        The search ends as soon as the bounds are near enough. Without an error,
        they are the distance twice where it is a double, or else the doubles
        next to it.

        Args:
            error: how far the bounds may be apart, as a share of the distance.
            absolute_error: the same as a length; the larger of the two counts.
            max_distance: nothing farther is found; then both are inf, faces are
                -1 and points are nan.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> apart = box.at(orbox.translation(2, 2, 0))
        >>> rough = box.distance_bounds(apart, error=0.1)
        >>> rough.lower <= 2**0.5 <= rough.upper <= 1.1 * rough.lower
        True
        >>> exact = box.distance_bounds(apart)
        >>> exact.upper - exact.lower
        2.220446049250313e-16
        """
        errors = distance_of(error, "error"), distance_of(absolute_error, "absolute_error")
        limit = distance_of(max_distance, "max_distance")
        found = self._with(_core.distance_bounds, other, options, limit, *errors)
        return DistanceBounds._make(found)

    @query
    def closest_pairs(self, other: Any, **options: Unpack[QueryOptions]) -> Ints:
        """All pairs of faces that are as near as the surfaces are, (n, 2).

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> len(box.closest_pairs(box.at(orbox.translation(2, 0, 0)))) > 1
        True
        """
        return self._with(_core.closest_pairs, other, options)

    @query
    def within(self, other: Any, distance: float, **options: Unpack[QueryOptions]) -> bool:
        """Returns True if the surfaces are at most ``distance`` apart, exactly.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.within(box.at(orbox.translation(1.5, 0, 0)), 0.5)
        True
        """
        length = distance_of(distance, "distance")
        return _core.within(self._target, other_of(other), length, run_options(options, 1))

    @query
    def pairs_within(
        self,
        other: Any,
        distance: float,
        **options: Unpack[QueryOptions],
    ) -> PairsWithin:
        """All pairs of faces at most ``distance`` apart, and how far each is.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> pairs = box.pairs_within(box.at(orbox.translation(1.5, 0, 0)), 0.5)
        >>> float(pairs.distance.max())
        0.5
        """
        length = distance_of(distance, "distance")
        return PairsWithin._make(self._with(_core.pairs_within, other, options, length))

    @query
    def within_count(
        self,
        other: Any,
        distance: float,
        **options: Unpack[QueryOptions],
    ) -> int:
        """Number of pairs of faces that are at most ``distance`` apart."""
        return self._with(_core.within_count, other, options, distance_of(distance, "distance"))

    @query
    def places_within(self, other: Any, distance: float, **options: Unpack[QueryOptions]) -> Places:
        """The places where the surfaces are at most ``distance`` apart.

        Pairs of faces that hang together, by corners of both meshes that they
        share, are one place: the four legs of a table are four places on a
        floor.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> places = box.places_within(box.at(orbox.translation(1.5, 0, 0)), 0.5)
        >>> places.distance, places.point_a[0, 0]
        (array([0.5]), np.float64(1.0))
        """
        length = distance_of(distance, "distance")
        return Places._make(self._with(_core.places_within, other, options, length))

    @query
    def relation(
        self,
        other: Any,
        *,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> Relation:
        """The relation of the meshes as solids, exactly.

        "meet": the surfaces have a common point. "apart": not even the solids
        have one. "inside": this mesh is in the solid of the other. "contains":
        the other mesh is in the solid of this one. "solids overlap": meshes of
        several parts, some of which are inside. "undefined": the answer depends
        on the inside of an open mesh.

        Args:
            inside: the rule by which points are inside, as for ``contains``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> inner = orbox.translation(0.25, 0.25, 0.25) @ orbox.scaling(0.5)
        >>> box.relation(box.at(inner))
        'contains'
        """
        return self._with(_core.relation, other, options, by_parity(inside))

    @query
    def penetration(
        self, other: Any, *, inside: InsideRule = "winding", **options: Unpack[QueryOptions]
    ) -> Penetration | None:
        """Depth of penetration: how far this mesh has to move to be free, enclosed, and a way out.

        The shortest way is between ``lower`` and ``upper``, which is the length
        of ``translation``: moved by it, this mesh does not meet the other one.
        For convex solids the two bounds are equal except for rounding. None if no
        way out could be verified; 0 if the meshes are apart.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> way = box.penetration(box.at(orbox.translation(0.5, 0.25, 0)))
        >>> way is not None and (round(way.lower, 9), round(way.upper, 9))
        (0.5, 0.5)
        """
        way = self._with(_core.penetration, other, options, by_parity(inside))
        return None if way is None else Penetration._make(way)

    @query
    def hausdorff(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        **options: Unpack[QueryOptions],
    ) -> Hausdorff:
        """Hausdorff distance: the largest distance of this surface from the other one.

        The one-sided Hausdorff distance, enclosed: lower <= h <= upper, as
        close as the larger of the two tolerances.

        Args:
            tolerance: of upper - lower; None is a thousandth of the size of the
                other mesh.
            relative_tolerance: the same as a share of ``lower``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> far = box.hausdorff(box.at(orbox.translation(0.25, 0, 0)))
        >>> bool(far.lower <= 0.25 <= far.upper)
        True
        """
        return Hausdorff._make(
            self._strays(_core.hausdorff, other, tolerance, relative_tolerance, options)
        )

    @query
    def symmetric_hausdorff(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        **options: Unpack[QueryOptions],
    ) -> SymmetricHausdorff:
        """Both one-sided distances; the Hausdorff distance is the larger one.

        Tolerances are those of ``hausdorff``, each of the mesh that a distance
        is measured to.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> far = box.symmetric_hausdorff(box.at(orbox.scaling(2)), tolerance=0)
        >>> far.a_to_b.lower, far.upper == 3**0.5
        (1.0, True)
        """
        both = self._strays(
            _core.symmetric_hausdorff, other, tolerance, relative_tolerance, options
        )
        return SymmetricHausdorff._make(map(Hausdorff._make, both))

    @query
    def deviation(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        **options: Unpack[QueryOptions],
    ) -> Deviation:
        """Smallest and largest distance of each face from the other surface.

        Returns:
            Arrays over the faces of this mesh: ``nearest`` is exact;
            ``farthest_lower`` and ``farthest_upper`` enclose the farthest.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> float(box.deviation(box).nearest.max())
        0.0
        """
        return Deviation._make(
            self._strays(_core.deviation, other, tolerance, relative_tolerance, options)
        )

    @query
    def deviation_summary(
        self,
        other: Any,
        *,
        within: float | None = None,
        max_distance: float = inf,
        **options: Unpack[QueryOptions],
    ) -> DeviationSummary:
        """Statistics of the distances of the vertices from the other surface.

        A vertex counts with a third of the area of its faces, so that the
        surface counts and not the density of its vertices. If no face has an
        area, as in a cloud of points, all count alike.

        Args:
            within: tolerance of ``share_within``.
            max_distance: leaves out vertices that are farther away, and counts
                them in ``beyond``. If all are, the numbers are NaN.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> s = box.deviation_summary(box.at(orbox.scaling(2)), within=0.5)
        >>> s.points, round(s.mean, 3), round(s.share_within, 3)
        (8, 0.167, 0.833)
        """
        limits = limits_of(within, max_distance)
        return DeviationSummary._make(
            self._with(_core.deviation_summary, other, options, *limits)
        )

    def _with(
        self, call: Callable[..., Any], other: Any, options: QueryOptions, *values: Any
    ) -> Any:
        """Runs a query of this mesh and another, with threads chosen by the number of faces."""
        a, b = self._target, other_of(other)
        run = run_options(options, PER_FACE * (a.face_count + b.face_count))
        return call(a, b, *values, run)

    def _strays(
        self,
        call: Callable[..., Any],
        other: Any,
        tolerance: float | None,
        relative_tolerance: float,
        options: QueryOptions,
    ) -> Any:
        wanted = tolerances_of(tolerance, relative_tolerance)
        return call(self._target, other_of(other), *wanted, run_options(options, MUCH))
