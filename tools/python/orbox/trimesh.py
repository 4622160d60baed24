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
the same name, from this module. A tree is built at the first query of a mesh, and
is kept in the mesh's cache until the mesh changes.

Results that differ from trimesh's own are exact: distances of small meshes, hits on
edges (each point once), and touching bodies (they collide). Only convex meshes are
solids, as in FCL.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import trimesh as _trimesh
from numpy.typing import ArrayLike

from ._inputs import Bools, Floats, Ints
from ._trimesh_collision import CollisionManager, ContactData, DistanceData, tree_of

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


def _rows(points: ArrayLike) -> Floats:
    array = np.asanyarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError("points must be (n,3)!")
    return array.view(np.ndarray)


def closest_point(mesh: Any, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
    """The closest points, their distances and faces, as trimesh has them.

    Among faces equally close to a point, the one that faces it most is reported.
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
    """True for points of faces that are near an edge of their face."""
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
        return -tree.signed_distance(where)
    distance = tree.closest(where).distance
    return np.where(tree.contains(where), distance, -distance)


def contains_points(mesh: Any, points: ArrayLike) -> Bools:
    """Tests whether points are inside: of a closed mesh exactly, by winding numbers
    that are not 0; otherwise by winding numbers above 1/2."""
    return tree_of(mesh).contains(_rows(points))


class ProximityQuery(_trimesh.proximity.ProximityQuery):  # type: ignore[misc, unused-ignore]
    """trimesh's class, with Orbox behind it."""

    def on_surface(self, points: ArrayLike) -> tuple[Floats, Floats, Ints]:
        return closest_point(self._mesh, points)

    def signed_distance(self, points: ArrayLike) -> Floats:
        return signed_distance(self._mesh, points)


class RayMeshIntersector:
    """trimesh's class, with Orbox behind it."""

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
        """Points of hits, their rays, and their faces."""
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
        """For each ray: True if it hits anything."""
        origins, directions, rays = self._clean(ray_origins, ray_directions)
        result = np.zeros(len(np.asarray(ray_origins)), bool)
        result[rays] = tree_of(self.mesh).ray_any(origins, directions)
        return result

    def contains_points(self, points: ArrayLike) -> Bools:
        """For each point: True if it is inside the mesh."""
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
