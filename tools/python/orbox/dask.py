# SPDX-License-Identifier: Apache-2.0

"""Pairs of chunked trees as Dask graphs: each task loads two chunks, by path.

>>> import orbox.dask
>>> graph = orbox.dask.pairs_within("site.orboxd", "crane.orboxd", 0.5)  # doctest: +SKIP
>>> found = graph.compute()                                              # doctest: +SKIP

The functions return ``dask.delayed`` values, for any scheduler: ``compute()`` has
the bytes of the method of ``ChunkedTree`` of the same name. Workers see the
folders under the same paths. Tasks that need the same chunk go to one worker
where that keeps the work even. ``pip install 'orbox[dask]'`` brings Dask.
"""

from __future__ import annotations

import os
from typing import Any, Union

import numpy as np
from dask import delayed
from dask.delayed import Delayed
from numpy.typing import ArrayLike

from ._chunked import TaskQuestion, joined
from ._inputs import Floats, Ints, Path, count_of, distance_of
from ._poses import translation

__all__ = ["overlapping_pairs", "pairs_within", "self_intersections", "self_within"]

_NOWHERE = translation(0, 0, 0)


def overlapping_pairs(
    a: Path, b: Path, *, pose: ArrayLike = _NOWHERE, tasks: int = 64, memory: int = 1 << 30
) -> Delayed:
    """Pairs of faces of two chunked trees that overlap, (n, 2), ascending.

    Args:
        a, b: the folders.
        pose: of b.
        tasks: the largest number of nodes of the graph.
        memory: the bytes of chunks that a task may keep mapped.
    """
    return _graph(TaskQuestion(_path(a), _path(b), None, _pose(pose), memory), tasks)


def pairs_within(
    a: Path,
    b: Path,
    distance: float,
    *,
    pose: ArrayLike = _NOWHERE,
    tasks: int = 64,
    memory: int = 1 << 30,
) -> Delayed:
    """Pairs of faces of two chunked trees at most ``distance`` apart: ``orbox.PairsWithin``."""
    length = distance_of(distance, "distance")
    return _graph(TaskQuestion(_path(a), _path(b), length, _pose(pose), memory), tasks)


def self_intersections(tree: Path, *, tasks: int = 64, memory: int = 1 << 30) -> Delayed:
    """Pairs of faces of one chunked tree that overlap, (n, 2), ascending."""
    return _graph(TaskQuestion(_path(tree), None, None, None, memory), tasks)


def self_within(
    tree: Path, distance: float, *, tasks: int = 64, memory: int = 1 << 30
) -> Delayed:
    """Pairs of faces without a common corner, at most ``distance`` apart."""
    length = distance_of(distance, "distance")
    return _graph(TaskQuestion(_path(tree), None, length, None, memory), tasks)


def _graph(question: TaskQuestion, most: int) -> Delayed:
    """Runs of tasks, ascending, so that neighbours share chunks; of about one cost each."""
    todo = question.tasks()
    most = count_of(most, "tasks", 1)
    passed = np.cumsum(todo.cost)
    runs: list[Any] = []
    if len(passed):
        cuts = np.searchsorted(passed, np.linspace(0, passed[-1], most + 1)[1:-1])
        runs = [run for run in np.split(todo.chunks, np.unique(cuts)) if len(run)]
    call = delayed(_call, pure=True)
    return delayed(_joined, pure=True)([call(question, run) for run in runs], question)


def _call(question: TaskQuestion, run: Ints) -> tuple[Ints, Union[Floats, None]]:
    return question.ask(run)


def _joined(parts: list[Any], question: TaskQuestion) -> Any:
    # A result of the right kind for a graph without tasks.
    return joined(parts or [question.ask(np.zeros((0, 2), np.int64))])


def _path(folder: Path) -> str:
    return os.path.abspath(os.fspath(folder))


def _pose(pose: ArrayLike) -> Floats:
    return np.asarray(pose, dtype=np.float64)
