# SPDX-License-Identifier: Apache-2.0

"""Scenes: queries of many bodies together."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ._bodies import BodyHits, BodyPoints, Tracker
from ._inputs import Bools, Ints, distance_of, rows
from ._options import MUCH, QueryOptions, query, run_options
from ._pairs import other_of
from ._pose_batch import PoseBatch
from ._rays import _rays
from ._regions import _balls, _boxes
from ._report import Reports
from ._results import Gap, Ragged, only

if TYPE_CHECKING:
    from ._options import Unpack


class Scene(Reports):
    """Many bodies, each with a name, a tree and a pose, queried together.

    Threads may query a scene while others change it; changes wait for queries.

    >>> import orbox
    >>> scene = orbox.Scene()
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> scene.add("left", box)
    >>> scene.add("right", box, orbox.translation(1, 0, 0))
    >>> scene.add("far", box, orbox.translation(3.5, 0, 0))
    >>> scene.overlaps()
    [('left', 'right')]
    >>> [(gap.a, gap.b, gap.distance) for gap in scene.within(2)]
    [('left', 'right', 0.0), ('right', 'far', 1.5)]
    """

    __slots__ = ()

    @query
    def overlapping(
        self, mesh: Any, *, exclude: Hashable | None = None, **options: Unpack[QueryOptions]
    ) -> list[Hashable]:
        """The bodies that overlap a mesh.

        Args:
            mesh: a Tree, a PosedTree, or anything that ``Mesh.of`` takes.
            exclude: a body to leave out, such as the mesh itself.
        """
        run = run_options(options, 1)
        ids = self._core.mesh_overlaps(other_of(mesh), self._except(exclude), run)
        return [self._names[i] for i in ids.tolist()]

    @query
    def closest_body(
        self, mesh: Any, *, exclude: Hashable | None = None, **options: Unpack[QueryOptions]
    ) -> tuple[Hashable, Gap] | None:
        """The body closest to a mesh, and how far: the body's face is first."""
        run = run_options(options, 1)
        found = self._core.mesh_closest(other_of(mesh), self._except(exclude), run)
        return None if found is None else (self._names[found[0]], Gap._make(found[1:]))

    @query
    def poses_overlap(
        self, part: PoseBatch, *, exclude: Hashable | None = None, **options: Unpack[QueryOptions]
    ) -> Bools:
        """For each pose: True if a part overlaps any body. For a robot's motion or a path.

        >>> import numpy as np, orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> scene = orbox.Scene()
        >>> scene.add("wall", box)
        >>> path = np.stack([orbox.translation(x, 0, 0) for x in (3, 2, 1)])
        >>> scene.poses_overlap(box.at(path))
        array([False, False,  True])
        """
        of = _batch(part)
        run = run_options(options, MUCH)
        return self._core.poses_overlap(of._core, of._poses, self._except(exclude), run)

    @query
    def poses_closest(
        self, part: PoseBatch, *, exclude: Hashable | None = None, **options: Unpack[QueryOptions]
    ) -> tuple[Ints, Gap]:
        """The number of the closest body at each pose (-1 for none), and how far, body first."""
        of = _batch(part)
        run = run_options(options, MUCH)
        found = self._core.poses_closest(of._core, of._poses, self._except(exclude), run)
        return found[0], Gap._make(found[1:])

    @query
    def closest(
        self, points: ArrayLike, *, max_distance: float = inf, **options: Unpack[QueryOptions]
    ) -> BodyPoints:
        """The closest point of all bodies, as ``Tree.closest`` has it.

        >>> import orbox
        >>> scene = orbox.Scene()
        >>> scene.add("box", orbox.generate("box", 12))
        >>> near = scene.closest([[0, 0, 3]])
        >>> scene.name(near.body[0]), float(near.distance[0])
        ('box', 2.0)
        """
        where, single = rows(points, 3, "points")
        limit = distance_of(max_distance, "max_distance")
        found = self._core.closest(where, limit, run_options(options, len(where)))
        return BodyPoints._make(only(found) if single else found)

    @query
    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        min_t: ArrayLike = 0.0,
        **options: Unpack[QueryOptions],
    ) -> BodyHits:
        """First hits of rays, like ``Tree.ray_first``."""
        rays, single = _rays(origins, directions, min_t)
        found = self._core.ray_first(
            rays, distance_of(max_t, "max_t"), run_options(options, len(rays))
        )
        return BodyHits._make(only(found) if single else found)

    @query
    def in_ball(
        self, centers: ArrayLike, radii: ArrayLike, **options: Unpack[QueryOptions]
    ) -> Ragged[Ints]:
        """The numbers of the bodies that overlap balls."""
        balls, _ = _balls(centers, radii)
        return Ragged(*self._core.in_balls(balls, run_options(options, len(balls))))

    @query
    def in_box(self, lo: ArrayLike, hi: ArrayLike, **options: Unpack[QueryOptions]) -> Ragged[Ints]:
        """The numbers of the bodies that overlap boxes."""
        boxes, _ = _boxes(lo, hi)
        return Ragged(*self._core.in_boxes(boxes, run_options(options, len(boxes))))

    def track(self, within: float = 0.0) -> Tracker:
        """Contacts that begin and end from frame to frame."""
        return Tracker(self, within)


def _batch(part: PoseBatch) -> PoseBatch:
    if not isinstance(part, PoseBatch):
        raise TypeError("part: has to be a tree at many poses, tree.at(poses)")
    return part
