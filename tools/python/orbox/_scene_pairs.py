# SPDX-License-Identifier: Apache-2.0

"""Queries of the bodies of a scene with each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from . import _core
from ._bodies import Bodies
from ._clash import Clash, ClashOptions, clash_of, settings_of
from ._inputs import Floats, Ints, distance_of
from ._options import MUCH, QueryOptions, query, run_options
from ._results import PairsWithin, Ragged

if TYPE_CHECKING:
    from ._options import Unpack

_Item = TypeVar("_Item")


class BodyGap(NamedTuple):
    """Two bodies, how far they are apart, and where."""

    a: Hashable
    b: Hashable
    distance: float
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class BodyClash(NamedTuple):
    """Two bodies, and their clash."""

    a: Hashable
    b: Hashable
    clash: Clash


class NotJudged(NamedTuple):
    """Bodies that are not judged as solids by winding numbers.

    And elements that are no bodies, because they have no mesh.
    """

    open: list[Hashable]
    faces_disagree: list[Hashable]
    left_out: list[Hashable]


class PairsOfBodies(Bodies):
    """The queries of pairs of bodies, for Scene. Ignored pairs are left out."""

    __slots__ = ()

    @query
    def overlaps(self, **options: Unpack[QueryOptions]) -> list[tuple[Hashable, Hashable]]:
        """The pairs of bodies whose surfaces have a common point, exactly."""
        ids = self._core.overlaps(run_options(options, MUCH))
        return [self._pair(p) for p in ids.tolist() if self._counts(p)]

    @query
    def overlapping_pairs(
        self, **options: Unpack[QueryOptions]
    ) -> dict[tuple[Hashable, Hashable], Ints]:
        """For each pair of bodies that overlap, their pairs of faces, (n, 2)."""
        ids, offsets, faces = self._core.overlapping_faces(run_options(options, MUCH))
        return self._by_pair(ids, Ragged(offsets, faces))

    @query
    def within(self, distance: float, **options: Unpack[QueryOptions]) -> list[BodyGap]:
        """The pairs of bodies at most ``distance`` apart, and where."""
        length = distance_of(distance, "distance")
        return [self._gap(*row) for row in self._rows(self._core.within, length, options)]

    @query
    def pairs_within(
        self, distance: float, **options: Unpack[QueryOptions]
    ) -> dict[tuple[Hashable, Hashable], PairsWithin]:
        """For each such pair of bodies, all pairs of faces that near."""
        length = distance_of(distance, "distance")
        ids, offsets, pairs = self._core.faces_within(length, run_options(options, MUCH))
        return self._by_pair(ids, Ragged(offsets, PairsWithin._make(pairs)))

    @query
    def clashes(self, **options: Unpack[ClashOptions]) -> list[BodyClash]:
        """Relations of bodies as solids: all pairs that are not apart.

        Kinds and measures are those of ``Tree.clash``. A body inside another is
        found.

        >>> import orbox
        >>> scene = orbox.Scene()
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> for x in (0, 0.5, 1.5):
        ...     scene.add(f"at {x}", box, orbox.translation(x, 0, 0))
        >>> [(c.a, c.b, c.clash.kind) for c in scene.clashes(tolerance=0.01)]
        [('at 0', 'at 0.5', 'clash'), ('at 0.5', 'at 1.5', 'touch')]
        """
        settings, rest = settings_of(options)
        columns = self._core.clashes(settings, run_options(rest, MUCH))
        return [self._clash(*row) for row in zip(*columns) if self._counts(row[0])]

    def not_judged(self, *, close_holes: float = 0.0) -> NotJudged:
        """The bodies that ``clashes`` does not judge as solids by winding numbers.

        Open bodies have no inside: nothing is found in them. Bodies whose faces
        do not agree are judged by parity. Elements that were left out
        (``leave_out``, ``orbox.ifc``) have no mesh at all. With
        ``close_holes``, as ``clashes`` has it, bodies with closed holes are
        judged; ``closed_holes`` names them.

        >>> import orbox
        >>> scene = orbox.Scene()
        >>> box = orbox.generate("box", 12)
        >>> scene.add("box", box)
        >>> scene.add("lid", orbox.Mesh(box.vertices, box.faces[:4]))
        >>> scene.not_judged().open
        ['lid']
        """
        lists: NotJudged = NotJudged([], [], list(self._left_out))
        for name in self._all:
            _, is_closed, do_faces_agree = self._closed(name, close_holes)
            if not is_closed:
                lists.open.append(name)
            elif not do_faces_agree:
                lists.faces_disagree.append(name)
        return lists

    def closed_holes(self, close_holes: float) -> dict[Hashable, int]:
        """The bodies that ``clashes(close_holes=...)`` closes, each with its number of holes.

        >>> import orbox
        >>> scene = orbox.Scene()
        >>> box = orbox.generate("box", 12)
        >>> scene.add("box", orbox.Mesh(box.vertices, box.faces[1:]))
        >>> scene.closed_holes(1), scene.closed_holes(4)
        ({}, {'box': 1})
        """
        counts = {name: self._closed(name, close_holes)[0] for name in self._all}
        return {name: count for name, count in counts.items() if count > 0}

    def _closed(self, name: Hashable, close_holes: float) -> tuple[int, bool, bool]:
        """Holes that are closed, whether the body is closed then, and whether faces agree."""
        length = distance_of(close_holes, "close_holes")
        holes, is_closed, agree = _core.closed_holes(self.body(name)._target, length)
        return int(holes), bool(is_closed), bool(agree)

    @query
    def closest_bodies(self, **options: Unpack[QueryOptions]) -> BodyGap | None:
        """The two bodies closest to each other; None if there are no two.

        Ignored pairs and groups count.
        """
        found = self._core.closest_bodies(run_options(options, 1))
        return None if found is None else self._gap(*found)

    def _rows(self, call: Any, value: Any, options: QueryOptions) -> Iterator[Any]:
        """Results of each pair that counts."""
        rows = zip(*call(value, run_options(options, MUCH)))
        return (row for row in rows if self._counts(row[0]))

    def _by_pair(self, ids: Ints, lists: Ragged[_Item]) -> dict[tuple[Hashable, Hashable], _Item]:
        return {self._pair(p): lists[i] for i, p in enumerate(ids.tolist()) if self._counts(p)}

    def _clash(self, ids: Any, *fields: Any) -> BodyClash:
        return BodyClash(*self._pair(ids), clash_of(fields))

    def _gap(self, ids: Any, distance: Any, faces: Any, on_a: Floats, on_b: Floats) -> BodyGap:
        pair = (int(faces[0]), int(faces[1]))
        return BodyGap(*self._pair(ids), float(distance), pair, on_a, on_b)
