# SPDX-License-Identifier: Apache-2.0

"""Queries of regions: balls, boxes, oriented boxes, frustums."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import Bools, Floats, Ints, check_finite, columns, lengths, numbers, refuse_rows
from ._options import QueryOptions, query
from ._queries import query_of
from ._results import Ragged

if TYPE_CHECKING:
    from ._options import Unpack

#: Rows of numbers, and whether there is just one.
_Rows = tuple[Floats, bool]


def _balls(centers: ArrayLike, radii: ArrayLike) -> _Rows:
    return columns((centers, 3, "centers"), (lengths(radii, "radii"), 1, "radii"))


def _boxes(lo: ArrayLike, hi: ArrayLike) -> _Rows:
    both, single = columns((lo, 3, "lo"), (hi, 3, "hi"))
    refuse_rows(
        both[:, :3] > both[:, 3:],
        lambda row: f"lo: row {row} is above hi; swap them: np.minimum(lo, hi), np.maximum(lo, hi)",
    )
    return both, single


def _obbs(centers: ArrayLike, axes: ArrayLike, half_extents: ArrayLike) -> _Rows:
    frames = numbers(axes, "axes")
    if frames.shape[-2:] != (3, 3) or frames.ndim not in (2, 3):
        raise ValueError(
            f"axes: has shape {frames.shape}, and needs (3, 3), or (n, 3, 3): the "
            f"unit vectors along the box as rows"
        )
    gram = frames @ np.swapaxes(frames, -1, -2)
    wrong = ~(np.abs(gram - np.eye(3)) <= 8 * np.finfo(float).eps).all(axis=(-1, -2))
    refuse_rows(
        np.atleast_1d(wrong),
        lambda row: (
            f"axes: the rows of frame {row} are no unit vectors at right angles, up "
            f"to rounding; normalise them, as np.linalg.qr does"
        ),
    )
    flat = frames.reshape(9) if frames.ndim == 2 else frames.reshape(-1, 9)
    rows, single = columns(
        (centers, 3, "centers"),
        (flat, 9, "axes"),
        (half_extents, 3, "half_extents"),
    )
    refuse_rows(
        rows[:, 12:] < 0,
        lambda row: f"half_extents: row {row} is negative; use np.abs()",
    )
    return rows, single


def _frustums(planes: ArrayLike) -> _Rows:
    sets = numbers(planes, "planes")
    if sets.ndim not in (2, 3) or sets.shape[-1] != 4:
        raise ValueError(
            f"planes: has shape {sets.shape}, and needs (m, 4), or (n, m, 4): rows "
            f"a, b, c, d for the half-space a x + b y + c z <= d"
        )
    check_finite(sets.reshape(-1, 4), "planes")
    # A copy: another thread may write to the array while the query runs.
    sets = sets.copy()
    return sets.reshape((1,) * (3 - sets.ndim) + sets.shape), sets.ndim == 2


def _kinds(name: str, rows: Callable[..., _Rows]) -> tuple[Callable[..., Any], ...]:
    """Finds all faces, any, and their number."""
    all_faces = query_of(name, rows, has_lists=True)
    return all_faces, query_of(name + "_any", rows), query_of(name + "_count", rows)


_BALL, _BALL_ANY, _BALL_COUNT = _kinds("in_ball", _balls)
_BOX, _BOX_ANY, _BOX_COUNT = _kinds("in_box", _boxes)
_OBB, _OBB_ANY, _OBB_COUNT = _kinds("in_obb", _obbs)
_FRUSTUM, _FRUSTUM_ANY, _FRUSTUM_COUNT = _kinds("in_frustum", _frustums)


class RegionQueries:
    """The queries of regions, for Tree, PosedTree and ChunkedTree.

    Each kind has three: the faces, whether there are any, how many.
    """

    __slots__ = ()

    _target: Any

    @query
    def in_ball(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Ragged[Ints]:
        """The faces that overlap balls, exactly. Touching counts.

        Args:
            centers: (n, 3), or (3,).
            radii: (n,), or one number; not negative.

        Returns:
            A list of faces for each, ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.in_ball((0, 0, 1.5), 0.5)[0].tolist()
        [0, 5, 10, 11]
        """
        return Ragged(*_BALL(self._target, (centers, radii), options))

    @query
    def in_ball_any(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Bools:
        """True if any face overlaps the ball. Arguments are those of ``in_ball``."""
        return _BALL_ANY(self._target, (centers, radii), options)

    @query
    def in_ball_count(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Ints:
        """Number of faces that overlap the ball. Arguments are those of ``in_ball``."""
        return _BALL_COUNT(self._target, (centers, radii), options)

    @query
    def in_box(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Ragged[Ints]:
        """The faces that overlap boxes, exactly. Touching counts.

        Args:
            lo: (n, 3), or (3,): the lowest corners.
            hi: (n, 3), or (3,): the highest.

        Returns:
            A list of faces for each, ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.in_box((-0.5, -0.5, 0.5), (0.5, 0.5, 2))[0].tolist()
        [0, 1, 4, 5, 10, 11]
        """
        return Ragged(*_BOX(self._target, (lo, hi), options))

    @query
    def in_box_any(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Bools:
        """True if any face overlaps the box. Arguments are those of ``in_box``."""
        return _BOX_ANY(self._target, (lo, hi), options)

    @query
    def in_box_count(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Ints:
        """Number of faces that overlap the box. Arguments are those of ``in_box``."""
        return _BOX_COUNT(self._target, (lo, hi), options)

    @query
    def in_obb(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ragged[Ints]:
        """The faces that overlap oriented boxes, exactly. Touching counts.

        Args:
            centers: (n, 3), or (3,).
            axes: (n, 3, 3), or (3, 3): unit vectors along the box, as rows.
            half_extents: (n, 3), or (3,): half the lengths along them.

        Returns:
            A list of faces for each, ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.in_obb((0, 0, 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (0.5, 0.5, 0.5))[0].tolist()
        [0, 1, 4, 5, 10, 11]
        """
        return Ragged(*_OBB(self._target, (centers, axes, half_extents), options))

    @query
    def in_obb_any(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """True if any face overlaps the box. Arguments are those of ``in_obb``."""
        return _OBB_ANY(self._target, (centers, axes, half_extents), options)

    @query
    def in_obb_count(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """Number of faces that overlap the box. Arguments are those of ``in_obb``."""
        return _OBB_COUNT(self._target, (centers, axes, half_extents), options)

    @query
    def in_frustum(self, planes: ArrayLike, **options: Unpack[QueryOptions]) -> Ragged[Ints]:
        """The faces that overlap sets of half-spaces (view frustums), exactly. Touching counts.

        Args:
            planes: (n, m, 4), or (m, 4): rows a, b, c, d for a x + b y + c z <= d.

        Returns:
            A list of faces for each, ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.in_frustum([[0, 0, -1, -1], [1, 0, 0, 0.5], [-1, 0, 0, 0.5]])[0].tolist()
        [0, 1, 5, 6, 10, 11]
        """
        return Ragged(*_FRUSTUM(self._target, (planes,), options))

    @query
    def in_frustum_any(self, planes: ArrayLike, **options: Unpack[QueryOptions]) -> Bools:
        """True if any face overlaps the frustum. Arguments are those of ``in_frustum``."""
        return _FRUSTUM_ANY(self._target, (planes,), options)

    @query
    def in_frustum_count(self, planes: ArrayLike, **options: Unpack[QueryOptions]) -> Ints:
        """Number of faces that overlap the frustum. Arguments are those of ``in_frustum``."""
        return _FRUSTUM_COUNT(self._target, (planes,), options)
