# SPDX-License-Identifier: Apache-2.0

"""Trees: what queries are asked of."""

from __future__ import annotations

import os
from typing import Any, Literal, Union, overload

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._inputs import (
    Floats,
    Ints,
    Path,
    Progress,
    count_of,
    distance_of,
    poses_of,
    progress_of,
    rows,
    threads_for_faces,
)
from ._mesh import Mesh, mesh_of
from ._pairs import PairQueries, PoseBatch
from ._points import PointQueries
from ._rays import RayQueries
from ._regions import RegionQueries
from ._results import PairsWithin, TimeOfContact

Quality = Literal["fast", "balanced", "best"]
Volumes = Literal["mixed", "sphere", "aabb", "obb"]
Storage = Literal["wide", "compact"]
Corners = Literal["position", "index"]


def _named(kind: Any, value: str, name: str) -> Any:
    members = [m for m in dir(kind) if not m.startswith("_") and m.islower()]
    choices = [m for m in members if isinstance(getattr(kind, m), kind)]
    if value not in choices:
        said = ", ".join(f'"{c}"' for c in choices)
        raise ValueError(f"{name}: is {value!r}, and has to be one of {said}")
    return getattr(kind, value)


class PosedTree(PairQueries):
    """A tree and where it stands, for queries of two meshes.

    Made by ``tree.at(pose)``. The mesh is the one whose vertices are moved
    exactly and rounded once; answers are exact for those.

    >>> import orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> box.at(orbox.translation(1, 2, 3)).pose[:3, 3]
    array([1., 2., 3.])
    """

    __slots__ = ("_posed", "tree")

    _posed: _core.PosedTree
    tree: Tree

    def __init__(self, tree: Tree, posed: _core.PosedTree) -> None:
        self.tree = tree
        self._posed = posed

    @property
    def pose(self) -> Floats:
        """The pose as a matrix, (4, 4)."""
        return self._posed.pose

    @property
    def vertices(self) -> Floats:
        """The moved vertices, (n, 3)."""
        return self._posed.vertices

    def __repr__(self) -> str:
        return f"PosedTree({len(self.tree.mesh):,} faces)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _at, (self.tree, self.pose)

    def __copy__(self) -> PosedTree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> PosedTree:
        return self


def _at(tree: Tree, pose: Floats) -> PosedTree:
    return tree.at(pose)  # type: ignore[return-value]


class Tree(PointQueries, RegionQueries, RayQueries, PairQueries):
    """A hierarchy over a mesh: built once, immutable, asked by any threads.

    Args:
        x: anything that ``Mesh.of`` takes, or the path of a tree file.
        quality: the effort of the build; answers do not depend on it.
        volumes: which volumes it may use; "mixed" chooses.
        storage: "compact" takes a quarter of the memory, and somewhat more time.
        threads: of the build; None is one per core.
        progress: see ``orbox.Progress``.

    >>> import orbox
    >>> tree = orbox.Tree(orbox.generate("torus_knot", 10_000))
    >>> tree.closest([[0, 0, 0]]).distance.shape
    (1,)
    """

    __slots__ = ("_core", "_posed", "_mesh", "_signed", "_winding", "__weakref__")

    _core: _core.Tree
    _posed: _core.PosedTree
    _mesh: Mesh | None

    def __init__(
        self,
        x: Any,
        *,
        quality: Quality = "balanced",
        volumes: Volumes = "mixed",
        storage: Storage = "wide",
        threads: int | None = None,
        progress: Progress = None,
    ) -> None:
        if isinstance(x, (str, os.PathLike)) and _core.is_tree_file(os.fspath(x)):
            self._take(_core.load_tree(os.fspath(x), False))
            return
        mesh = mesh_of(x)
        self._take(
            _core.build(
                mesh._core,
                _named(_core.Volumes, volumes, "volumes"),
                _named(_core.Quality, quality, "quality"),
                _named(_core.Storage, storage, "storage"),
                threads_for_faces(threads, len(mesh)),
                progress_of(progress),
            )
        )
        self._mesh = mesh

    def _take(self, core: _core.Tree) -> None:
        self._core = core
        self._posed = _core.PosedTree(core)
        self._mesh = None
        self._signed = None
        self._winding = None

    @classmethod
    def _from_core(cls, core: _core.Tree) -> Tree:
        tree = cls.__new__(cls)
        tree._take(core)
        return tree

    @classmethod
    def load(cls, path: Path, *, map: bool = False) -> Tree:
        """Reads a tree file; verifies everything.

        Args:
            map: leave the tree in the file, which must not change meanwhile;
                processes share its memory.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is no tree file, or damaged.
        """
        return cls._from_core(_core.load_tree(os.fspath(path), map))

    def save(self, path: Path) -> None:
        """Writes a tree file, which holds the mesh as well.

        >>> import os, tempfile, orbox
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "box.orbox")
        ...     orbox.Tree(orbox.generate("box", 12)).save(path)
        ...     print(orbox.Tree.load(path))
        Tree(12 faces, mixed, wide)
        """
        _core.save_tree(self._core, os.fspath(path))

    @property
    def mesh(self) -> Mesh:
        """The mesh that it is over."""
        if self._mesh is None:
            self._mesh = Mesh._from_core(self._core.mesh)
        return self._mesh

    @property
    def _orbox_mesh(self) -> Mesh:
        return self.mesh

    def _is_closed(self) -> bool:
        return self.mesh.is_closed

    @property
    def depth(self) -> int:
        """Nodes on the longest path from the root."""
        return self._core.depth

    @property
    def nbytes(self) -> int:
        """The memory of nodes, leaves and corners, without the mesh."""
        return self._core.size_bytes

    @property
    def expected_visits(self) -> float:
        """How many nodes and leaves a query is expected to open."""
        return _core.expected_visits(self._core)

    @overload
    def at(self, pose: Floats | Any) -> Any: ...
    @overload
    def at(self, pose: ArrayLike) -> Union[PosedTree, PoseBatch]: ...

    def at(self, pose: Any) -> Any:
        """This tree at a pose, or at many.

        Args:
            pose: (4, 4), a matrix that multiplies columns, (3, 4), or a
                rotation of scipy: a PosedTree. (n, 4, 4) for many: a PoseBatch.
                Any affine matrix will do.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.at(orbox.translation(0, 0, 5)).vertices[:, 2].tolist()
        [5.0, 6.0, 5.0, 6.0, 5.0, 6.0, 5.0, 6.0]
        """
        flat, single = poses_of(pose)
        if single:
            return PosedTree(self, _core.at(self._core, flat))
        return PoseBatch(self._core, flat)

    def self_intersections(
        self,
        *,
        shared_corners: Corners = "position",
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> Ints:
        """Pairs of faces of this mesh that overlap, (n, 2), ascending.

        Neighbours count only where they share more than what they have in
        common: a corner or an edge.

        Args:
            shared_corners: a corner is common where its coordinates are equal
                ("position"), or its index is ("index").

        >>> import orbox
        >>> orbox.Tree(orbox.generate("sphere", 1000)).self_intersections().shape
        (0, 2)
        """
        return _core.self_overlaps(
            self._core,
            _by_index(shared_corners),
            threads_for_faces(threads, len(self.mesh)),
            progress_of(progress),
            statistics,
        )

    def self_within(
        self,
        distance: float,
        *,
        shared_corners: Corners = "position",
        threads: int | None = None,
        progress: Progress = None,
        statistics: _core.Statistics | None = None,
    ) -> PairsWithin:
        """Pairs of faces without a common corner, at most ``distance`` apart.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> len(box.self_within(0.5).faces)
        0
        """
        return PairsWithin._make(
            _core.self_within(
                self._core,
                distance_of(distance, "distance"),
                _by_index(shared_corners),
                threads_for_faces(threads, len(self.mesh)),
                progress_of(progress),
                statistics,
            )
        )

    def refit(self, vertices: ArrayLike, *, threads: int | None = None) -> Tree:
        """A tree with the same faces, and moved vertices: cheaper than a build.

        Queries are exact; they become slower as neighbours move apart, which
        ``expected_visits`` measures.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.refit(2 * box.mesh.vertices).mesh.bounds.tolist()
        [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]]
        """
        moved = Mesh(rows(vertices, 3, "vertices")[0], self.mesh.faces)
        threads = threads_for_faces(threads, len(moved))
        return Tree._from_core(_core.refit(self._core, moved._core, threads))

    def time_of_contact(
        self,
        poses: ArrayLike,
        other: Any,
        other_poses: ArrayLike | None = None,
        *,
        tolerance: float = 0,
        center: ArrayLike = (0, 0, 0),
        max_steps: int = 100_000,
    ) -> TimeOfContact:
        """When this mesh, moving from a pose to another, first touches ``other``.

        The motion turns at constant speed about ``center`` of the mesh's own
        coordinates, which moves along a line. Nothing tunnels.

        Args:
            poses: (2, 4, 4), the first and the last, of a uniform scale.
            other: the other tree.
            other_poses: the same of the other; None where it rests.
            tolerance: the search ends when the meshes are so near; 0 is a
                millionth of the size of the larger one.

        >>> import numpy as np, orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> way = np.stack([orbox.translation(6, 0, 0), orbox.translation(0, 0, 0)])
        >>> hit = box.time_of_contact(way, box)
        >>> round(hit.earliest, 3)
        0.833
        """
        middle, _ = rows(center, 3, "center")
        partner = other if isinstance(other, Tree) else Tree(other)
        still = np.stack([np.eye(4), np.eye(4)])
        return TimeOfContact._make(
            _core.time_of_contact(
                _core.moving(self._core, _two(poses, "poses"), middle),
                _core.moving(
                    partner._core,
                    _two(still if other_poses is None else other_poses, "other_poses"),
                    np.zeros((1, 3)),
                ),
                distance_of(tolerance, "tolerance"),
                count_of(max_steps, "max_steps", 1),
            )
        )

    def __repr__(self) -> str:
        kinds = f"{self._core.volumes.name}, {self._core.storage.name}"
        return f"Tree({self._core.mesh.face_count:,} faces, {kinds})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _decoded, (_core.encode_tree(self._core),)

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        return self  # immutable


def _decoded(data: bytes) -> Tree:
    return Tree._from_core(_core.decode_tree(data))


def _two(poses: ArrayLike, name: str) -> Floats:
    flat, single = poses_of(poses, name)
    if single or len(flat) != 2:
        raise ValueError(f"{name}: needs two poses, (2, 4, 4): the first and the last")
    return flat


def _by_index(shared_corners: str) -> bool:
    if shared_corners not in ("position", "index"):
        raise ValueError(
            f'shared_corners: is {shared_corners!r}, and has to be "position" or "index"'
        )
    return shared_corners == "index"


class DeformingTree:
    """The tree of a mesh that changes its shape from frame to frame.

    It is refitted in place, and rebuilt when that pays.

    >>> import orbox
    >>> ball = orbox.DeformingTree(orbox.generate("sphere", 1000))
    >>> ball.move(0.5 * ball.tree.mesh.vertices)
    >>> round(float(ball.tree.mesh.bounds[1, 2]), 3)
    0.5
    """

    __slots__ = ("_core",)

    _core: _core.DeformingTree

    def __init__(self, x: Any, *, most_growth: float = 1.3) -> None:
        self._core = _core.deforming_tree(mesh_of(x)._core, distance_of(most_growth, "most_growth"))

    def move(self, vertices: ArrayLike) -> None:
        """Moves all vertices: as many as the mesh has."""
        self._core.move(rows(vertices, 3, "vertices")[0])

    @property
    def tree(self) -> Tree:
        """The tree of the last move; it stays as it is while it is kept."""
        return Tree._from_core(self._core.tree)

    @property
    def growth(self) -> float:
        """How much the cost of queries has grown since the last build."""
        return self._core.growth

    @property
    def builds(self) -> int:
        """How many moves have rebuilt the tree."""
        return self._core.builds
