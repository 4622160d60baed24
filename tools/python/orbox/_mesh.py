# SPDX-License-Identifier: Apache-2.0

"""Meshes: triangles, validated once, immutable afterwards."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import Floats, Ints, Path, count_of, distance_of, faces_of, rows
from ._options import Progress, progress_of
from ._other_meshes import found_in


class SurfaceFacts(NamedTuple):
    """Counts of a surface, its area, and the volume that its faces sum up to.

    Edges of one face are boundary edges, those of three or more are not
    manifold; ``boundary_loops`` are the rims of holes and of sheets. ``volume``
    is negative if the faces look inward, and 0 if they do not agree. It is the
    volume inside if no shells overlap and cavities look inward;
    ``Tree.inside_facts`` has that of every mesh. Area and volume are right to
    within rounding.
    """

    parts: int
    boundary_edges: int
    boundary_loops: int
    non_manifold_edges: int
    area: float
    volume: float


class Mesh:
    """A triangle mesh: vertices and faces, validated once.

    Args:
        vertices: (n, 3) coordinates of any real type, all finite.
        faces: (m, 3) indices of vertices, from 0; at least one face. Faces
            without area are legal.
        weld: vertices at most this far apart become one, the first of them.
            Faces keep their numbers; ``Mesh.notes`` says how many vertices
            moved, and how far. Vertices of no face are left out.

    Raises:
        ValueError: a shape is wrong, a coordinate is not finite, an index is
            out of range, or there is no face. The message names the row.

    >>> import orbox
    >>> mesh = orbox.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> mesh
    Mesh(3 vertices, 1 faces)
    >>> mesh.is_closed
    False
    """

    __slots__ = ("_core", "_faces", "_closed", "_notes", "__weakref__")

    _inner: core.Mesh
    _faces: Ints | None
    _closed: bool | None
    _notes: tuple[str, ...]

    def __init__(self, vertices: ArrayLike, faces: ArrayLike, *, weld: float | None = None) -> None:
        points, _ = rows(vertices, 3, "vertices")
        self._take(core.mesh(points, faces_of(faces)))
        if weld is not None:
            welded = self._welded(weld)
            self._take(welded._core)
            self._notes = welded._notes

    def _take(self, inner: core.Mesh) -> None:
        self._core = inner
        self._faces = None
        self._closed = None
        self._notes = ()

    @classmethod
    def _from_core(cls, inner: core.Mesh, notes: tuple[str, ...] = ()) -> Mesh:
        mesh = cls.__new__(cls)
        mesh._take(inner)
        mesh._notes = notes
        return mesh

    def _welded(self, weld: float) -> Mesh:
        inner, notes = core.weld(self._core, distance_of(weld, "weld"))
        return Mesh._from_core(inner, self._notes + notes)

    @classmethod
    def of(cls, x: Any, *, weld: float | None = None, skip_invalid: bool = False) -> Mesh:
        """The mesh of anything that holds one.

        Args:
            x: a Mesh, a Tree, a pair (vertices, faces), a path of a file, or an
                object of trimesh, Open3D, PyVista, meshio or numpy-stl. Polygons
                are cut into triangles, concave ones too. A grid of PyVista stands
                for its surface. Cells of meshio that are no faces are left out,
                and ``Mesh.notes`` counts them.
            weld: vertices at most this far apart become one, as in ``Mesh``.
            skip_invalid: of a path: as in ``read_mesh``.

        Raises:
            TypeError: nothing in ``x`` looks like a mesh.
            OSError: the file cannot be read.

        >>> import orbox
        >>> orbox.Mesh.of(([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
        Mesh(3 vertices, 1 faces)
        """
        return mesh_of(x, weld, skip_invalid)

    @property
    def vertices(self) -> Floats:
        """(n, 3) coordinates: a view that cannot be written to."""
        return self._core.vertices

    @property
    def faces(self) -> Ints:
        """(m, 3) indices of vertices; cannot be written to."""
        if self._faces is None:
            faces = self._core.faces
            faces.flags.writeable = False
            self._faces = faces
        return self._faces

    @property
    def notes(self) -> tuple[str, ...]:
        """What was tolerated, skipped, welded or left out, a text for each kind."""
        return self._notes

    @property
    def bounds(self) -> Floats:
        """The lowest and the highest corner of the box around all faces, (2, 3)."""
        return self._core.bounds

    @property
    def is_closed(self) -> bool:
        """True if every edge belongs to an even number of faces."""
        if self._closed is None:
            self._closed = core.is_closed(self._core)
        return self._closed

    @property
    def do_faces_agree(self) -> bool:
        """True if the mesh is closed and each edge is used as often one way as the other.

        If true, points have winding numbers; otherwise ``Tree.contains`` uses parity.

        >>> import orbox
        >>> orbox.generate("box", 12).do_faces_agree
        True
        """
        return core.do_faces_agree(self._core)

    @property
    def degenerate_count(self) -> int:
        """Number of faces with exactly no area."""
        return self._core.degenerate_count

    @property
    def parts(self) -> Ints:
        """The lowest face of each connected component, ascending."""
        return core.parts(self._core)

    def split(self) -> list[Mesh]:
        """The connected components as separate meshes, in the order of their lowest faces.

        Faces are connected if they share a corner, compared by coordinates. Faces
        and vertices of each component are in the order of the mesh.

        >>> import numpy as np, orbox
        >>> box = orbox.generate("box", 12)
        >>> two = orbox.Mesh(
        ...     np.vstack([box.vertices, box.vertices + 5]), np.vstack([box.faces, box.faces + 8])
        ... )
        >>> [len(part) for part in two.split()]
        [12, 12]
        """
        return [Mesh._from_core(part) for part in core.split(self._core)]

    @property
    def facts(self) -> SurfaceFacts:
        """Properties of the surface that matter for repair.

        >>> import orbox
        >>> facts = orbox.generate("box", 12).facts
        >>> facts.parts, facts.boundary_edges, facts.area, facts.volume
        (1, 0, 6.0, 1.0)
        """
        return SurfaceFacts._make(core.surface_facts(self._core))

    def save(self, path: Path) -> None:
        """Writes the mesh to a file, whole or not at all.

        The extension decides the format: .ply and .stl (binary), .obj, .off.

        Raises:
            OSError: the file cannot be written.
            ValueError: the extension is unknown.
        """
        core.write_mesh(self._core, os.fspath(path))

    def to_trimesh(self) -> Any:
        """The mesh as a ``trimesh.Trimesh``, with the same vertices and faces."""
        import trimesh  # type: ignore[import-not-found, unused-ignore]

        return trimesh.Trimesh(np.array(self.vertices), np.array(self.faces), process=False)

    def to_open3d(self) -> Any:
        """The mesh as an ``open3d.geometry.TriangleMesh``."""
        from open3d import geometry, utility  # type: ignore[import-not-found, unused-ignore]

        # Open3D refuses arrays that cannot be written to.
        vertices, faces = np.array(self.vertices), np.array(self.faces, np.int32)
        return geometry.TriangleMesh(
            utility.Vector3dVector(vertices), utility.Vector3iVector(faces)
        )

    def to_pyvista(self) -> Any:
        """The mesh as a ``pyvista.PolyData``."""
        import pyvista  # type: ignore[import-not-found, unused-ignore]

        faces: Any = np.array(self.faces)
        return pyvista.PolyData.from_regular_faces(np.array(self.vertices), faces)

    def __len__(self) -> int:
        return self._core.face_count

    def __repr__(self) -> str:
        return f"Mesh({self._core.vertex_count:,} vertices, {len(self):,} faces)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mesh):
            return NotImplemented
        return np.array_equal(self.vertices, other.vertices) and np.array_equal(
            self.faces, other.faces
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (np.array(self.vertices), np.array(self.faces), self._notes)

    def __copy__(self) -> Mesh:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Mesh:
        return self  # immutable


def _restored(vertices: Floats, faces: Ints, notes: tuple[str, ...]) -> Mesh:
    mesh = Mesh(vertices, faces)
    mesh._notes = notes
    return mesh


def read_mesh(
    path: Path,
    *,
    skip_invalid: bool = False,
    weld: float | None = None,
    progress: Progress = None,
) -> Mesh:
    """Reads a mesh from an OBJ, PLY, STL, OFF, glTF or 3MF file.

    ``Mesh.notes`` says what was tolerated.

    Args:
        skip_invalid: vertices that are not finite, and that no face uses, are
            no errors.
        weld: vertices at most this far apart become one, as in ``Mesh``.

    Raises:
        OSError: the file cannot be opened or read.
        ValueError: its contents are bad; the message says where.

    >>> import os, tempfile, orbox
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "box.ply")
    ...     orbox.generate("box", 12).save(path)
    ...     orbox.read_mesh(path) == orbox.generate("box", 12)
    True
    """
    distance = None if weld is None else distance_of(weld, "weld")
    inner, notes = core.read_mesh(
        os.fspath(path), bool(skip_invalid), distance, progress_of(progress)
    )
    return Mesh._from_core(inner, notes)


def generate(shape: str, faces: int = 10_000, seed: int = 1) -> Mesh:
    """A mesh made from a formula: one of ``orbox.shapes()``.

    Args:
        shape: its name.
        faces: about how many faces.
        seed: for shapes with random parts.

    >>> import orbox
    >>> len(orbox.generate("box", 12))
    12
    """
    return Mesh._from_core(core.generate(shape, count_of(faces, "faces"), count_of(seed, "seed")))


def shapes() -> dict[str, str]:
    """The names of generated shapes, and what they are.

    >>> import orbox
    >>> "torus_knot" in orbox.shapes()
    True
    """
    return dict(core.shapes())


def mesh_of(x: Any, weld: float | None = None, skip_invalid: bool = False) -> Mesh:
    """Creates a mesh, like ``Mesh.of``."""
    if isinstance(x, (str, os.PathLike)):
        return read_mesh(x, weld=weld, skip_invalid=skip_invalid)
    if skip_invalid:
        raise ValueError(
            f"skip_invalid: is for the path of a file, and this is a {type(x).__name__}; leave "
            "vertices that are not finite out of it"
        )
    if isinstance(x, (tuple, list)) and len(x) == 2:
        return Mesh(x[0], x[1], weld=weld)
    inner = x if isinstance(x, Mesh) else getattr(x, "_orbox_mesh", None)
    if not isinstance(inner, Mesh):
        found = found_in(x)
        if found is None:
            raise TypeError(
                f"mesh: a {type(x).__name__} does not look like one; give an orbox.Mesh, "
                "(vertices, faces), a path, or a mesh of trimesh, Open3D, PyVista, meshio or "
                "numpy-stl"
            )
        inner = Mesh(found.vertices, found.faces)
        inner._notes = found.notes
    return inner if weld is None else inner._welded(weld)
