# SPDX-License-Identifier: Apache-2.0

"""The bodies of a scene: their names, poses and properties, and how they change."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._files import read_bodies
from ._inputs import Floats, Ints, Path, distance_of, poses_of
from ._tree import PosedTree, Tree

_STILL = np.eye(4).reshape(1, 16)


class BodyPoints(NamedTuple):
    """The closest points of all bodies: ``scene.name(body)`` names the body of each."""

    body: Ints
    distance: Floats
    face: Ints
    point: Floats


class BodyHits(NamedTuple):
    """First hits of rays, among all bodies."""

    body: Ints
    t: Floats
    face: Ints
    point: Floats


class BodyEvent(NamedTuple):
    """Two bodies that "begin" or "end" to be in contact, or "stay" in it."""

    a: Hashable
    b: Hashable
    change: str


class _Body:
    __slots__ = ("id", "tree", "pose", "group", "properties")

    def __init__(
        self,
        id: int,
        tree: Tree,
        pose: Floats,
        group: Hashable | None,
        properties: dict[str, str],
    ) -> None:
        self.id = id
        self.tree = tree
        self.pose = pose
        self.group = group
        self.properties = properties


class Bodies:
    """Bodies of a scene."""

    __slots__ = ("_all", "_core", "_ignored", "_left_out", "_names")

    def __init__(self) -> None:
        self._core = _core.Scene()
        self._all: dict[Hashable, _Body] = {}
        self._names: dict[int, Hashable] = {}
        self._ignored: set[frozenset[Hashable]] = set()
        self._left_out: list[Hashable] = []

    def add(
        self,
        name: Hashable,
        x: Any,
        pose: Any = None,
        *,
        group: Hashable | None = None,
        properties: Mapping[str, object] | None = None,
    ) -> None:
        """Adds a body.

        Args:
            name: any hashable value that no other body has.
            x: a Tree, which bodies may share, a PosedTree, or anything that
                ``Mesh.of`` takes.
            pose: (4, 4); None leaves it where it is.
            group: bodies of one group are not compared with each other.
            properties: other facts about it, such as its type or storey: reports
                show them.
        """
        if name in self._all:
            raise ValueError(f"name: there is a body {name!r} already; use move() or remove()")
        if isinstance(x, PosedTree) and pose is None:
            x, pose = x.tree, x.pose
        tree = x if isinstance(x, Tree) else Tree(x)
        flat = _one(pose)
        body = self._core.add(tree._core, flat)
        known = {str(k): str(v) for k, v in (properties or {}).items()}
        self._all[name] = _Body(body, tree, flat, group, known)
        self._names[body] = name

    def add_file(self, path: Path) -> list[Hashable]:
        """Adds the bodies of a file, as ``orbox.read_bodies`` has them.

        Bodies of one mesh share a tree. Elements without triangles are left out
        (``leave_out``). Returns the names of the bodies.

        >>> import os, tempfile, orbox
        >>> scene = orbox.Scene()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "box.ply")
        ...     orbox.generate("box", 12).save(path)
        ...     scene.add_file(path)
        ['box']
        """
        trees: dict[int, Tree] = {}
        names: list[Hashable] = []
        left_out: list[str] = []
        for body in read_bodies(path, left_out=left_out):
            if id(body.mesh) not in trees:
                trees[id(body.mesh)] = Tree(body.mesh)
            self.add(body.name, trees[id(body.mesh)], body.pose, properties=body.properties)
            names.append(body.name)
        for name in left_out:
            self.leave_out(name)
        return names

    def leave_out(self, name: Hashable) -> None:
        """Notes an element that is no body of the scene, for want of a mesh.

        ``not_judged`` lists it, and reports count it.
        """
        self._left_out.append(name)

    def move(self, name: Hashable, pose: Any) -> None:
        """Moves a body to a pose."""
        flat = _one(pose)
        body = self._body(name)
        self._core.move(body.id, flat)
        body.pose = flat

    def reshape(self, name: Hashable, x: Any, pose: Any = None) -> None:
        """Gives a body another mesh, and a pose."""
        tree = x if isinstance(x, Tree) else Tree(x)
        flat = _one(pose)
        body = self._body(name)
        self._core.reshape(body.id, tree._core, flat)
        body.tree, body.pose = tree, flat

    def remove(self, name: Hashable) -> None:
        """Removes a body."""
        body = self._body(name)
        self._core.remove(body.id)
        del self._all[name], self._names[body.id]

    def regroup(self, name: Hashable, group: Hashable | None) -> None:
        """Puts a body into another group, or into none."""
        self._body(name).group = group

    def ignore(self, pairs: Iterable[tuple[Hashable, Hashable]]) -> None:
        """Leaves pairs of bodies out of all answers about pairs."""
        self._ignored.update(frozenset(pair) for pair in pairs)

    def body(self, name: Hashable) -> PosedTree:
        """A body as a tree at its pose."""
        body = self._body(name)
        posed = body.tree.at(body.pose.reshape(4, 4))
        assert isinstance(posed, PosedTree)
        return posed

    def properties(self, name: Hashable) -> dict[str, str]:
        """Properties of a body, besides its mesh and its pose."""
        return self._body(name).properties

    def name(self, body: int) -> Hashable:
        """The name of a body by its number, as arrays have it."""
        return self._names[int(body)]

    @property
    def names(self) -> list[Hashable]:
        """The names of all bodies, in the order in which they came."""
        return list(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.names)

    def __repr__(self) -> str:
        return f"Scene({len(self)} bodies)"

    def __getstate__(self) -> tuple[Any, ...]:
        bodies = [
            (name, b.tree, b.pose, b.group, dict(b.properties)) for name, b in self._all.items()
        ]
        return bodies, set(self._ignored), list(self._left_out)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Adds the bodies again, in their order; their numbers begin at 0."""
        bodies, ignored, left_out = state
        Bodies.__init__(self)
        for name, tree, pose, group, properties in bodies:
            self.add(name, tree, pose.reshape(4, 4), group=group, properties=properties)
        self._ignored, self._left_out = ignored, left_out

    def _body(self, name: Hashable) -> _Body:
        try:
            return self._all[name]
        except KeyError:
            raise KeyError(f"there is no body {name!r}") from None

    def _except(self, name: Hashable | None) -> int:
        return -1 if name is None else self._body(name).id

    def _pair(self, ids: Any) -> tuple[Hashable, Hashable]:
        a, b = ids
        return self._names[int(a)], self._names[int(b)]

    def _counts(self, ids: Any) -> bool:
        """Returns True if results about pairs include this one."""
        a, b = self._pair(ids)
        if self._ignored and frozenset((a, b)) in self._ignored:
            return False
        group = self._all[a].group
        return group is None or group != self._all[b].group


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

    def __init__(self, scene: Bodies, within: float) -> None:
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
