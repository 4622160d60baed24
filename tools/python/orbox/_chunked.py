# SPDX-License-Identifier: Apache-2.0

"""Meshes larger than memory: trees in chunks, in files that are mapped as queries come to them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import (
    Bools,
    Floats,
    Ints,
    Path,
    columns,
    count_of,
    distance_of,
    laid_out,
    poses_of,
    rows,
)
from ._options import MUCH, QueryOptions, asked, query
from ._poses import translation
from ._results import Closest, PairsWithin, RayHits

if TYPE_CHECKING:
    from typing_extensions import Unpack

_NOWHERE = translation(0, 0, 0)


class ChunkTasks(NamedTuple):
    """Pairs of chunks that a question about pairs has to look at.

    ``chunks`` is (n, 2). No pair of faces is nearer than ``gap``, but for
    rounding; ``cost`` is what a task may take, in units of a face.
    """

    chunks: Ints
    gap: Floats
    cost: Floats


class ChunkedTree:
    """A mesh in chunks: a folder that ``build`` or ``orbox build`` writes.

    Queries answer as those of ``Tree`` do for the whole mesh, to the bit, with
    faces numbered through all of it.

    Args:
        path: the folder, NAME.orboxd.
        memory: at most so many bytes of chunks stay mapped.

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
    >>> tree.closest((0, 0, 3)).distance.round(2).tolist()
    [2.0]
    >>> folder.cleanup()
    """

    __slots__ = ("_core", "_memory")

    def __init__(self, path: Path, *, memory: int = 1 << 30) -> None:
        self._memory = _bytes(memory)
        self._core = core.open_chunked(os.fspath(path), self._memory)

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
            memory: at most so many bytes are resident; at least 2400 a face of
                a chunk.
            chunk_size: faces of a chunk.
            first_id: the number of the first face.
        """
        names = [os.fspath(f) for f in files]
        size = count_of(chunk_size, "chunk_size", 1)
        run = asked(options, MUCH)
        core.build_chunked(names, os.fspath(path), _bytes(memory), size, int(first_id), run)
        return cls(path)

    @property
    def path(self) -> str:
        """The folder."""
        return self._core.path

    @property
    def chunk_count(self) -> int:
        """How many chunks there are."""
        return len(self._core.table[2])

    @property
    def bounds(self) -> Floats:
        """(2, 3): the lowest and the highest corner of the box around all faces."""
        lo, hi, _ = self._core.table
        return np.stack([lo.min(axis=0), hi.max(axis=0)])

    def __len__(self) -> int:
        return self._core.triangle_count

    def __repr__(self) -> str:
        return f"ChunkedTree({self.path!r}, {len(self)} faces in {self.chunk_count} chunks)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (self.path, self._memory)

    @query
    def closest(
        self, points: ArrayLike, *, max_distance: float = inf, **options: Unpack[QueryOptions]
    ) -> Closest:
        """The closest point of the surface, for each of (n, 3) points; as ``Tree.closest``."""
        at, _ = rows(points, 3, "points")
        limit = distance_of(max_distance, "max_distance")
        run = asked(options, len(at))
        return Closest._make(core.chunked_closest(self._core, at, limit, run))

    @query
    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_distance: float = inf,
        **options: Unpack[QueryOptions],
    ) -> RayHits:
        """What (n, 3) rays hit first; as ``Tree.ray_first``."""
        rays, _ = columns((origins, 3, "origins"), (directions, 3, "directions"))
        limit = distance_of(max_distance, "max_distance")
        run = asked(options, len(rays))
        return RayHits._make(core.chunked_first_hits(self._core, rays, limit, run))

    @query
    def contains(self, points: ArrayLike, **options: Unpack[QueryOptions]) -> Bools:
        """Which of (n, 3) points are inside; the mesh has to be closed."""
        at, _ = rows(points, 3, "points")
        inside: Bools = core.chunked_inside(self._core, at, asked(options, len(at)))
        return inside

    @query
    def overlapping_pairs(
        self, other: ChunkedTree, *, pose: ArrayLike = _NOWHERE, **options: Unpack[QueryOptions]
    ) -> Ints:
        """Pairs of faces that overlap, (n, 2), ascending; ``other`` stands at ``pose``."""
        a, b = _at(self), _at(other, pose)
        return _pairs(core.chunked_overlaps(a, b, asked(options, MUCH)))

    @query
    def pairs_within(
        self,
        other: ChunkedTree,
        distance: float,
        *,
        pose: ArrayLike = _NOWHERE,
        **options: Unpack[QueryOptions],
    ) -> PairsWithin:
        """Pairs of faces at most ``distance`` apart, ascending; ``other`` stands at ``pose``."""
        length = distance_of(distance, "distance")
        a, b = _at(self), _at(other, pose)
        return _within(core.chunked_within(a, b, length, asked(options, MUCH)))

    @query
    def self_intersections(self, **options: Unpack[QueryOptions]) -> Ints:
        """Pairs of faces of this mesh that overlap, (n, 2), ascending."""
        return _pairs(core.chunked_self_overlaps(self._core, asked(options, MUCH)))

    @query
    def self_within(self, distance: float, **options: Unpack[QueryOptions]) -> PairsWithin:
        """Pairs of faces without a common corner, at most ``distance`` apart, ascending."""
        length = distance_of(distance, "distance")
        return _within(core.chunked_self_within(self._core, length, asked(options, MUCH)))

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
        """The same for this tree and itself."""
        return _tasks(core.self_chunk_tasks(_at(self), distance_of(distance, "distance")))


class TaskQuestion(NamedTuple):
    """A question about pairs, for workers that open the trees by their paths.

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
        """The pairs of faces of some tasks, ascending, and their distances if these were asked."""
        run = (1, None, None)
        tasks = laid_out(np.asarray(chunks), np.int64).reshape(-1, 2)
        a = ChunkedTree(self.a, memory=self.memory)
        if self.b is None:
            if self.distance is None:
                return _pairs(core.task_self_overlaps(a._core, tasks, run)), None
            return _within(core.task_self_within(a._core, self.distance, tasks, run))
        at, b = _at(a), _at(ChunkedTree(self.b, memory=self.memory), self.pose)
        if self.distance is None:
            return _pairs(core.task_overlaps(at, b, tasks, run)), None
        return _within(core.task_within(at, b, self.distance, tasks, run))


def joined(parts: Iterable[tuple[Ints, Floats | None]]) -> Ints | PairsWithin:
    """What tasks have found, as the whole question answers it."""
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
    return core.chunked_at(tree._core, poses_of(pose)[0])


def _pairs(found: Any) -> Ints:
    return np.column_stack(found)


def _within(found: Any) -> PairsWithin:
    return PairsWithin(np.column_stack(found[:2]), found[2])


def _tasks(found: Any) -> ChunkTasks:
    return ChunkTasks(np.column_stack(found[:2]), found[2], found[3])
