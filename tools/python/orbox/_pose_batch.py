# SPDX-License-Identifier: Apache-2.0

"""Queries of a mesh at many poses and another mesh."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from . import _core as core
from ._inputs import Bools, Floats, Ints, distance_of, missing
from ._options import QueryOptions, query, run_options
from ._pairs import other_of
from ._results import Gap, PairsWithin, Places, Ragged

if TYPE_CHECKING:
    from ._options import Unpack


class PoseBatch:
    """A tree at many poses: a query runs at each pose, in one call.

    Made by ``tree.at(poses)`` with poses of shape (n, 4, 4). Results are those of
    the single queries, in the order of the poses.

    >>> import numpy as np, orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> poses = np.stack([orbox.translation(x, 0, 0) for x in (0, 1, 2)])
    >>> box.at(poses).overlaps(box)
    array([ True,  True, False])
    >>> box.at(poses).distance(box).distance
    array([0., 0., 1.])
    """

    __slots__ = ("_core", "_poses")

    _core: core.Tree
    _poses: Floats

    def __init__(self, tree: core.Tree, poses: Floats) -> None:
        self._core = tree
        self._poses = poses

    def __len__(self) -> int:
        return len(self._poses)

    def __repr__(self) -> str:
        return f"PoseBatch({len(self)} poses, {self._core.mesh.face_count:,} faces)"

    @query
    def overlaps(self, other: Any, **options: Unpack[QueryOptions]) -> Bools:
        """For each pose: True if the surfaces have a common point."""
        return self._with(core.poses_overlap, other, options)

    @query
    def overlap_count(self, other: Any, **options: Unpack[QueryOptions]) -> Ints:
        """Number of pairs of faces that overlap at each pose."""
        return self._with(core.poses_overlap_counts, other, options)

    @query
    def overlapping_pairs(self, other: Any, **options: Unpack[QueryOptions]) -> Ragged[Ints]:
        """The pairs of faces that overlap at each pose."""
        return Ragged(*self._with(core.poses_overlapping_pairs, other, options))

    @query
    def within(self, other: Any, distance: float, **options: Unpack[QueryOptions]) -> Bools:
        """For each pose: True if the surfaces are at most ``distance`` apart."""
        length = distance_of(distance, "distance")
        return self._with(core.poses_within, other, options, length)

    @query
    def pairs_within(
        self, other: Any, distance: float, **options: Unpack[QueryOptions]
    ) -> Ragged[PairsWithin]:
        """The pairs of faces at most ``distance`` apart at each pose."""
        length = distance_of(distance, "distance")
        offsets, pairs = self._with(core.poses_pairs_within, other, options, length)
        return Ragged(offsets, PairsWithin._make(pairs))

    @query
    def places_within(
        self, other: Any, distance: float, **options: Unpack[QueryOptions]
    ) -> Ragged[Places]:
        """The places where the surfaces are that near at each pose."""
        length = distance_of(distance, "distance")
        offsets, places = self._with(core.poses_places_within, other, options, length)
        return Ragged(offsets, Places._make(places))

    @query
    def distance(
        self, other: Any, *, max_distance: float = inf, **options: Unpack[QueryOptions]
    ) -> Gap:
        """Smallest distance of the surfaces at each pose, and where."""
        limit = distance_of(max_distance, "max_distance")
        return Gap._make(self._with(core.poses_distance, other, options, limit))

    if not TYPE_CHECKING:  # checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            from ._tree import PosedTree  # which imports this file

            raise missing(
                "PoseBatch",
                name,
                PosedTree,
                f"only a single pose has: [tree.at(pose).{name} for pose in poses]",
            )

    def _with(
        self, call: Callable[..., Any], other: Any, options: QueryOptions, *values: Any
    ) -> Any:
        run = run_options(options, 64 * len(self))
        return call(self._core, self._poses, other_of(other), *values, run)
