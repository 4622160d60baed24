# SPDX-License-Identifier: Apache-2.0

"""Broad phases: every kind finds the pairs that all against all has."""

from __future__ import annotations

import numpy as np
import orbox
import pytest


def slow_pairs(lo: np.ndarray, hi: np.ndarray, there: np.ndarray) -> list[list[int]]:
    meet = ((lo[:, None] <= hi[None]) & (lo[None] <= hi[:, None])).all(axis=2)
    meet &= there[:, None] & there[None]
    return np.argwhere(np.triu(meet, 1)).tolist()


@pytest.mark.parametrize("kind", orbox.BroadPhase.kinds())
def test_frames(kind: str) -> None:
    rng = np.random.default_rng(1)
    lo = rng.uniform(0, 4, (60, 3)).round(1)  # many of them touch
    hi = lo + rng.uniform(0, 1, (60, 3)).round(1)
    there = np.ones(60, bool)
    phase = orbox.BroadPhase(kind)
    phase.set(np.arange(60), lo, hi)
    before: list[list[int]] = []
    for frame in range(4):
        found = phase.update()
        now = slow_pairs(lo, hi, there)
        assert found.pairs.tolist() == now
        assert found.begun.tolist() == [p for p in now if p not in before]
        assert found.ended.tolist() == [p for p in before if p not in now]
        before = now
        some = np.flatnonzero(there)[frame::3]
        lo[some] += 0.5
        hi[some] += 0.5
        phase.set(some, lo[some], hi[some])
        gone = int(np.flatnonzero(there)[frame])
        phase.remove(gone)
        there[gone] = False
        assert len(phase) == there.sum()


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match='"adaptive"'):
        orbox.BroadPhase("x")
    phase = orbox.BroadPhase()
    for bodies, error in (([-1], ValueError), ([2**40], ValueError), ([0.5], TypeError)):
        with pytest.raises(error, match="bodies"):
            phase.set(bodies, (0, 0, 0), (1, 1, 1))
    with pytest.raises(ValueError, match="above hi"):
        phase.set([0], (0, 0, 1), (1, 1, 0))
    with pytest.raises(ValueError, match="2 boxes"):
        phase.set([0], np.zeros((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="not there"):
        phase.remove(3)
    assert phase.update().pairs.shape == (0, 2)
