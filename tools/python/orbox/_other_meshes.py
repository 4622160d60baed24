# SPDX-License-Identifier: Apache-2.0

"""Vertices and faces of the meshes of other packages, which are recognized by their attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _core as core
from ._inputs import check_finite, refuse_rows, rows


class Found(NamedTuple):
    """Vertices and triangles of a mesh, and notes on what was cut or left out."""

    vertices: Any
    faces: Any
    notes: tuple[str, ...] = ()


def found_in(x: Any) -> Found | None:
    """The mesh in an object of another package, or None if it does not look like one."""
    for look in (_as_trimesh, _as_open3d, _as_pyvista, _as_meshio, _as_numpy_stl):
        found = look(x)
        if found is not None:
            return found
    return None


def _as_trimesh(x: Any) -> Found | None:
    if hasattr(x, "vertices") and hasattr(x, "faces"):
        return Found(np.asarray(x.vertices), np.asarray(x.faces))
    if hasattr(x, "geometry") and hasattr(x, "to_mesh"):  # a scene of trimesh
        whole = x.to_mesh()
        return Found(np.asarray(whole.vertices), np.asarray(whole.faces))
    return None


def _as_open3d(x: Any) -> Found | None:
    if hasattr(x, "vertices") and hasattr(x, "triangles"):
        return Found(np.asarray(x.vertices), np.asarray(x.triangles))
    if hasattr(x, "vertex") and hasattr(x, "triangle"):  # of tensors
        vertices, faces = x.vertex["positions"], x.triangle["indices"]
        return Found(_from_tensor(vertices), _from_tensor(faces))
    return None


def _from_tensor(tensor: Any) -> Any:
    if hasattr(tensor, "cpu"):
        tensor = tensor.cpu()
    return tensor.numpy() if hasattr(tensor, "numpy") else np.asarray(tensor)


def _as_pyvista(x: Any) -> Found | None:
    if hasattr(x, "extract_surface") and not hasattr(x, "faces"):  # a grid
        x = _surface_of(x)
    if not (hasattr(x, "points") and hasattr(x, "faces")):
        return None
    if not getattr(x, "is_all_triangles", True):
        x = x.triangulate()
    flat = np.asarray(x.faces).reshape(-1)  # 3 a b c 3 a b c ...
    if flat.size % 4 != 0 or (flat[::4] != 3).any():
        raise ValueError("mesh: has polygons; call triangulate() on it first")
    return Found(np.asarray(x.points), flat.reshape(-1, 4)[:, 1:])


def _surface_of(grid: Any) -> Any:
    """The surface of a grid of PyVista. New versions warn unless they are given a filter."""
    try:
        return grid.extract_surface(algorithm="dataset_surface")
    except TypeError:
        return grid.extract_surface()


def _as_meshio(x: Any) -> Found | None:
    if not hasattr(x, "points"):
        return None
    cells = getattr(x, "cells", None)
    if isinstance(cells, list) and all(hasattr(b, "type") and hasattr(b, "data") for b in cells):
        # Not cells_dict, which fails for polygons of different numbers of corners.
        blocks = [(str(block.type), block.data) for block in cells]
    elif hasattr(x, "cells_dict"):
        blocks = [(str(kind), data) for kind, data in x.cells_dict.items()]
    else:
        return None
    faces: list[tuple[str, Any]] = []
    others: dict[str, int] = {}
    for kind, data in blocks:
        if kind in ("triangle", "quad") or kind.startswith("polygon"):
            faces.append((kind, np.asarray(data)))
        else:
            others[kind] = others.get(kind, 0) + len(data)
    if not faces:
        raise ValueError(
            "mesh: has no triangles, quads or polygons, only "
            f"{', '.join(sorted(others)) or 'points'}; extract its surface first"
        )
    points = np.asarray(x.points)
    if points.ndim == 2 and points.shape[1] == 2:
        points = np.column_stack([points, np.zeros(len(points))])
    notes = tuple(f"cells that are no faces, left out: {n} of {k}" for k, n in others.items())
    if all(kind == "triangle" for kind, _ in faces):
        return Found(points, np.vstack([ids for _, ids in faces]), notes)
    triangles, cut = _cut_polygons(points, faces)
    return Found(points, triangles, cut + notes)


def _cut_polygons(points: Any, blocks: Iterable[tuple[str, Any]]) -> tuple[Any, tuple[str, ...]]:
    """Triangles of polygons, and notes on those that cross themselves or are not planar.

    The reader of PLY cuts them. ``blocks`` are rows of equally many corners, with
    their kinds.
    """
    vertices, _ = rows(points, 3, "points")
    check_finite(vertices, "points")
    parts = []
    for kind, ids in blocks:
        if ids.ndim != 2 or ids.shape[1] < 3 or ids.dtype.kind not in "iu":
            raise ValueError(
                f"{kind}: has shape {ids.shape} of {ids.dtype}, and needs a row of indices for "
                "each face"
            )
        refuse_rows(
            ((ids < 0) | (ids >= len(vertices))).any(axis=1),
            lambda row: (
                f"{kind}: row {row} is {tuple(ids[row].tolist())}, and there are "
                f"{len(vertices)} vertices"
            ),
        )
        parts.append(np.insert(ids.astype("<i4"), 0, ids.shape[1], axis=1))
    count = sum(len(part) for part in parts)
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {count}\nproperty list int int vertex_indices\nend_header\n"
    )
    inner, notes = core.read_ply(
        b"".join(
            [header.encode(), vertices.astype("<f8").tobytes(), *(p.tobytes() for p in parts)]
        )
    )
    return inner.faces, notes


def _as_numpy_stl(x: Any) -> Found | None:
    if not (hasattr(x, "vectors") and hasattr(x, "v0")):
        return None
    corners = np.asarray(x.vectors).reshape(-1, 3)
    points, ids = np.unique(corners, axis=0, return_inverse=True)
    return Found(points, ids.reshape(-1, 3))
