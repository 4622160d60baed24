# SPDX-License-Identifier: Apache-2.0

"""Bodies of files: each with its name, mesh, pose and properties."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import Floats, Path, poses_of, rows
from ._mesh import Mesh
from ._options import Progress, progress_of


class Body(NamedTuple):
    """A body as files name it; ``properties`` are texts by their keys."""

    name: str
    mesh: Mesh
    pose: Floats
    properties: dict[str, str]


def read_bodies(
    path: Path, *, left_out: list[str] | None = None, progress: Progress = None
) -> list[Body]:
    """Reads the bodies of a file.

    The objects or groups of an OBJ file, the solids of an STL file, the nodes
    of a glTF or GLB file, with their poses and extras, what a 3MF file builds,
    in millimetres; of other files the whole mesh. Bodies of one mesh share it.
    "house.obj#roof" is one body alone.

    Args:
        left_out: gets the names of elements that are no bodies, because they
            have no triangles.

    Raises:
        OSError: the file cannot be opened or read.
        ValueError: its contents are bad; the message says where.
        FileNotFoundError: there is no such file, or no such body in it.

    >>> import os, tempfile, orbox
    >>> box = orbox.Body("box", orbox.generate("box", 12), orbox.scaling(2), {"type": "IfcWall"})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "house.glb")
    ...     orbox.write_bodies([box], path)
    ...     [(b.name, b.properties) for b in orbox.read_bodies(path)]
    [('box', {'type': 'IfcWall'})]
    """
    meshes: dict[int, Mesh] = {}
    bodies = []
    found, names = _core.read_bodies(os.fspath(path), progress_of(progress))
    if left_out is not None:
        left_out.extend(names)
    for name, mesh, pose, properties in found:
        if id(mesh) not in meshes:
            meshes[id(mesh)] = Mesh._from_core(mesh)
        bodies.append(Body(name, meshes[id(mesh)], pose, properties))
    return bodies


def write_bodies(bodies: Iterable[Body], path: Path, *, colors: ArrayLike | None = None) -> None:
    """Writes bodies to a GLB file (binary glTF 2.0), for any viewer.

    Args:
        bodies: at least one.
        path: ends in .glb. The file is written whole or not at all.
        colors: (n, 3) or (n, 4): red, green, blue, and how opaque, 0 to 1.

    Raises:
        OSError: the file cannot be written.
        ValueError: another number of colours than of bodies, and the like.
    """
    rgba = np.zeros((0, 4))
    if colors is not None:
        given = np.asarray(colors, dtype=np.float64)
        opaque = given.ndim == 2 and given.shape[1] == 3
        if opaque:
            given = np.column_stack([given, np.ones(len(given))])
        rgba = rows(given, 4, "colors")[0]
    listed = [(str(b.name), b.mesh._core, poses_of(b.pose)[0], dict(b.properties)) for b in bodies]
    _core.write_bodies(listed, os.fspath(path), rgba)
