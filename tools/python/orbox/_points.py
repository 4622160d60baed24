# SPDX-License-Identifier: Apache-2.0

"""What a tree answers about points."""

from __future__ import annotations

from math import inf
from typing import Literal

from numpy.typing import ArrayLike

from . import _core
from ._inputs import (
    Bools,
    Floats,
    Progress,
    count_of,
    distance_of,
    progress_of,
    rows,
    threads_of,
)
from ._results import Closest, Ragged


class PointQueries:
    """The queries of points, for Tree."""

    __slots__ = ()

    _core: _core.Tree
    _signed: _core.SignedDistanceField | None
    _winding: _core.WindingNumberField | None

    def closest(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Closest:
        """The closest point of the surface, exactly.

        Args:
            points: (n, 3), or (3,) for a single one.
            max_distance: nothing farther is found.
            threads: at most so many; 0 is one per core, and None is that for
                large batches. The answer does not depend on it.
            progress: see ``orbox.Progress``.
            statistics: counts are added to it.

        Returns:
            distance, face and point of each: the distance is correctly
            rounded, and of faces equally far the lowest is taken. Where nothing
            is found: inf, -1, nan.

        Raises:
            ValueError: a shape is wrong, or a coordinate is not finite.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.mesh.bounds.tolist()
        [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
        >>> near = box.closest([[0, 0, 3], [2, 0, 0]])
        >>> near.distance
        array([2., 1.])
        >>> box.closest((0, 0, 3)).point
        array([0., 0., 1.])
        """
        if max_distance != inf:
            max_distance = distance_of(max_distance, "max_distance")
        # One point as three numbers takes half as long as one as an array.
        if type(points) is tuple and len(points) == 3:
            x, y, z = points
            if type(x) is float and type(y) is float and type(z) is float:
                return Closest._make(
                    _core.closest_one(self._core, x, y, z, max_distance, statistics)
                )
        rows_of, single = rows(points, 3, "points")
        if single and progress is None:
            x, y, z = rows_of[0].tolist()
            return Closest._make(_core.closest_one(self._core, x, y, z, max_distance, statistics))
        found = _core.closest(
            self._core,
            rows_of,
            max_distance,
            threads_of(threads, len(rows_of)),
            progress_of(progress),
            statistics,
        )
        return Closest._make(column[0] for column in found) if single else Closest._make(found)

    def nearest(
        self,
        points: ArrayLike,
        k: int,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ragged[Closest]:
        """The k nearest faces of each point, nearest first.

        There are fewer than k where the mesh, or the ball of ``max_distance``,
        holds fewer. Arguments and errors are those of ``closest``.

        Returns:
            A list for each point: distance, face, and the face's closest point.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> lists = box.nearest([[0, 0, 3], [2, 0, 0]], k=2)
        >>> lists[1].distance
        array([1., 1.])
        """
        rows_of, _ = rows(points, 3, "points")
        offsets, distance, face, point = _core.nearest(
            self._core,
            rows_of,
            count_of(k, "k"),
            distance_of(max_distance, "max_distance"),
            threads_of(threads, len(rows_of)),
            progress_of(progress),
            statistics,
        )
        return Ragged(offsets, Closest(distance, face, point))

    def signed_distance(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Floats:
        """The distance from a closed surface, negative inside, exactly.

        The sign is exact for every closed and oriented mesh, whichever way it
        faces and where it crosses itself. The first call prepares the mesh.
        Arguments are those of ``closest``. NaN where nothing is within
        ``max_distance``.

        Raises:
            ValueError: the mesh is open, or its faces do not agree on a front;
                use ``winding_number`` there.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.signed_distance([[0, 0, 3], [0.5, 0.5, 0.5]])
        array([ 2. , -0.5])
        """
        rows_of, single = rows(points, 3, "points")
        if self._signed is None:
            self._signed = _core.signed_distance_field(self._core)
        all_of = _core.signed_distance(
            self._signed,
            rows_of,
            distance_of(max_distance, "max_distance"),
            threads_of(threads, len(rows_of)),
            progress_of(progress),
            statistics,
        )
        return all_of[0] if single else all_of

    def signed_closest(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Closest:
        """As ``closest``, with the distances of ``signed_distance``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.signed_closest([[0.5, 0.5, 0.75]]).distance
        array([-0.25])
        """
        rows_of, single = rows(points, 3, "points")
        if self._signed is None:
            self._signed = _core.signed_distance_field(self._core)
        found = _core.signed_closest(
            self._signed,
            rows_of,
            distance_of(max_distance, "max_distance"),
            threads_of(threads, len(rows_of)),
            progress_of(progress),
            statistics,
        )
        return Closest._make(column[0] for column in found) if single else Closest._make(found)

    def contains(
        self,
        points: ArrayLike,
        *,
        method: Literal["auto", "parity", "winding"] = "auto",
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """Whether points are inside. Points of the surface are not.

        Args:
            method: "parity" counts how often a ray crosses the surface,
                exactly, and needs a closed mesh; "winding" asks whether the
                winding number is above 1/2, for meshes with holes whose faces
                look outward; "auto" takes the first where the mesh is closed.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.contains([[0, 0, 3], [0.5, 0.5, 0.5]])
        array([False,  True])
        """
        rows_of, single = rows(points, 3, "points")
        if method == "auto":
            method = "parity" if self._is_closed() else "winding"
        threads = threads_of(threads, len(rows_of))
        if method == "parity":
            inside = _core.inside(self._core, rows_of, threads, progress_of(progress), statistics)
        elif method == "winding":
            inside = _core.inside_by_winding(
                self._winding_field(), rows_of, threads, progress_of(progress), statistics
            )
        else:
            raise ValueError(f'method: is {method!r}, and has to be "auto", "parity" or "winding"')
        return inside[0] if single else inside

    def winding_number(
        self,
        points: ArrayLike,
        *,
        max_error: float = 1e-3,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Floats:
        """How often the surface winds around points: 1 inside, 0 outside.

        Between the two where the surface has holes. The faces have to look
        outward. The first call prepares the mesh.

        Args:
            max_error: how far a value may be from the exact one.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.winding_number([[0, 0, 3], [0.5, 0.5, 0.5]]).round(2) + 0.0
        array([0., 1.])
        """
        rows_of, single = rows(points, 3, "points")
        numbers = _core.winding_number(
            self._winding_field(),
            rows_of,
            distance_of(max_error, "max_error"),
            threads_of(threads, len(rows_of)),
            progress_of(progress),
            statistics,
        )
        return numbers[0] if single else numbers

    def _winding_field(self) -> _core.WindingNumberField:
        if self._winding is None:
            self._winding = _core.winding_number_field(self._core)
        return self._winding

    def _is_closed(self) -> bool:
        raise NotImplementedError
