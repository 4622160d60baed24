# SPDX-License-Identifier: Apache-2.0

"""Queries of regions: balls, boxes, oriented boxes, frustums."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import Bools, Floats, Ints, check_finite, columns, lengths, numbers, refuse_rows
from ._options import QueryOptions, query, run_options
from ._results import Ragged, only

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


class _Kind(NamedTuple):
    """A kind of region: the extension's functions for one, for many, and to make rows."""

    one: Callable[..., Any]
    many: Callable[..., Any]
    rows: Callable[..., _Rows]


_BALL = _Kind(core.in_ball, core.in_balls, _balls)
_BOX = _Kind(core.in_box, core.in_boxes, _boxes)
_OBB = _Kind(core.in_obb, core.in_obbs, _obbs)
_FRUSTUM = _Kind(lambda *_: None, core.in_frustums, _frustums)


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
        return Ragged(*self._in(_BALL, core.Find.all, (centers, radii), options))

    @query
    def in_ball_any(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Bools:
        """True if any face overlaps the ball. Arguments are those of ``in_ball``."""
        return self._in(_BALL, core.Find.any, (centers, radii), options)

    @query
    def in_ball_count(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Ints:
        """Number of faces that overlap the ball. Arguments are those of ``in_ball``."""
        return self._in(_BALL, core.Find.count, (centers, radii), options)

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
        return Ragged(*self._in(_BOX, core.Find.all, (lo, hi), options))

    @query
    def in_box_any(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Bools:
        """True if any face overlaps the box. Arguments are those of ``in_box``."""
        return self._in(_BOX, core.Find.any, (lo, hi), options)

    @query
    def in_box_count(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Ints:
        """Number of faces that overlap the box. Arguments are those of ``in_box``."""
        return self._in(_BOX, core.Find.count, (lo, hi), options)

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
        return Ragged(
            *self._in(_OBB, core.Find.all, (centers, axes, half_extents), options)
        )

    @query
    def in_obb_any(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """True if any face overlaps the box. Arguments are those of ``in_obb``."""
        return self._in(_OBB, core.Find.any, (centers, axes, half_extents), options)

    @query
    def in_obb_count(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """Number of faces that overlap the box. Arguments are those of ``in_obb``."""
        return self._in(_OBB, core.Find.count, (centers, axes, half_extents), options)

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
        return Ragged(*self._in(_FRUSTUM, core.Find.all, (planes,), options))

    @query
    def in_frustum_any(self, planes: ArrayLike, **options: Unpack[QueryOptions]) -> Bools:
        """True if any face overlaps the frustum. Arguments are those of ``in_frustum``."""
        return self._in(_FRUSTUM, core.Find.any, (planes,), options)

    @query
    def in_frustum_count(self, planes: ArrayLike, **options: Unpack[QueryOptions]) -> Ints:
        """Number of faces that overlap the frustum. Arguments are those of ``in_frustum``."""
        return self._in(_FRUSTUM, core.Find.count, (planes,), options)

    def _in(
        self, kind: _Kind, find: core.Find, parts: tuple[Any, ...], options: QueryOptions
    ) -> Any:
        """Result of the extension: for a single region a row, unless it is a list."""
        found = None if options else kind.one(self._target, parts, find)
        if found is not None:
            return found
        regions, single = kind.rows(*parts)
        found = kind.many(self._target, regions, find, run_options(options, len(regions)))
        return only(found) if single and find is not core.Find.all else found
