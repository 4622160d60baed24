# SPDX-License-Identifier: Apache-2.0

"""What a tree answers about rays, and about balls that move."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import (
    Bools,
    Floats,
    Ints,
    Progress,
    columns,
    distance_of,
    lengths,
    progress_of,
    threads_of,
)
from ._results import Ragged, RayHits, SweptHits


def _rays(origins: ArrayLike, directions: ArrayLike) -> tuple[Floats, bool]:
    both, single = columns("rays", (origins, 3, "origins"), (directions, 3, "directions"))
    still = ~both[:, 3:].any(axis=1)
    if still.any():
        raise ValueError(
            f"directions: row {int(np.argmax(still))} is zero, and has to point "
            f"somewhere; leave such rays out"
        )
    return both, single


def _swept_balls(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> tuple[Floats, bool]:
    return columns(
        "balls", (starts, 3, "starts"), (ends, 3, "ends"), (lengths(radii, "radii"), 1, "radii")
    )


class RayQueries:
    """The queries of rays, for Tree."""

    __slots__ = ()

    _core: _core.Tree

    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> RayHits:
        """What rays hit first: the points ``origin + t * direction``, t >= 0.

        Args:
            origins: (n, 3), or (3,) for one, or for all.
            directions: (n, 3), or (3,); of any length but 0.
            max_t: nothing later is found; t is in units of the direction.

        Returns:
            t, face, barycentric weights and point; inf, -1 and nan where
            nothing is hit. Which face is hit first is decided exactly; no ray
            slips through an edge.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_first([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1)).t
        array([ 2., inf])
        """
        both, single = _rays(origins, directions)
        found = _core.ray_first(
            self._core,
            both,
            distance_of(max_t, "max_t"),
            threads_of(threads, len(both)),
            progress_of(progress),
            statistics,
        )
        return RayHits._make(c[0] for c in found) if single else RayHits._make(found)

    def ray_any(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether rays hit anything. Arguments are those of ``ray_first``.

        Two points see each other unless the ray from one to the other hits
        something with ``max_t=1``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_any([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1))
        array([ True, False])
        """
        both, single = _rays(origins, directions)
        hit = _core.ray_any(
            self._core,
            both,
            distance_of(max_t, "max_t"),
            threads_of(threads, len(both)),
            progress_of(progress),
            statistics,
        )
        return hit[0] if single else hit

    def ray_count(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many faces rays hit. Arguments are those of ``ray_first``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_count([[0.1, 0.2, 3]], (0, 0, -1)).tolist()
        [2]
        """
        both, single = _rays(origins, directions)
        count = _core.ray_count(
            self._core,
            both,
            distance_of(max_t, "max_t"),
            threads_of(threads, len(both)),
            progress_of(progress),
            statistics,
        )
        return count[0] if single else count

    def ray_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[RayHits]:
        """All that rays hit, each face once, in the order of t, then of faces.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_all([[0.1, 0.2, 3]], (0, 0, -1))[0].t
        array([2., 3.])
        """
        both, _ = _rays(origins, directions)
        offsets, hits = _core.ray_all(
            self._core,
            both,
            distance_of(max_t, "max_t"),
            threads_of(threads, len(both)),
            progress_of(progress),
            statistics,
        )
        return Ragged(offsets, RayHits._make(hits))

    def swept_ball(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> SweptHits:
        """What balls touch first that move from ``starts`` to ``ends``.

        Whether a ball touches anything is decided exactly. The time of the
        first contact, a share of the way, lies between ``earliest`` and
        ``latest``: up to ``earliest`` the ball is certainly free.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> hit = box.swept_ball((0.5, 0.5, 5), (0.5, 0.5, 1), 0.5)
        >>> bool(hit.earliest <= 0.875 <= hit.latest)
        True
        """
        balls, single = _swept_balls(starts, ends, radii)
        found = _core.sweep_first(
            self._core,
            balls,
            inf,
            threads_of(threads, len(balls)),
            progress_of(progress),
            statistics,
        )
        return SweptHits._make(c[0] for c in found) if single else SweptHits._make(found)

    def swept_ball_any(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether balls that move touch anything, exactly.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.swept_ball_any((0.5, 0.5, 4), (0.5, 0.5, 2), [0.5, 1.0])
        array([False,  True])
        """
        balls, single = _swept_balls(starts, ends, radii)
        hit = _core.sweep_any(
            self._core,
            balls,
            inf,
            threads_of(threads, len(balls)),
            progress_of(progress),
            statistics,
        )
        return hit[0] if single else hit

    def swept_ball_all(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[SweptHits]:
        """All faces that balls touch on their way, by ``latest``."""
        balls, _ = _swept_balls(starts, ends, radii)
        offsets, hits = _core.sweep_all(
            self._core,
            balls,
            inf,
            threads_of(threads, len(balls)),
            progress_of(progress),
            statistics,
        )
        return Ragged(offsets, SweptHits._make(hits))
