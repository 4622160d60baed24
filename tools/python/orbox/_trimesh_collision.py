# SPDX-License-Identifier: Apache-2.0

"""trimesh's collision manager with Orbox behind it: see ``orbox.trimesh``."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import trimesh as _trimesh
from numpy.typing import ArrayLike

from ._inputs import Floats
from ._tree import PosedTree, Tree

ContactData = _trimesh.collision.ContactData
DistanceData = _trimesh.collision.DistanceData
_contact_data: Any = ContactData
_distance_data: Any = DistanceData


def tree_of(mesh: Any) -> Tree:
    """The tree of a mesh of trimesh, kept in its cache until it changes."""
    tree = mesh._cache["orbox_tree"]
    if not isinstance(tree, Tree):
        tree = Tree((mesh.vertices.view(np.ndarray), mesh.faces.view(np.ndarray)))
        mesh._cache["orbox_tree"] = tree
    return tree


class _Body:
    """A mesh in a manager, at its pose."""

    def __init__(self, mesh: Any, transform: ArrayLike | None) -> None:
        self.tree = tree_of(mesh)
        # FCL's rule: a convex mesh is a solid, others are surfaces.
        self.solid = bool(mesh.is_convex)
        self.move(np.eye(4) if transform is None else transform)

    def move(self, transform: ArrayLike) -> None:
        pose = np.asanyarray(transform, dtype=np.float64)
        if pose.shape != (4, 4):
            raise ValueError("transform must be (4,4)!")
        self.posed: PosedTree = self.tree.at(pose)
        lo, hi = self.tree.mesh.bounds
        corners = np.array(
            [[x, y, z] for x in (lo[0], hi[0]) for y in (lo[1], hi[1]) for z in (lo[2], hi[2])]
        )
        moved = corners @ pose[:3, :3].T + pose[:3, 3]
        slack = 1e-12 * np.abs(moved).max()
        self.lo, self.hi = moved.min(axis=0) - slack, moved.max(axis=0) + slack

    def is_near(self, other: _Body, distance: float = 0.0) -> bool:
        gap = np.maximum(self.lo - other.hi, other.lo - self.hi)
        return bool((gap <= distance).all())

    def collides(self, other: _Body) -> bool:
        if not self.is_near(other):
            return False
        return self.posed.overlaps(other.posed) or self._holds(other)

    def _holds(self, other: _Body) -> bool:
        if not (self.solid or other.solid):
            return False
        relation = self.posed.relation(other.posed)
        return (relation == "contains" and self.solid) or (relation == "inside" and other.solid)

    def contacts(self, other: _Body) -> list[Any]:
        """A contact for each pair of faces that overlap, in the form of FCL."""
        touching = self.posed.contacts(other.posed)
        normals = _normals(other.posed)
        found = []
        for (a, b), points in zip(touching.faces.tolist(), touching):
            contact = SimpleNamespace(b1=a, b2=b, normal=normals(b), pos=points.mean(axis=0))
            contact.penetration_depth = 0.0
            found.append(contact)
        if not found and self._holds(other):
            inner = other if self.posed.relation(other.posed) == "contains" else self
            point = inner.posed.vertices[0]
            found = [SimpleNamespace(b1=-1, b2=-1, normal=np.zeros(3), pos=point)]
            found[0].penetration_depth = 0.0
        if found:
            way = self.posed.penetration(other.posed)
            if way is not None and way.upper > 0:
                for contact in found:
                    contact.penetration_depth = way.upper
                    contact.normal = -way.normal
        return found

    def distance(self, other: _Body, limit: float) -> Any:
        if not self.is_near(other, limit):
            return None
        gap = self.posed.distance(other.posed, max_distance=limit)
        if gap.distance > limit:
            return None
        if self.solid and other.solid and (gap.distance == 0 or self._holds(other)):
            way = self.posed.penetration(other.posed)
            return gap._replace(distance=-way.upper if way else 0.0)  # type: ignore[arg-type]
        return gap._replace(distance=0.0) if self._holds(other) else gap  # type: ignore[arg-type]


def _normals(posed: PosedTree) -> Any:
    vertices, faces = posed.vertices, posed.tree.mesh.faces

    def normal(face: int) -> Floats:
        a, b, c = vertices[faces[face]]
        n = np.cross(b - a, c - a)
        length = float(np.linalg.norm(n))
        return n / length if length > 0 else n

    return normal


class CollisionManager:
    """trimesh's manager, with Orbox behind it instead of FCL."""

    def __init__(self) -> None:
        self._objs: dict[Any, _Body] = {}

    def add_object(self, name: Any, mesh: Any, transform: ArrayLike | None = None) -> Any:
        """Adds a mesh, or replaces that of this name."""
        self._objs[name] = _Body(mesh, transform)
        return self._objs[name]

    def remove_object(self, name: Any) -> None:
        """Removes a mesh."""
        if self._objs.pop(name, None) is None:
            raise ValueError(f"{name} not in collision manager!")

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Moves a mesh to a pose."""
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        self._objs[name].move(transform)

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Returns True if a mesh collides with any; with which, and where."""
        body = _Body(mesh, transform)
        pairs = (((name, "__external"), other, body) for name, other in self._objs.items())
        hit, names, data = _collisions(pairs, return_names, return_data)
        return _answer(hit, {n[0] for n in names}, data, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns True if any two meshes collide; which, and where."""
        hit, names, data = _collisions(self._pairs(), return_names, return_data)
        ordered = {tuple(sorted(n)) for n in names}
        return _answer(hit, ordered, data, return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Returns True if any mesh collides with one of another manager."""
        pairs = self._pairs_with(other_manager)
        hit, names, data = _collisions(pairs, return_names, return_data)
        return _answer(hit, names, data, return_names, return_data)

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The smallest distance of a mesh from any.

        0 for surfaces that overlap; for convex solids, less by the way out.
        """
        body = _Body(mesh, transform)
        pairs = (((name, "__external"), other, body) for name, other in self._objs.items())
        distance, names, data = _smallest(pairs)
        return _answer(distance, names[0] if names else None, data, return_name, return_data)

    def min_distance_internal(
        self, name: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The smallest distance of any two meshes, or of one from the others."""
        if name is not None and name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        pairs = (p for p in self._pairs() if name is None or name in p[0])
        distance, names, data = _smallest(pairs)
        ordered = tuple(sorted(names)) if names else None
        return _answer(distance, ordered, data, return_names, return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The smallest distance from any mesh of another manager."""
        distance, names, data = _smallest(self._pairs_with(other_manager))
        return _answer(distance, names, data, return_names, return_data)

    def _pairs(self) -> Any:
        bodies = list(self._objs.items())
        for i, (name, body) in enumerate(bodies):
            for other_name, other in bodies[i + 1 :]:
                yield (name, other_name), body, other

    def _pairs_with(self, manager: CollisionManager) -> Any:
        for name, body in self._objs.items():
            for other_name, other in manager._objs.items():
                yield (name, other_name), body, other


def _collisions(
    pairs: Any, return_names: bool, return_data: bool
) -> tuple[bool, set[Any], list[Any]]:
    hit, found, data = False, set(), []
    for names, a, b in pairs:
        if not a.collides(b):
            continue
        hit = True
        if not (return_names or return_data):
            break
        found.add(names)
        if return_data:
            data += [_contact_data(names, contact) for contact in a.contacts(b)]
    return hit, found, data


def _smallest(pairs: Any) -> tuple[float, Any, Any]:
    best, found, data = np.inf, None, None
    for names, a, b in pairs:
        gap = a.distance(b, max(best, 0.0))
        if gap is None or not gap.distance < best:
            continue
        best, found = float(gap.distance), names
        data = _distance_data(
            names,
            SimpleNamespace(
                b1=gap.faces[0],
                b2=gap.faces[1],
                nearest_points=(gap.point_a, gap.point_b),
                min_distance=best,
            ),
        )
    return best, found, data


def _answer(value: Any, names: Any, data: Any, with_names: bool, with_data: bool) -> Any:
    answer = (value,) + ((names,) if with_names else ()) + ((data,) if with_data else ())
    return answer if len(answer) > 1 else value
