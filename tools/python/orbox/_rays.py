# SPDX-License-Identifier: Apache-2.0

"""Queries of rays and of moving balls."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import Bools, Floats, Ints, columns, distance_of, lengths, refuse_rows
from ._options import QueryOptions, query
from ._queries import query_of
from ._results import Ragged, RayHits, SweptHits

if TYPE_CHECKING:
    from ._options import Unpack


def _face_numbers(skip: ArrayLike | None) -> Floats:
    """The faces to skip as a column of doubles, which hold them exactly."""
    if skip is None:
        return np.full(1, -1.0)
    if isinstance(skip, np.ma.MaskedArray) and np.ma.is_masked(skip):
        raise ValueError("skip: has masked values; make them none: skip.filled(-1)")
    faces = np.asarray(skip)
    if faces.size and faces.dtype.kind not in "iu":
        raise TypeError(
            f"skip: has to hold numbers of faces, -1 for none, and holds {faces.dtype}; "
            "convert it: skip.astype(int)"
        )
    if faces.size and faces.min() < -1:
        raise ValueError(f"skip: holds {faces.min()}, and needs numbers of faces, or -1 for none")
    if faces.ndim > 1:
        raise ValueError(f"skip: has shape {faces.shape}, and needs (n,), or a single number")
    # No face has a number above this one, which is still an integer of 64 bits.
    numbers = np.minimum(faces.astype(np.float64), 2.0**62)
    return numbers.reshape((-1, 1) if faces.ndim else 1)


def _rays(
    origins: ArrayLike,
    directions: ArrayLike,
    min_t: ArrayLike = 0.0,
    skip: ArrayLike | None = None,
    *,
    max_t: float = inf,
) -> tuple[Floats, bool]:
    """Rows of the extension's rays; the last number is an integer."""
    both, single = columns(
        (origins, 3, "origins"),
        (directions, 3, "directions"),
        (lengths(min_t, "min_t"), 1, "min_t"),
        (np.zeros(1), 1, "max_t"),
        (_face_numbers(skip), 1, "skip"),
    )
    both[:, 7] = distance_of(max_t, "max_t")  # may be infinite
    both.view(np.int64)[:, 8] = both[:, 8]
    x, y, z = both[:, 3], both[:, 4], both[:, 5]
    refuse_rows(
        (x == 0) & (y == 0) & (z == 0),  # in a tenth of the time of any(axis=1)
        lambda row: (
            f"directions: row {row} is zero, and has to point somewhere; leave such rays out"
        ),
    )
    return both, single


def _given(
    origins: ArrayLike, directions: ArrayLike, min_t: ArrayLike, skip: ArrayLike | None
) -> tuple[Any, ...]:
    """The arguments of _rays; two of them, as single queries have, if there are no limits."""
    if skip is None and isinstance(min_t, (int, float)) and min_t == 0:
        return (origins, directions)
    return (origins, directions, min_t, skip)


def _swept_balls(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> tuple[Floats, bool]:
    return columns((starts, 3, "starts"), (ends, 3, "ends"), (lengths(radii, "radii"), 1, "radii"))


_LIMIT = ("max_t",)
_RAY_FIRST = query_of("ray_first", _rays, in_rows=_LIMIT)
_RAY_ANY = query_of("ray_any", _rays, in_rows=_LIMIT)
_RAY_COUNT = query_of("ray_count", _rays, in_rows=_LIMIT)
_RAY_ALL = query_of("ray_all", _rays, has_lists=True, in_rows=_LIMIT)
RAY_CROSSINGS = query_of("ray_crossings", _rays, has_lists=True, in_rows=_LIMIT)
_SWEEP_FIRST = query_of("sweep_first", _swept_balls)
_SWEEP_ANY = query_of("sweep_any", _swept_balls)
_SWEEP_ALL = query_of("sweep_all", _swept_balls, has_lists=True)


class RayQueries:
    """The queries of rays, for Tree, PosedTree and ChunkedTree."""

    __slots__ = ()

    _target: Any

    @query
    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        skip: ArrayLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> RayHits:
        """First hits of rays: the points ``origin + t * direction``, t >= 0.

        Args:
            origins: (n, 3), or (3,) for one, or for all.
            directions: (n, 3), or (3,); of any length but 0.
            max_t: nothing later is found; t is in units of the direction.
            min_t: hits before it are left out, also of faces in the plane of the
                ray that go on beyond it. A number, or (n,).
            skip: a face that the ray leaves out, such as the one where it starts; -1
                for none. A number, or (n,).

        Returns:
            t, face, barycentric weights and point; inf, -1 and nan if nothing is
            hit. The first face is decided exactly; no ray slips through an edge.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_first([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1)).t
        array([ 2., inf])
        >>> box.ray_first((0.1, 0.2, 1), (0, 0, -1), min_t=0.5).t
        1.0
        """
        rays = _given(origins, directions, min_t, skip)
        return RayHits._make(_RAY_FIRST(self._target, rays, options, (max_t,)))._on(self._target)

    @query
    def ray_any(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        skip: ArrayLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """True for rays that hit anything. Arguments are those of ``ray_first``.

        Two points see each other unless the ray from one to the other hits
        something with ``max_t=1``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_any([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1))
        array([ True, False])
        """
        return _RAY_ANY(self._target, _given(origins, directions, min_t, skip), options, (max_t,))

    @query
    def ray_count(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        skip: ArrayLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """Number of faces that each ray hits. Arguments are those of ``ray_first``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_count([[0.1, 0.2, 3]], (0, 0, -1)).tolist()
        [2]
        """
        rays = _given(origins, directions, min_t, skip)
        return _RAY_COUNT(self._target, rays, options, (max_t,))

    @query
    def ray_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        skip: ArrayLike | None = None,
        **options: Unpack[QueryOptions],
    ) -> Ragged[RayHits]:
        """All that rays hit, each face once, in the order of t, then of faces.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_all([[0.1, 0.2, 3]], (0, 0, -1))[0].t
        array([2., 3.])
        """
        rays = _given(origins, directions, min_t, skip)
        offsets, hits = _RAY_ALL(self._target, rays, options, (max_t,))
        return Ragged(offsets, RayHits._make(hits)._on(self._target))

    @query
    def swept_ball(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> SweptHits:
        """First contacts of balls that move from ``starts`` to ``ends``.

        Contacts are decided exactly. The time of the first contact, a fraction of
        the way, is between ``earliest`` and ``latest``: up to ``earliest`` the ball
        is certainly free. If it touches several faces at one time, such as at an
        edge, one of them is reported: each time the same one, but another tree may
        report another.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> hit = box.swept_ball((0.5, 0.5, 5), (0.5, 0.5, 1), 0.5)
        >>> bool(hit.earliest <= 0.875 <= hit.latest)
        True
        """
        found = _SWEEP_FIRST(self._target, (starts, ends, radii), options)
        return SweptHits._make(found)._on(self._target)

    @query
    def swept_ball_any(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """True for moving balls that touch anything, exactly.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.swept_ball_any((0.5, 0.5, 4), (0.5, 0.5, 2), [0.5, 1.0])
        array([False,  True])
        """
        return _SWEEP_ANY(self._target, (starts, ends, radii), options)

    @query
    def swept_ball_all(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ragged[SweptHits]:
        """All faces that balls touch on their way, by ``latest``."""
        offsets, hits = _SWEEP_ALL(self._target, (starts, ends, radii), options)
        return Ragged(offsets, SweptHits._make(hits)._on(self._target))
