# SPDX-License-Identifier: Apache-2.0

"""Scenes: many bodies, asked together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import (
    Bools,
    Floats,
    Ints,
    Progress,
    distance_of,
    poses_of,
    progress_of,
    rows,
    threads_of,
)
from ._pairs import PoseBatch, _other
from ._rays import _rays
from ._regions import _balls, _boxes
from ._results import Gap, PairsWithin, Ragged
from ._tree import PosedTree, Tree

_STILL = np.eye(4).reshape(1, 16)


class BodyGap(NamedTuple):
    """Two bodies, how far they are apart, and where."""

    a: Hashable
    b: Hashable
    distance: float
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class BodyEvent(NamedTuple):
    """Two bodies that "begin" or "end" to be in contact, or "stay" in it."""

    a: Hashable
    b: Hashable
    change: str


class BodyPoints(NamedTuple):
    """The closest points of all bodies: ``scene.name(body)`` says of which."""

    body: Ints
    distance: Floats
    face: Ints
    point: Floats


class BodyHits(NamedTuple):
    """What rays hit first, of all bodies."""

    body: Ints
    t: Floats
    face: Ints
    point: Floats


class Scene:
    """Many bodies, each with a name, a tree and a pose, asked together.

    Threads may ask a scene while others change it; changes wait for questions.

    >>> import orbox
    >>> scene = orbox.Scene()
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> scene.add("left", box)
    >>> scene.add("right", box, orbox.translation(1, 0, 0))
    >>> scene.add("far", box, orbox.translation(3.5, 0, 0))
    >>> scene.clashes()
    [('left', 'right')]
    >>> [(gap.a, gap.b, gap.distance) for gap in scene.within(2)]
    [('left', 'right', 0.0), ('right', 'far', 1.5)]
    """

    __slots__ = ("_core", "_groups", "_ids", "_ignored", "_names", "_placed")

    def __init__(self) -> None:
        self._core = _core.Scene()
        self._ids: dict[Hashable, int] = {}
        self._names: dict[int, Hashable] = {}
        self._placed: dict[Hashable, tuple[Tree, Floats]] = {}
        self._groups: dict[Hashable, Hashable] = {}
        self._ignored: set[frozenset[Hashable]] = set()

    def add(
        self, name: Hashable, x: Any, pose: Any = None, *, group: Hashable | None = None
    ) -> None:
        """Adds a body.

        Args:
            name: any hashable value that no other body has.
            x: a Tree, which bodies may share, a PosedTree, or anything that
                ``Mesh.of`` takes.
            pose: (4, 4); None leaves it where it is.
            group: bodies of one group are not compared with each other.
        """
        if name in self._ids:
            raise ValueError(f"name: there is a body {name!r} already; use move() or remove()")
        if isinstance(x, PosedTree) and pose is None:
            x, pose = x.tree, x.pose
        tree = x if isinstance(x, Tree) else Tree(x)
        flat = _one(pose)
        body = self._core.add(tree._core, flat)
        self._ids[name] = body
        self._names[body] = name
        self._placed[name] = (tree, flat)
        if group is not None:
            self._groups[name] = group

    def move(self, name: Hashable, pose: Any) -> None:
        """Moves a body to a pose."""
        flat = _one(pose)
        self._core.move(self._id(name), flat)
        self._placed[name] = (self._placed[name][0], flat)

    def reshape(self, name: Hashable, x: Any, pose: Any = None) -> None:
        """Gives a body another mesh, and a pose."""
        tree = x if isinstance(x, Tree) else Tree(x)
        flat = _one(pose)
        self._core.reshape(self._id(name), tree._core, flat)
        self._placed[name] = (tree, flat)

    def remove(self, name: Hashable) -> None:
        """Removes a body."""
        body = self._id(name)
        self._core.remove(body)
        for table in (self._ids, self._placed, self._groups):
            table.pop(name, None)
        del self._names[body]

    def ignore(self, pairs: Iterable[tuple[Hashable, Hashable]]) -> None:
        """Leaves pairs of bodies out of all answers about pairs."""
        self._ignored.update(frozenset(pair) for pair in pairs)

    def body(self, name: Hashable) -> PosedTree:
        """A body as a tree at its pose."""
        self._id(name)
        tree, flat = self._placed[name]
        posed = tree.at(flat.reshape(4, 4))
        assert isinstance(posed, PosedTree)
        return posed

    def name(self, body: int) -> Hashable:
        """The name of a body by its number, as arrays have it."""
        return self._names[int(body)]

    @property
    def names(self) -> list[Hashable]:
        """The names of all bodies, in the order in which they came."""
        return list(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, name: object) -> bool:
        return name in self._ids

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __repr__(self) -> str:
        return f"Scene({len(self)} bodies)"

    def clashes(
        self,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> list[tuple[Hashable, Hashable]]:
        """The pairs of bodies whose surfaces have a common point, exactly."""
        ids = self._core.overlaps(_threads(threads), progress_of(progress), statistics)
        return [self._pair(p) for p in ids.tolist() if self._counts(p)]

    def overlapping_pairs(
        self,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> dict[tuple[Hashable, Hashable], Ints]:
        """For each pair of bodies that overlap, their pairs of faces, (n, 2)."""
        ids, offsets, faces = self._core.overlapping_faces(
            _threads(threads), progress_of(progress), statistics
        )
        lists: Ragged[Ints] = Ragged(offsets, faces)
        return {self._pair(p): lists[i] for i, p in enumerate(ids.tolist()) if self._counts(p)}

    def within(
        self,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> list[BodyGap]:
        """The pairs of bodies at most ``distance`` apart, and where."""
        length = distance_of(distance, "distance")
        ids, gaps = self._core.within(length, _threads(threads), progress_of(progress), statistics)
        return [self._gap(p, gaps, i) for i, p in enumerate(ids.tolist()) if self._counts(p)]

    def pairs_within(
        self,
        distance: float,
        *,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> dict[tuple[Hashable, Hashable], PairsWithin]:
        """For each such pair of bodies, all pairs of faces that near."""
        length = distance_of(distance, "distance")
        ids, offsets, faces, distances = self._core.faces_within(
            length, _threads(threads), progress_of(progress), statistics
        )
        lists = Ragged(offsets, PairsWithin(faces, distances))
        return {self._pair(p): lists[i] for i, p in enumerate(ids.tolist()) if self._counts(p)}

    def closest_bodies(self, *, statistics: _core.Statistics | None = None) -> BodyGap | None:
        """The two bodies closest to each other; None if there are no two.

        Ignored pairs and groups count.
        """
        found = self._core.closest_bodies(statistics)
        return None if found is None else self._gap(found[0][0].tolist(), found[1], 0)

    def overlapping(
        self,
        mesh: Any,
        *,
        exclude: Hashable | None = None,
        statistics: _core.Statistics | None = None,
    ) -> list[Hashable]:
        """The bodies that overlap a mesh.

        Args:
            mesh: a Tree, a PosedTree, or anything that ``Mesh.of`` takes.
            exclude: a body to leave out, such as the mesh itself.
        """
        ids = self._core.mesh_overlaps(_other(mesh), self._except(exclude), statistics)
        return [self._names[i] for i in ids.tolist()]

    def closest_body(
        self,
        mesh: Any,
        *,
        exclude: Hashable | None = None,
        statistics: _core.Statistics | None = None,
    ) -> tuple[Hashable, Gap] | None:
        """The body closest to a mesh, and how far: the mesh's face is first."""
        found = self._core.mesh_closest(_other(mesh), self._except(exclude), statistics)
        if found is None:
            return None
        return self._names[found[0]], Gap._make(column[0] for column in found[1])

    def poses_overlap(
        self,
        part: PoseBatch,
        *,
        exclude: Hashable | None = None,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Bools:
        """At which poses a part overlaps any body: a robot's motion, a path.

        >>> import numpy as np, orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> scene = orbox.Scene()
        >>> scene.add("wall", box)
        >>> path = np.stack([orbox.translation(x, 0, 0) for x in (3, 2, 1)])
        >>> scene.poses_overlap(box.at(path))
        array([False, False,  True])
        """
        batch = _batch(part)
        return self._core.poses_overlap(
            batch._core,
            batch._poses,
            self._except(exclude),
            _threads(threads),
            progress_of(progress),
            statistics,
        )

    def poses_closest(
        self,
        part: PoseBatch,
        *,
        exclude: Hashable | None = None,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> tuple[Ints, Gap]:
        """The number of the closest body at each pose (-1 for none), and how far."""
        batch = _batch(part)
        bodies, gaps = self._core.poses_closest(
            batch._core,
            batch._poses,
            self._except(exclude),
            _threads(threads),
            progress_of(progress),
            statistics,
        )
        return bodies, Gap._make(gaps)

    def closest(
        self,
        points: ArrayLike,
        *,
        max_distance: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
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
        found = self._core.closest(
            where,
            distance_of(max_distance, "max_distance"),
            threads_of(threads, len(where)),
            progress_of(progress),
            statistics,
        )
        return BodyPoints._make(c[0] for c in found) if single else BodyPoints._make(found)

    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> BodyHits:
        """What rays hit first, as ``Tree.ray_first`` has it."""
        both, single = _rays(origins, directions)
        found = self._core.ray_first(
            both,
            distance_of(max_t, "max_t"),
            threads_of(threads, len(both)),
            progress_of(progress),
            statistics,
        )
        return BodyHits._make(c[0] for c in found) if single else BodyHits._make(found)

    def in_ball(self, centers: ArrayLike, radii: ArrayLike) -> Ragged[Ints]:
        """The numbers of the bodies that overlap balls."""
        balls, _ = _balls(centers, radii)
        return Ragged(*self._core.in_balls(balls, threads_of(None, len(balls)), None, None))

    def in_box(self, lo: ArrayLike, hi: ArrayLike) -> Ragged[Ints]:
        """The numbers of the bodies that overlap boxes."""
        boxes, _ = _boxes(lo, hi)
        return Ragged(*self._core.in_boxes(boxes, threads_of(None, len(boxes)), None, None))

    def track(self, within: float = 0.0) -> Tracker:
        """What comes into contact and separates from frame to frame."""
        return Tracker(self, within)

    def _id(self, name: Hashable) -> int:
        try:
            return self._ids[name]
        except KeyError:
            raise KeyError(f"there is no body {name!r}") from None

    def _except(self, name: Hashable | None) -> int:
        return -1 if name is None else self._id(name)

    def _pair(self, ids: list[int]) -> tuple[Hashable, Hashable]:
        return self._names[ids[0]], self._names[ids[1]]

    def _counts(self, ids: list[int]) -> bool:
        a, b = self._pair(ids)
        if self._ignored and frozenset((a, b)) in self._ignored:
            return False
        group = self._groups.get(a)
        return group is None or group != self._groups.get(b)

    def _gap(self, ids: list[int], gaps: Any, i: int) -> BodyGap:
        distance, faces, point_a, point_b = gaps
        a, b = self._pair(ids)
        pair = (int(faces[i, 0]), int(faces[i, 1]))
        return BodyGap(a, b, float(distance[i]), pair, point_a[i], point_b[i])


class Tracker:
    """The contacts of a scene, frame by frame. Made by ``scene.track()``.

    >>> import orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> scene = orbox.Scene()
    >>> scene.add("a", box)
    >>> scene.add("b", box, orbox.translation(3, 0, 0))
    >>> tracker = scene.track()
    >>> tracker.update()
    []
    >>> scene.move("b", orbox.translation(1, 0, 0))
    >>> tracker.update()
    [BodyEvent(a='a', b='b', change='begin')]
    """

    __slots__ = ("_core", "_scene")

    def __init__(self, scene: Scene, within: float) -> None:
        self._scene = scene
        self._core = _core.ContactTracker(distance_of(within, "within"))

    def update(self) -> list[BodyEvent]:
        """The events since the update before: of pairs in contact now or then."""
        ids, changes = self._core.update(self._scene._core)
        scene = self._scene
        return [
            BodyEvent(*scene._pair(p), ("begin", "stay", "end")[change])
            for p, change in zip(ids.tolist(), changes.tolist())
            if p[0] in scene._names and p[1] in scene._names and scene._counts(p)
        ]


def _one(pose: Any) -> Floats:
    if pose is None:
        return _STILL
    flat, single = poses_of(pose)
    if not single:
        raise ValueError("pose: a body has one pose, (4, 4)")
    return flat


def _threads(threads: int | None) -> int:
    return threads_of(0 if threads is None else threads, 0)


def _batch(part: PoseBatch) -> PoseBatch:
    if not isinstance(part, PoseBatch):
        raise TypeError("part: has to be a tree at many poses, tree.at(poses)")
    return part
