# SPDX-License-Identifier: Apache-2.0

"""What a tree answers about regions: balls, boxes, oriented boxes, frustums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import (
    Bools,
    Floats,
    Ints,
    Progress,
    check_finite,
    columns,
    lengths,
    numbers,
    progress_of,
    threads_of,
)
from ._results import Ragged

_Ask = Callable[..., Any]


def _balls(centers: ArrayLike, radii: ArrayLike) -> tuple[Floats, bool]:
    return columns("balls", (centers, 3, "centers"), (lengths(radii, "radii"), 1, "radii"))


def _boxes(lo: ArrayLike, hi: ArrayLike) -> tuple[Floats, bool]:
    both, single = columns("boxes", (lo, 3, "lo"), (hi, 3, "hi"))
    wrong = (both[:, :3] > both[:, 3:]).any(axis=1)
    if wrong.any():
        raise ValueError(
            f"lo: row {int(np.argmax(wrong))} is above hi; swap them: "
            f"np.minimum(lo, hi), np.maximum(lo, hi)"
        )
    return both, single


def _obbs(centers: ArrayLike, axes: ArrayLike, half_extents: ArrayLike) -> tuple[Floats, bool]:
    frames = numbers(axes, "axes")
    if frames.shape[-2:] != (3, 3) or frames.ndim not in (2, 3):
        raise ValueError(
            f"axes: has shape {frames.shape}, and needs (3, 3), or (n, 3, 3): the "
            f"unit vectors along the box as rows"
        )
    gram = frames @ np.swapaxes(frames, -1, -2)
    wrong = ~(np.abs(gram - np.eye(3)) <= 8 * np.finfo(float).eps).all(axis=(-1, -2))
    if wrong.any():
        row = int(np.argmax(np.atleast_1d(wrong)))
        raise ValueError(
            f"axes: the rows of frame {row} are no unit vectors at right angles, up "
            f"to rounding; normalise them, as np.linalg.qr does"
        )
    flat = frames.reshape(9) if frames.ndim == 2 else frames.reshape(-1, 9)
    rows, single = columns(
        "boxes",
        (centers, 3, "centers"),
        (flat, 9, "axes"),
        (half_extents, 3, "half_extents"),
    )
    wrong = (rows[:, 12:] < 0).any(axis=1)
    if wrong.any():
        raise ValueError(f"half_extents: row {int(np.argmax(wrong))} is negative; use np.abs()")
    return rows, single


def _frustums(planes: ArrayLike) -> tuple[Floats, bool]:
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


class RegionQueries:
    """The queries of regions, for Tree."""

    __slots__ = ()

    _core: _core.Tree

    def _lists(
        self,
        ask: _Ask,
        regions: tuple[Floats, bool],
        threads: int | None,
        progress: Progress,
        statistics: _core.Statistics | None,
    ) -> Ragged[Ints]:
        offsets, faces = ask(
            self._core,
            regions[0],
            _core.Find.all,
            threads_of(threads, len(regions[0])),
            progress_of(progress),
            statistics,
        )
        return Ragged(offsets, faces)

    def _values(
        self,
        ask: _Ask,
        find: _core.Find,
        regions: tuple[Floats, bool],
        threads: int | None,
        progress: Progress,
        statistics: _core.Statistics | None,
    ) -> Any:
        found = ask(
            self._core,
            regions[0],
            find,
            threads_of(threads, len(regions[0])),
            progress_of(progress),
            statistics,
        )
        return found[0] if regions[1] else found

    def in_ball(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
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
        regions = _balls(centers, radii)
        return self._lists(_core.in_balls, regions, threads, progress, statistics)

    def in_ball_any(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether any face does. Arguments are those of ``in_ball``."""
        regions = _balls(centers, radii)
        any_of = _core.Find.any
        return self._values(_core.in_balls, any_of, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_ball_count(
        self,
        centers: ArrayLike,
        radii: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many faces do. Arguments are those of ``in_ball``."""
        regions = _balls(centers, radii)
        count = _core.Find.count
        return self._values(_core.in_balls, count, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_box(
        self,
        lo: ArrayLike,
        hi: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[Ints]:
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
        regions = _boxes(lo, hi)
        return self._lists(_core.in_boxes, regions, threads, progress, statistics)

    def in_box_any(
        self,
        lo: ArrayLike,
        hi: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether any face does. Arguments are those of ``in_box``."""
        regions = _boxes(lo, hi)
        any_of = _core.Find.any
        return self._values(_core.in_boxes, any_of, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_box_count(
        self,
        lo: ArrayLike,
        hi: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many faces do. Arguments are those of ``in_box``."""
        regions = _boxes(lo, hi)
        count = _core.Find.count
        return self._values(_core.in_boxes, count, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_obb(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
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
        regions = _obbs(centers, axes, half_extents)
        return self._lists(_core.in_obbs, regions, threads, progress, statistics)

    def in_obb_any(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether any face does. Arguments are those of ``in_obb``."""
        regions = _obbs(centers, axes, half_extents)
        any_of = _core.Find.any
        return self._values(_core.in_obbs, any_of, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_obb_count(
        self,
        centers: ArrayLike,
        axes: ArrayLike,
        half_extents: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many faces do. Arguments are those of ``in_obb``."""
        regions = _obbs(centers, axes, half_extents)
        count = _core.Find.count
        return self._values(_core.in_obbs, count, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_frustum(
        self,
        planes: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[Ints]:
        """The faces that overlap sets of half-spaces, such as view frustums, exactly. Touching counts.

        Args:
            planes: (n, m, 4), or (m, 4): rows a, b, c, d for a x + b y + c z <= d.

        Returns:
            A list of faces for each, ascending.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.in_frustum([[0, 0, -1, -1], [1, 0, 0, 0.5], [-1, 0, 0, 0.5]])[0].tolist()
        [0, 1, 5, 6, 10, 11]
        """
        regions = _frustums(planes)
        return self._lists(_core.in_frustums, regions, threads, progress, statistics)

    def in_frustum_any(
        self,
        planes: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether any face does. Arguments are those of ``in_frustum``."""
        regions = _frustums(planes)
        any_of = _core.Find.any
        return self._values(_core.in_frustums, any_of, regions, threads, progress, statistics)  # type: ignore[no-any-return]

    def in_frustum_count(
        self,
        planes: ArrayLike,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """How many faces do. Arguments are those of ``in_frustum``."""
        regions = _frustums(planes)
        count = _core.Find.count
        return self._values(_core.in_frustums, count, regions, threads, progress, statistics)  # type: ignore[no-any-return]
