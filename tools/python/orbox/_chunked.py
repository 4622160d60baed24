# SPDX-License-Identifier: Apache-2.0

"""Meshes larger than memory: trees in chunks, in files that are mapped as queries come to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import (
    Floats,
    InsideRule,
    Ints,
    Path,
    by_parity,
    count_of,
    distance_of,
    laid_out,
    missing,
    poses_of,
)
from ._options import MUCH, QueryOptions, query, run_options
from ._pairs import Relation, tolerances_of
from ._points import PointQueries
from ._poses import translation
from ._rays import RayQueries
from ._regions import RegionQueries
from ._results import (
    Deviation,
    Gap,
    Hausdorff,
    PairsWithin,
    SelfContacts,
    SymmetricHausdorff,
    self_contacts_of,
)
from ._tree import Tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

_NOWHERE = translation(0, 0, 0)


class ChunkTasks(NamedTuple):
    """Pairs of chunks that a query of pairs has to visit.

    ``chunks`` is (n, 2). No pair of faces is nearer than ``gap``, except for
    rounding; ``cost`` estimates the time of a task, in units of a face.
    """

    chunks: Ints
    gap: Floats
    cost: Floats


class ChunkedTree(PointQueries, RegionQueries, RayQueries):
    """A mesh in chunks: a folder that ``build`` or ``orbox build`` writes.

    Results of queries are those of a ``Tree`` of the whole mesh, to the bit, with
    faces numbered through all of it. Two may differ: winding numbers, within their
    error, and ``earliest`` of moving balls, in its last bits. Use batches: a batch
    loads each chunk once or twice.

    Args:
        path: the folder, NAME.orboxd.
        memory: the largest number of bytes of chunks that stay mapped.

    Raises:
        OSError: the folder, or a chunk of it, cannot be read.
        ValueError: something in it is damaged, or no chunk of this folder.

    >>> import os, tempfile, orbox
    >>> folder = tempfile.TemporaryDirectory()
    >>> ball, whole = (os.path.join(folder.name, n) for n in ("ball.ply", "ball.orboxd"))
    >>> orbox.generate("sphere", 1000).save(ball)
    >>> tree = orbox.ChunkedTree.build([ball], whole, chunk_size=100)
    >>> len(tree), tree.chunk_count
    (968, 10)
    >>> round(tree.closest((0, 0, 3)).distance, 2)
    2.0
    >>> folder.cleanup()
    """

    __slots__ = ("_closed", "_memory", "_signed", "_target", "_winding")

    def __init__(self, path: Path, *, memory: int = 1 << 30) -> None:
        self._memory = _bytes(memory)
        self._target = core.open_chunked(os.fspath(path), self._memory)
        self._closed: bool | None = None
        self._signed: core.ChunkedSignedDistanceField | None = None
        self._winding: core.ChunkedWindingNumberField | None = None

    @classmethod
    def build(
        cls,
        files: Iterable[Path],
        path: Path,
        *,
        memory: int = 2 << 30,
        chunk_size: int = 131072,
        first_id: int = 0,
        **options: Unpack[QueryOptions],
    ) -> ChunkedTree:
        """Writes the folder ``path``, NAME.orboxd, from mesh files.

        Args:
            files: numbered through, in their order. Binary PLY and STL may be
                larger than memory.
            memory: the largest number of resident bytes; at least 2400 for each
                face of a chunk.
            chunk_size: faces of a chunk.
            first_id: the number of the first face.
        """
        names = [os.fspath(f) for f in files]
        size = count_of(chunk_size, "chunk_size", 1)
        run = run_options(options, MUCH)
        core.build_chunked(names, os.fspath(path), _bytes(memory), size, int(first_id), run)
        return cls(path)

    @property
    def path(self) -> str:
        """The folder."""
        return self._target.path

    @property
    def chunk_count(self) -> int:
        """Number of chunks."""
        return len(self._target.table[2])

    @property
    def bounds(self) -> Floats:
        """(2, 3): the lowest and the highest corner of the box around all faces."""
        lo, hi, _ = self._target.table
        return np.stack([lo.min(axis=0), hi.max(axis=0)])

    if not TYPE_CHECKING:  # checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            raise missing(
                "ChunkedTree",
                name,
                Tree,
                "only a Tree has; if the mesh fits in memory, build an orbox.Tree of its file",
            )

    def __len__(self) -> int:
        return self._target.triangle_count

    def __repr__(self) -> str:
        return f"ChunkedTree({self.path!r}, {len(self)} faces in {self.chunk_count} chunks)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (self.path, self._memory)

    @query
    def overlapping_pairs(
        self, other: ChunkedTree, *, pose: ArrayLike = _NOWHERE, **options: Unpack[QueryOptions]
    ) -> Ints:
        """Pairs of faces that overlap, (n, 2), ascending; ``other`` is at ``pose``."""
        return self._with(core.chunked_overlaps, other, pose, options)

    @query
    def pairs_within(
        self,
        other: ChunkedTree,
        distance: float,
        *,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> PairsWithin:
        """Pairs of faces at most ``distance`` apart, ascending; ``other`` is at ``pose``."""
        length = distance_of(distance, "distance")
        return PairsWithin._make(
            self._with(core.chunked_pairs_within, other, pose, options, length)
        )

    @query
    def overlaps(
        self, other: ChunkedTree, *, pose: ArrayLike = _NOWHERE, **options: Unpack[QueryOptions]
    ) -> bool:
        """Returns True if the surfaces have a common point; ``other`` is at ``pose``."""
        return self._with(core.chunked_overlap, other, pose, options)

    @query
    def overlap_count(
        self, other: ChunkedTree, *, pose: ArrayLike = _NOWHERE, **options: Unpack[QueryOptions]
    ) -> int:
        """Number of pairs of faces that overlap."""
        return self._with(core.chunked_overlap_count, other, pose, options)

    @query
    def relation(
        self,
        other: ChunkedTree,
        *,
        inside: InsideRule = "winding",
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> Relation:
        """The relation of the meshes as solids; ``other`` is at ``pose``.

        Like ``Tree.relation``. With an open mesh, it may be "undefined" where that
        of trees is "apart".
        """
        return self._with(core.chunked_relation, other, pose, options, by_parity(inside))

    @query
    def within(
        self,
        other: ChunkedTree,
        distance: float,
        *,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> bool:
        """Returns True if the surfaces are at most ``distance`` apart."""
        length = distance_of(distance, "distance")
        return self._with(core.chunked_within, other, pose, options, length)

    @query
    def within_count(
        self,
        other: ChunkedTree,
        distance: float,
        *,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> int:
        """Number of pairs of faces that are at most ``distance`` apart."""
        length = distance_of(distance, "distance")
        return self._with(core.chunked_within_count, other, pose, options, length)

    @query
    def distance(
        self,
        other: ChunkedTree,
        *,
        max_distance: float = inf,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> Gap:
        """Smallest distance of the surfaces, and where; like ``Tree.distance``."""
        limit = distance_of(max_distance, "max_distance")
        return Gap._make(self._with(core.chunked_distance, other, pose, options, limit))

    @query
    def hausdorff(
        self,
        other: ChunkedTree,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> Hausdorff:
        """Hausdorff distance from the other surface; like ``Tree.hausdorff``."""
        wanted = tolerances_of(tolerance, relative_tolerance)
        return Hausdorff._make(self._with(core.chunked_hausdorff, other, pose, options, *wanted))

    @query
    def symmetric_hausdorff(
        self,
        other: ChunkedTree,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> SymmetricHausdorff:
        """Both ways; as ``Tree.symmetric_hausdorff``."""
        wanted = tolerances_of(tolerance, relative_tolerance)
        both = self._with(core.chunked_symmetric_hausdorff, other, pose, options, *wanted)
        return SymmetricHausdorff._make(map(Hausdorff._make, both))

    @query
    def deviation(
        self,
        other: ChunkedTree,
        *,
        tolerance: float | None = None,
        relative_tolerance: float = 0,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> Deviation:
        """Smallest and largest distance of each face; like ``Tree.deviation``."""
        wanted = tolerances_of(tolerance, relative_tolerance)
        return Deviation._make(self._with(core.chunked_deviation, other, pose, options, *wanted))

    @query
    def self_intersections(self, **options: Unpack[QueryOptions]) -> Ints:
        """Pairs of faces of this mesh that overlap, (n, 2), ascending."""
        found: Ints = core.chunked_self_overlaps(self._target, run_options(options, MUCH))
        return found

    @query
    def self_contacts(self, **options: Unpack[QueryOptions]) -> SelfContacts:
        """The pairs of ``self_intersections``, and the kind of each contact."""
        run = run_options(options, MUCH)
        return self_contacts_of(core.chunked_self_contacts(self._target, run))

    @query
    def self_within(self, distance: float, **options: Unpack[QueryOptions]) -> PairsWithin:
        """Pairs of faces without a common corner, at most ``distance`` apart, ascending."""
        length = distance_of(distance, "distance")
        return PairsWithin._make(
            core.chunked_self_within(self._target, length, run_options(options, MUCH))
        )

    def tasks(
        self, other: ChunkedTree, distance: float = 0, *, pose: ArrayLike = _NOWHERE
    ) -> ChunkTasks:
        """The pairs of chunks, of this tree and of ``other``, that are within ``distance``.

        Each pair of faces belongs to one task, so that workers share the tasks
        and join what they find; ``orbox.dask`` does so.
        """
        length = distance_of(distance, "distance")
        return _tasks(core.chunk_tasks(_at(self), _at(other, pose), length))

    def self_tasks(self, distance: float = 0) -> ChunkTasks:
        """Tasks of this tree and itself."""
        return _tasks(core.self_chunk_tasks(_at(self), distance_of(distance, "distance")))

    def _with(
        self,
        call: Callable[..., Any],
        other: ChunkedTree,
        pose: ArrayLike,
        options: QueryOptions,
        *values: Any,
    ) -> Any:
        return call(_at(self), _at(other, pose), *values, run_options(options, MUCH))

    def _is_closed(self) -> bool:
        if self._closed is None:
            self._closed = core.chunked_is_closed(self._target)
        return self._closed

    def _signed_field(self) -> core.ChunkedSignedDistanceField:
        if self._signed is None:
            self._signed = core.signed_distance_field(self._target)
        return self._signed

    def _winding_field(self) -> core.ChunkedWindingNumberField:
        if self._winding is None:
            self._winding = core.winding_number_field(self._target)
        return self._winding


class TaskQuestion(NamedTuple):
    """A query of pairs, for workers that open the trees by their paths.

    ``b`` is None for a tree and itself, ``distance`` for pairs that overlap.
    """

    a: str
    b: Union[str, None]
    distance: Union[float, None]
    pose: Any  # of b, (4, 4)
    memory: int

    def tasks(self) -> ChunkTasks:
        """All there is to do."""
        a = ChunkedTree(self.a, memory=self.memory)
        if self.b is None:
            return a.self_tasks(self.distance or 0)
        b = ChunkedTree(self.b, memory=self.memory)
        return a.tasks(b, self.distance or 0, pose=self.pose)

    def ask(self, chunks: Ints) -> tuple[Ints, Floats | None]:
        """The pairs of faces of some tasks, ascending, and their distances for a ``distance``."""
        run = (1, None, None)
        tasks = laid_out(np.asarray(chunks), np.int64).reshape(-1, 2)
        a = ChunkedTree(self.a, memory=self.memory)
        if self.b is None:
            if self.distance is None:
                return core.task_self_overlaps(a._target, tasks, run), None
            return core.task_self_within(a._target, self.distance, tasks, run)
        at, b = _at(a), _at(ChunkedTree(self.b, memory=self.memory), self.pose)
        if self.distance is None:
            return core.task_overlaps(at, b, tasks, run), None
        return core.task_within(at, b, self.distance, tasks, run)


def joined(parts: Iterable[tuple[Ints, Floats | None]]) -> Ints | PairsWithin:
    """Joins the results of tasks to those of the whole query."""
    found = list(parts)
    faces = np.concatenate([np.zeros((0, 2), np.int64)] + [f for f, _ in found])
    order = np.lexsort((faces[:, 1], faces[:, 0]))
    if not found or found[0][1] is None:
        return faces[order]
    distances = np.concatenate([d for _, d in found if d is not None])
    return PairsWithin(faces[order], distances[order])


def _opened(path: str, memory: int) -> ChunkedTree:
    return ChunkedTree(path, memory=memory)


def _bytes(memory: int) -> int:
    if memory < 0:
        raise ValueError(f"memory: is {memory}, and has to be 0 or more bytes")
    return int(memory)


def _at(tree: ChunkedTree, pose: ArrayLike = _NOWHERE) -> core.PosedChunkedTree:
    if not isinstance(tree, ChunkedTree):
        raise TypeError(f"other: has to be an orbox.ChunkedTree, and is {tree!r}")
    return core.chunked_at(tree._target, poses_of(pose)[0])


def _tasks(found: Any) -> ChunkTasks:
    return ChunkTasks(np.column_stack(found[:2]), found[2], found[3])
