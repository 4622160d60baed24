# SPDX-License-Identifier: Apache-2.0

"""What two meshes answer together, and one mesh at many poses with another."""

from __future__ import annotations

from math import inf
from typing import Any, Literal

import numpy as np

from . import _core
from ._inputs import (
    Bools,
    Floats,
    Ints,
    Progress,
    count_of,
    distance_of,
    progress_of,
    threads_for_faces,
    threads_of,
)
from ._results import (
    Contacts,
    Deviation,
    Gap,
    Hausdorff,
    PairsWithin,
    Penetration,
    Ragged,
)

Relation = Literal["meet", "apart", "inside", "contains", "solids overlap", "undefined"]


def _other(x: Any) -> _core.PosedTree:
    posed = getattr(x, "_posed", None)
    if isinstance(posed, _core.PosedTree):
        return posed
    from ._tree import Tree

    return Tree(x)._posed


def _faces(posed: _core.PosedTree) -> int:
    return posed.tree.mesh.face_count


class PairQueries:
    """The queries of two meshes, for Tree and PosedTree.

    The other mesh may be a Tree, a PosedTree, or anything that ``Mesh.of``
    takes; such a mesh gets a tree for this one call.
    """

    __slots__ = ()

    _posed: _core.PosedTree

    def overlaps(self, other: Any, *, statistics: _core.Statistics | None = None) -> bool:
        """Whether the surfaces have a common point, exactly. Touching counts.

        A mesh inside another does not overlap it: see ``relation``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.overlaps(box.at(orbox.translation(1, 0, 0)))
        True
        >>> box.overlaps(box.at(orbox.translation(1.0000000001, 0, 0)))
        False
        """
        return _core.overlap(self._posed, _other(other), statistics)

    def overlapping_pairs(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """All pairs of faces that overlap, (n, 2), ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.overlapping_pairs(box.at(orbox.translation(9, 0, 0))).shape
        (0, 2)
        """
        b = _other(other)
        threads = threads_for_faces(threads, _faces(self._posed) + _faces(b))
        return _core.overlapping_pairs(self._posed, b, threads, progress_of(progress), statistics)

    def overlap_count(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> int:
        """How many pairs of faces overlap."""
        b = _other(other)
        threads = threads_for_faces(threads, _faces(self._posed) + _faces(b))
        return _core.overlap_count(self._posed, b, threads, progress_of(progress), statistics)

    def contacts(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Contacts:
        """Where faces overlap: points, segments, and polygons of common planes.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> touch = box.contacts(box.at(orbox.translation(1, 0, 0)))
        >>> set(touch.points[:, 0].tolist())
        {1.0}
        """
        b = _other(other)
        threads = threads_for_faces(threads, _faces(self._posed) + _faces(b))
        return Contacts(*_core.contacts(self._posed, b, threads, progress_of(progress), statistics))

    def distance(
        self,
        other: Any,
        *,
        max_distance: float = inf,
        guess: tuple[int, int] | None = None,
        statistics: _core.Statistics | None = None,
    ) -> Gap:
        """How far the surfaces are apart, and where; 0 where they overlap.

        Args:
            max_distance: nothing farther is found; then distance is inf, faces
                are -1 and points are nan.
            guess: faces that are near, such as those of the last answer where
                meshes move a little: faster, and the same answer.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.distance(box.at(orbox.translation(1.5, 0, 0))).distance
        0.5
        """
        pair = None
        if guess is not None:
            first, second = guess
            pair = _core.TrianglePair(count_of(first, "guess"), count_of(second, "guess"))
        gap = _core.distance(
            self._posed, _other(other), distance_of(max_distance, "max_distance"), pair, statistics
        )
        if gap is None:
            nowhere = np.full(3, np.nan)
            return Gap(inf, (-1, -1), nowhere, nowhere.copy())  # type: ignore[arg-type]
        return Gap._make(gap)

    def within(
        self, other: Any, distance: float, *, statistics: _core.Statistics | None = None
    ) -> bool:
        """Whether the surfaces are at most ``distance`` apart, exactly.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.within(box.at(orbox.translation(1.5, 0, 0)), 0.5)
        True
        """
        return _core.within(
            self._posed, _other(other), distance_of(distance, "distance"), statistics
        )

    def pairs_within(
        self,
        other: Any,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> PairsWithin:
        """All pairs of faces at most ``distance`` apart, and how far each is.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> pairs = box.pairs_within(box.at(orbox.translation(1.5, 0, 0)), 0.5)
        >>> float(pairs.distance.max())
        0.5
        """
        b = _other(other)
        return PairsWithin._make(
            _core.pairs_within(
                self._posed,
                b,
                distance_of(distance, "distance"),
                threads_for_faces(threads, _faces(self._posed) + _faces(b)),
                progress_of(progress),
                statistics,
            )
        )

    def within_count(
        self,
        other: Any,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> int:
        """How many pairs of faces are at most ``distance`` apart."""
        b = _other(other)
        return _core.within_count(
            self._posed,
            b,
            distance_of(distance, "distance"),
            threads_for_faces(threads, _faces(self._posed) + _faces(b)),
            progress_of(progress),
            statistics,
        )

    def relation(self, other: Any, *, statistics: _core.Statistics | None = None) -> Relation:
        """How the meshes lie to each other as solids, exactly.

        "meet": the surfaces have a common point. "apart": not even the solids
        have one. "inside": this one lies in the solid of the other. "contains":
        the other way round. "solids overlap": meshes of several parts, some of
        which are inside. "undefined": it hangs on the inside of an open mesh.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> inner = orbox.translation(0.25, 0.25, 0.25) @ orbox.scaling(0.5)
        >>> box.relation(box.at(inner))
        'contains'
        """
        return _core.relation(self._posed, _other(other), statistics)  # type: ignore[return-value]

    def penetration(
        self, other: Any, *, statistics: _core.Statistics | None = None
    ) -> Penetration | None:
        """How far this mesh has to be moved to be free: some way out.

        An estimate: the shortest way is at most ``depth``. None where no way
        out could be verified; depth 0 where the meshes are apart.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> way = box.penetration(box.at(orbox.translation(0.5, 0.25, 0)))
        >>> way is not None and round(way.depth, 9)
        0.5
        """
        way = _core.penetration(self._posed, _other(other), statistics)
        return None if way is None else Penetration._make(way)

    def hausdorff(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Hausdorff:
        """How far this surface strays from the other one, at most.

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
            _core.hausdorff(
                self._posed,
                _other(other),
                -1.0 if tolerance is None else distance_of(tolerance, "tolerance"),
                distance_of(relative_tolerance, "relative_tolerance"),
                threads_of(0 if threads is None else threads, 0),
                progress_of(progress),
                statistics,
            )
        )

    def deviation(
        self,
        other: Any,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Deviation:
        """The same face by face: how near and how far each comes.

        Returns:
            Arrays over the faces of this mesh: ``nearest`` is exact;
            ``farthest_lower`` and ``farthest_upper`` enclose the farthest.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> float(box.deviation(box).nearest.max())
        0.0
        """
        return Deviation._make(
            _core.deviation(
                self._posed,
                _other(other),
                -1.0 if tolerance is None else distance_of(tolerance, "tolerance"),
                distance_of(relative_tolerance, "relative_tolerance"),
                threads_of(0 if threads is None else threads, 0),
                progress_of(progress),
                statistics,
            )
        )


class PoseBatch:
    """A tree at many poses: each question is asked at each pose, in one call.

    Made by ``tree.at(poses)`` with poses of shape (n, 4, 4). Answers are those
    of the single questions, each at its own place.

    >>> import numpy as np, orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> poses = np.stack([orbox.translation(x, 0, 0) for x in (0, 1, 2)])
    >>> box.at(poses).overlaps(box)
    array([ True,  True, False])
    >>> box.at(poses).distance(box).distance
    array([0., 0., 1.])
    """

    __slots__ = ("_core", "_poses")

    _core: _core.Tree
    _poses: Floats

    def __init__(self, tree: _core.Tree, poses: Floats) -> None:
        self._core = tree
        self._poses = poses

    def __len__(self) -> int:
        return len(self._poses)

    def __repr__(self) -> str:
        return f"PoseBatch({len(self)} poses, {self._core.mesh.face_count:,} faces)"

    def _run(self, threads: int | None, progress: Progress) -> tuple[int, Any]:
        return threads_of(threads, 64 * len(self)), progress_of(progress)

    def overlaps(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """At which poses the surfaces have a common point."""
        run = self._run(threads, progress)
        return _core.poses_overlap(self._core, self._poses, _other(other), *run, statistics)

    def overlap_count(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many pairs of faces overlap at each pose."""
        run = self._run(threads, progress)
        return _core.poses_overlap_counts(self._core, self._poses, _other(other), *run, statistics)

    def overlapping_pairs(
        self,
        other: Any,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[Ints]:
        """The pairs of faces that overlap at each pose."""
        run = self._run(threads, progress)
        return Ragged(
            *_core.poses_overlapping_pairs(self._core, self._poses, _other(other), *run, statistics)
        )

    def within(
        self,
        other: Any,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """At which poses the surfaces are at most ``distance`` apart."""
        run = self._run(threads, progress)
        length = distance_of(distance, "distance")
        return _core.poses_within(self._core, self._poses, _other(other), length, *run, statistics)

    def pairs_within(
        self,
        other: Any,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[PairsWithin]:
        """The pairs of faces at most ``distance`` apart at each pose."""
        run = self._run(threads, progress)
        length = distance_of(distance, "distance")
        offsets, faces, distances = _core.poses_pairs_within(
            self._core, self._poses, _other(other), length, *run, statistics
        )
        return Ragged(offsets, PairsWithin(faces, distances))

    def distance(
        self,
        other: Any,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Gap:
        """How far the surfaces are apart at each pose, and where."""
        run = self._run(threads, progress)
        length = distance_of(max_distance, "max_distance")
        return Gap._make(
            _core.poses_distance(self._core, self._poses, _other(other), length, *run, statistics)
        )
