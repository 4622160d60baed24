# SPDX-License-Identifier: Apache-2.0

"""Broad phases: which boxes of many overlap, from frame to frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import Ints, laid_out, refuse_rows
from ._regions import _boxes


class PairChanges(NamedTuple):
    """Pairs of boxes, each (n, 2) and ascending: those that overlap, and the changes."""

    pairs: Ints
    begun: Ints
    ended: Ints


class BroadPhase:
    """Boxes that move from frame to frame, and which of them overlap, exactly.

    Args:
        kind: one of ``BroadPhase.kinds()``. All find the same pairs; "adaptive"
            chooses by what the boxes do.

    >>> import orbox
    >>> phase = orbox.BroadPhase()
    >>> phase.set([0, 1, 2], [[0, 0, 0], [1, 0, 0], [5, 0, 0]], [[1, 1, 1], [2, 1, 1], [6, 1, 1]])
    >>> phase.update().pairs.tolist()
    [[0, 1]]
    >>> phase.set([2], [[2, 0, 0]], [[3, 1, 1]])
    >>> phase.update().begun.tolist()
    [[1, 2]]
    """

    __slots__ = ("_core", "_kind")

    def __init__(self, kind: str = "adaptive") -> None:
        if kind not in self.kinds():
            said = ", ".join(f'"{k}"' for k in self.kinds())
            raise ValueError(f"kind: is {kind!r}, and has to be one of {said}")
        self._core = _core.BroadPhase(kind)
        self._kind = kind

    @staticmethod
    def kinds() -> list[str]:
        """The names of all kinds."""
        return list(_core.broad_phases)

    def set(self, bodies: ArrayLike, lo: ArrayLike, hi: ArrayLike) -> None:
        """Inserts boxes, or moves those that are there. Takes effect at ``update``.

        Args:
            bodies: (n,), or one: numbers of bodies, from 0. Memory is
                proportional to the largest.
            lo, hi: (n, 3), or (3,): the lowest and the highest corners.
        """
        boxes, _ = _boxes(lo, hi)
        ids = _ids(bodies)
        if len(boxes) == 1:
            boxes = np.repeat(boxes, len(ids), axis=0)
        if len(boxes) != len(ids):
            raise ValueError(f"bodies: has {len(ids)} rows, and there are {len(boxes)} boxes")
        self._core.set(ids, boxes)

    def remove(self, bodies: ArrayLike) -> None:
        """Removes boxes that are there."""
        self._core.remove(_ids(bodies))

    def update(self) -> PairChanges:
        """The pairs of boxes that overlap, touching included, and the changes."""
        return PairChanges._make(self._core.update())

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"BroadPhase({len(self)} boxes, {self._kind})"


def _ids(bodies: ArrayLike) -> Ints:
    array = np.atleast_1d(np.asarray(bodies))
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"bodies: has to be whole numbers, (n,), and is {array.dtype}, {array.shape}"
        )
    refuse_rows((array < 0), lambda row: f"bodies: row {row} is {array[row]}; numbers count from 0")
    return laid_out(array, np.int64)
