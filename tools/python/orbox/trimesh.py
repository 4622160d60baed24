# SPDX-License-Identifier: Apache-2.0

"""Orbox behind trimesh: the same calls, exact and faster.

>>> import orbox.trimesh
>>> import trimesh
>>> orbox.trimesh.install()
>>> ball = trimesh.creation.icosphere(radius=0.01)
>>> distance = ball.nearest.on_surface([[0, 0, 1]])[1]
>>> bool(abs(distance[0] - 0.99) < 1e-9)
True
>>> orbox.trimesh.uninstall()

``install()`` puts Orbox behind ``trimesh.collision.CollisionManager``,
``trimesh.proximity.closest_point`` and ``signed_distance``, ``mesh.nearest``,
``mesh.ray`` and ``mesh.contains``. Each of these can be used without it, under
the same name, from this module. A tree is built when a mesh is first asked, and
is kept in the mesh's cache until the mesh changes.

Where answers differ from trimesh's own, they are exact: distances of small
meshes, hits on edges (each place once), touching bodies (they collide), and only
convex meshes are solids, as in FCL.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import trimesh as _trimesh
from numpy.typing import ArrayLike

from ._inputs import Bools, Floats, Ints
from ._tree import PosedTree, Tree

ContactData = _trimesh.collision.ContactData
DistanceData = _trimesh.collision.DistanceData
_contact_data: Any = ContactData
_distance_data: Any = DistanceData

__all__ = [
    "CollisionManager",
    "ContactData",
    "DistanceData",
    "ProximityQuery",
    "RayMeshIntersector",
    "closest_point",
    "contains_points",
    "install",
    "signed_distance",
    "tree_of",
    "uninstall",
]


def tree_of(mesh: Any) -> Tree:
    """The tree of a mesh of trimesh, kept in its cache until it changes."""
    tree = mesh._cache["orbox_tree"]
    if not isinstance(tree, Tree):
        tree = Tree((mesh.vertices.view(np.ndarray), mesh.faces.view(np.ndarray)))
        mesh._cache["orbox_tree"] = tree
    return tree


def _rows(points: ArrayLike) -> Floats:
    array = np.asanyarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError("points must be (n,3)!")
    return array.view(np.ndarray)


def closest_point(mesh: Any, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
    """The closest points, their distances and faces, as trimesh has them.

    Of faces equally close to a point, the one that faces it most is taken.
    """
    where = _rows(points)
    tree = tree_of(mesh)
    near = tree.closest(where)
    face = near.face.copy()
    # Ties are at edges and corners: there the next face is as near.
    edges = (near.distance > 0) & _on_border(mesh, near.face, near.point)
    rows = np.flatnonzero(edges)
    if len(rows):
        distance = near.distance[rows]
        lists = tree.nearest(where[rows], 8, max_distance=float(distance.max()))
        of = lists.rows
        tied = lists.values.distance <= distance[of] * (1 + 1e-12)
        candidates, of = lists.values.face[tied], of[tied]
        away = (where[rows] - near.point[rows]) / distance[:, None]
        facing = (mesh.face_normals[candidates] * away[of]).sum(axis=1)
        order = np.lexsort((candidates, -facing, of))
        first = np.unique(of[order], return_index=True)[1]
        face[rows[of[order][first]]] = candidates[order][first]
    return near.point, near.distance, face


def _on_border(mesh: Any, face: Ints, point: Floats) -> Bools:
    """Whether points of faces are near an edge of theirs."""
    corners = mesh.vertices.view(np.ndarray)[mesh.faces.view(np.ndarray)[face]]
    edges = np.roll(corners, -1, axis=1) - corners
    across = np.cross(edges, point[:, None] - corners)
    height = np.sqrt((across**2).sum(axis=2))
    area = np.sqrt((np.cross(edges[:, 0], edges[:, 1]) ** 2).sum(axis=1))
    return (height <= 1e-9 * area[:, None]).any(axis=1)


def signed_distance(mesh: Any, points: ArrayLike) -> Floats:
    """The distance, positive inside and negative outside, as trimesh has it."""
    where = _rows(points)
    tree = tree_of(mesh)
    if tree.mesh.is_closed:
        try:
            return -tree.signed_distance(where)
        except ValueError:  # faces that do not agree on a front
            pass
    distance = tree.closest(where).distance
    return np.where(tree.contains(where), distance, -distance)


def contains_points(mesh: Any, points: ArrayLike) -> Bools:
    """Whether points are inside. By parity of a closed mesh, exactly; otherwise
    by the winding number."""
    return tree_of(mesh).contains(_rows(points))


class ProximityQuery(_trimesh.proximity.ProximityQuery):  # type: ignore[misc, unused-ignore]
    """As trimesh's, with Orbox behind it."""

    def on_surface(self, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
        return closest_point(self._mesh, points)

    def signed_distance(self, points: ArrayLike) -> Floats:
        return signed_distance(self._mesh, points)


class RayMeshIntersector:
    """As trimesh's, with Orbox behind it."""

    def __init__(self, mesh: Any = None, geometry: Any = None, **options: Any) -> None:
        self.mesh = geometry if mesh is None else mesh
        self._options = options

    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int | None = None,
        return_locations: bool = False,
        **_: Any,
    ) -> Any:
        """Faces and rays of all hits, and where; an edge is hit once."""
        origins, directions, rays = self._clean(ray_origins, ray_directions)
        tree = tree_of(self.mesh)
        if multiple_hits:
            lists = tree.ray_all(origins, directions)
            of, hits = lists.rows, lists.values
            # Faces that meet in an edge are hit at the same t.
            new = np.ones(len(of), bool)
            new[1:] = (of[1:] != of[:-1]) | (hits.t[1:] != hits.t[:-1])
            if max_hits is not None:
                nth = np.cumsum(new) - 1
                begin = np.concatenate([[0], np.cumsum(np.bincount(of[new], minlength=len(lists)))])
                new &= nth - begin[of] < max_hits
            face, of, point = hits.face[new], of[new], hits.point[new]
        else:
            first = tree.ray_first(origins, directions)
            of = np.flatnonzero(first.hit)
            face, point = first.face[of], first.point[of]
        if return_locations:
            return face, rays[of], point
        return face, rays[of]

    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, **options: Any
    ) -> tuple[Floats, Ints, Ints]:
        """Where rays hit, which, and which faces."""
        options["return_locations"] = True
        face, ray, point = self.intersects_id(ray_origins, ray_directions, **options)
        return point, ray, face

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **_: Any) -> Ints:
        """The face that each ray hits first, or -1."""
        origins, directions, rays = self._clean(ray_origins, ray_directions)
        result = np.full(len(np.asarray(ray_origins)), -1, np.int64)
        result[rays] = tree_of(self.mesh).ray_first(origins, directions).face
        return result

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike, **_: Any) -> Bools:
        """Whether each ray hits anything."""
        origins, directions, rays = self._clean(ray_origins, ray_directions)
        result = np.zeros(len(np.asarray(ray_origins)), bool)
        result[rays] = tree_of(self.mesh).ray_any(origins, directions)
        return result

    def contains_points(self, points: ArrayLike) -> Bools:
        """Whether points are inside the mesh."""
        return contains_points(self.mesh, points)

    @staticmethod
    def _clean(origins: ArrayLike, directions: ArrayLike) -> tuple[Floats, Floats, Ints]:
        """Rays that are finite and go somewhere; others hit nothing."""
        from_, along = _rows(origins), _rows(directions)
        if from_.shape != along.shape:
            raise ValueError("Ray origin and direction don't match!")
        usable = np.isfinite(from_).all(axis=1) & np.isfinite(along).all(axis=1)
        usable &= along.any(axis=1)
        return from_[usable], along[usable], np.flatnonzero(usable)

    def __copy__(self, *_: Any) -> RayMeshIntersector:
        return RayMeshIntersector(self.mesh, **self._options)

    def __deepcopy__(self, *_: Any) -> RayMeshIntersector:
        return self.__copy__()


class _Body:
    """A mesh in a manager, where it stands."""

    def __init__(self, mesh: Any, transform: ArrayLike | None) -> None:
        self.tree = tree_of(mesh)
        # As FCL has it: a convex mesh is a solid, others are surfaces.
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
            if way is not None and way.depth > 0:
                for contact in found:
                    contact.penetration_depth = way.depth
                    contact.normal = -way.translation / way.depth
        return found

    def distance(self, other: _Body, limit: float) -> Any:
        if not self.is_near(other, limit):
            return None
        gap = self.posed.distance(other.posed, max_distance=limit)
        if gap.distance > limit:
            return None
        if self.solid and other.solid and (gap.distance == 0 or self._holds(other)):
            way = self.posed.penetration(other.posed)
            return gap._replace(distance=-way.depth if way else 0.0)  # type: ignore[arg-type]
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
    """As trimesh's, with Orbox behind it instead of FCL."""

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
        """Whether a mesh collides with any; with which, and where."""
        body = _Body(mesh, transform)
        pairs = (((name, "__external"), other, body) for name, other in self._objs.items())
        hit, names, data = _collisions(pairs, return_names, return_data)
        return _answer(hit, {n[0] for n in names}, data, return_names, return_data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two meshes collide; which, and where."""
        hit, names, data = _collisions(self._pairs(), return_names, return_data)
        ordered = {tuple(sorted(n)) for n in names}
        return _answer(hit, ordered, data, return_names, return_data)

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any mesh collides with one of another manager."""
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


_originals: list[tuple[Any, str, Any]] = []


def install() -> None:
    """Puts Orbox behind trimesh, for all meshes that are made from now on.

    Calling it again changes nothing; ``uninstall()`` undoes it.
    """
    if _originals:
        return
    for place, name, value in (
        (_trimesh.collision, "CollisionManager", CollisionManager),
        (_trimesh.proximity, "closest_point", closest_point),
        (_trimesh.proximity, "signed_distance", signed_distance),
        (_trimesh.ray.ray_triangle, "RayMeshIntersector", RayMeshIntersector),
        (_trimesh.ray.ray_util, "contains_points", _contains_of_ray),
    ):
        _replace(place, name, value)
    if _trimesh.ray.has_embree:
        _replace(_trimesh.ray.ray_pyembree, "RayMeshIntersector", RayMeshIntersector)


def _contains_of_ray(intersector: Any, points: ArrayLike, check_direction: Any = None) -> Bools:
    return contains_points(intersector.mesh, points)


def _replace(place: Any, name: str, value: Any) -> None:
    _originals.append((place, name, getattr(place, name)))
    setattr(place, name, value)


def uninstall() -> None:
    """Undoes ``install()``."""
    while _originals:
        place, name, value = _originals.pop()
        setattr(place, name, value)
