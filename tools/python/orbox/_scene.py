# SPDX-License-Identifier: Apache-2.0

"""Scenes: queries of many bodies together."""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._bodies import BodyHits, BodyPoints, Tracker
from ._inputs import Bools, Floats, Ints, distance_of, missing, rows
from ._options import MUCH, QueryOptions, query, run_options
from ._pairs import other_of
from ._pose_batch import PoseBatch
from ._rays import _rays
from ._regions import _balls, _boxes
from ._report import Reports
from ._results import Gap, Ragged, only
from ._tree import PosedTree

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
        skip: tuple[ArrayLike, ArrayLike] | None = None,
        **options: Unpack[QueryOptions],
    ) -> BodyHits:
        """First hits of rays, like ``Tree.ray_first``.

        Args:
            skip: faces that the rays leave out, such as those where they start:
                numbers of bodies and of their faces, as ``BodyHits`` has them.

        >>> import orbox
        >>> scene = orbox.Scene()
        >>> scene.add("box", orbox.generate("box", 12))
        >>> first = scene.ray_first((0.1, 0.2, 3), (0, 0, -1))
        >>> next = scene.ray_first(first.point, (0, 0, -1), skip=(first.body, first.face))
        >>> float(first.t), float(next.t)
        (2.0, 1.0)
        """
        if skip is None:
            rays, single = _rays(origins, directions, min_t, max_t=max_t)
        else:
            rays, single = _rays_of_bodies(origins, directions, min_t, max_t, skip)
        found = self._core.ray_first(rays, run_options(options, len(rays)))
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

    if not TYPE_CHECKING:  # checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            raise missing(
                "Scene", name, PosedTree, f"only each body has: scene.body(name).{name}"
            )

    def track(self, within: float = 0.0) -> Tracker:
        """Contacts that begin and end from frame to frame."""
        return Tracker(self, within)


def _rays_of_bodies(
    origins: ArrayLike,
    directions: ArrayLike,
    min_t: ArrayLike,
    max_t: float,
    skip: tuple[ArrayLike, ArrayLike],
) -> tuple[Floats, bool]:
    """Rows of rays that leave out faces of bodies: scene_hit.h says how one number names both."""
    if not (isinstance(skip, tuple) and len(skip) == 2):
        raise TypeError(
            "skip: has to be a pair, the numbers of bodies and those of their faces; of hits: "
            "(hits.body, hits.face)"
        )
    bodies, faces = (np.asarray(part) for part in skip)
    if bodies.shape != faces.shape:
        raise ValueError(
            f"skip: has {bodies.size} bodies and {faces.size} faces, and needs a body for each face"
        )
    _rays((0, 0, 0), (1, 0, 0), skip=skip[1])  # checks the faces, as the next line the bodies
    rays, single = _rays(origins, directions, min_t, skip[0], max_t=max_t)
    both = bodies.astype(np.int64) << 32 | faces.astype(np.int64)
    rays.view(np.int64)[:, 8] = np.where((bodies >= 0) & (faces >= 0), both, -1)
    return rays, single


def _batch(part: PoseBatch) -> PoseBatch:
    if not isinstance(part, PoseBatch):
        raise TypeError("part: has to be a tree at many poses, tree.at(poses)")
    return part
