# SPDX-License-Identifier: Apache-2.0

"""Trees: the targets of queries."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Union, overload

from numpy.typing import ArrayLike

from . import _core as core
from ._explain import Explanation, explain
from ._inputs import Floats, Ints, Path, distance_of, missing, poses_of, rows
from ._mesh import Mesh, mesh_of
from ._motion import MotionQueries
from ._options import MUCH, PER_FACE, Progress, QueryOptions, is_query, query, run_options
from ._pose_batch import PoseBatch
from ._results import Bounds, InsideFacts, PairsWithin, SelfContacts, self_contacts_of
from ._tree_queries import TreeQueries

if TYPE_CHECKING:
    from ._options import Unpack

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


class PosedTree(TreeQueries):
    """A tree at a pose: a target of the queries of one mesh and of two.

    Made by ``tree.at(pose)``. The mesh is the one whose vertices are moved
    exactly and rounded once. Answers are exact for those. Nothing is built,
    except for a pose that stretches much, and for signed distances and winding
    numbers: their first call builds a tree over the moved vertices.

    >>> import orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> box.at(orbox.translation(1, 2, 3)).pose[:3, 3]
    array([1., 2., 3.])
    >>> raised = box.at(orbox.translation(0, 0, 1))
    >>> raised.closest((0, 0, 3)).distance, raised.contains((0.5, 0.5, 1.5))
    (1.0, True)
    """

    __slots__ = ("tree",)

    tree: Tree

    def __init__(self, tree: Tree, posed: core.PosedTree) -> None:
        super().__init__(posed)
        self.tree = tree

    @property
    def pose(self) -> Floats:
        """The pose as a matrix, (4, 4)."""
        return self._target.pose

    @property
    def vertices(self) -> Floats:
        """The moved vertices, (n, 3)."""
        return self._target.vertices

    def _is_closed(self) -> bool:
        return self.tree.mesh.is_closed

    if not TYPE_CHECKING:  # checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:
            raise missing(
                "PosedTree",
                name,
                Tree,
                f"only its Tree has: posed.tree.{name}; for the mesh at the pose, build "
                "orbox.Tree((posed.vertices, posed.tree.mesh.faces))",
            )

    def __repr__(self) -> str:
        return f"PosedTree({len(self.tree.mesh):,} faces)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _at, (self.tree, self.pose)

    def __copy__(self) -> PosedTree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> PosedTree:
        return self


def _at(tree: Tree, pose: Floats) -> PosedTree:
    return tree.at(pose)


class Tree(TreeQueries, MotionQueries):
    """A hierarchy over a mesh: built once, immutable, queried by any threads.

    Args:
        x: anything that ``Mesh.of`` takes, or the path of a tree file.
        quality: the effort of the build; answers do not depend on it.
        volumes: which volumes it may use; "mixed" chooses.
        storage: "compact" takes a quarter of the memory, and somewhat more time.
        weld: vertices at most this far apart become one, as in ``Mesh``; not of a
            tree file.
        skip_invalid: of the path of a mesh: as in ``read_mesh``.
        threads: of the build; None is one per core.
        progress: as ``orbox.QueryOptions`` has it.

    >>> import orbox
    >>> tree = orbox.Tree(orbox.generate("torus_knot", 10_000))
    >>> tree.closest([[0, 0, 0]]).distance.shape
    (1,)
    """

    __slots__ = ("_core", "_mesh", "__weakref__")

    _core: core.Tree
    _mesh: Mesh | None

    def __init__(
        self,
        x: Any,
        *,
        quality: Quality = "balanced",
        volumes: Volumes = "mixed",
        storage: Storage = "wide",
        weld: float | None = None,
        skip_invalid: bool = False,
        threads: int | None = None,
        progress: Progress = None,
    ) -> None:
        if isinstance(x, (str, os.PathLike)) and core.is_tree_file(os.fspath(x)):
            if weld is not None:
                raise ValueError(
                    "weld: a tree file keeps its vertices; "
                    "build another tree: orbox.Tree(orbox.Tree.load(path).mesh, weld=...)"
                )
            self._take(core.load_tree(os.fspath(x), False))
            return
        mesh = mesh_of(x, weld, skip_invalid)
        self._take(
            core.build(
                mesh._core,
                _named(core.Volumes, volumes, "volumes"),
                _named(core.Quality, quality, "quality"),
                _named(core.Storage, storage, "storage"),
                run_options({"threads": threads, "progress": progress}, PER_FACE * len(mesh)),
            )
        )
        self._mesh = mesh

    def _take(self, tree: core.Tree) -> None:
        super().__init__(core.PosedTree(tree))
        self._core = tree
        self._mesh = None

    @classmethod
    def _from_core(cls, inner: core.Tree) -> Tree:
        tree = cls.__new__(cls)
        tree._take(inner)
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
        return cls._from_core(core.load_tree(os.fspath(path), map))

    def save(self, path: Path) -> None:
        """Writes a tree file, which holds the mesh as well.

        >>> import os, tempfile, orbox
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "box.orbox")
        ...     orbox.Tree(orbox.generate("box", 12)).save(path)
        ...     print(orbox.Tree.load(path))
        Tree(12 faces, mixed, wide)
        """
        core.save_tree(self._core, os.fspath(path))

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

    @query
    def inside_facts(
        self, *, error: float = 0.001, absolute_error: float = 0.0, **options: Unpack[QueryOptions]
    ) -> InsideFacts:
        """Facts about the inside: whether there is one, how faces look, and the volume.

        Args:
            error: how far the bounds of the volume may be apart, as a share of the
                lower one, if shells overlap.
            absolute_error: the same, as the cube of a length; the larger of the two
                counts.

        >>> import numpy as np, orbox
        >>> box = orbox.generate("box", 12)
        >>> both = orbox.Tree(([*box.vertices, *(box.vertices + [0.5, 0, 0])],
        ...                    [*box.faces, *(box.faces + 8)]))
        >>> facts = both.inside_facts()
        >>> round(facts.volume.lower, 3), round(facts.volume.upper, 3), facts.meets_itself
        (1.5, 1.5, True)
        """
        errors = distance_of(error, "error"), distance_of(absolute_error, "absolute_error")
        *facts, volume = core.inside_facts(self._target, *errors, run_options(options, MUCH))
        return InsideFacts._make((*facts, None if volume is None else Bounds(*volume)))

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
        """Expected number of nodes and leaves that a query visits."""
        return core.expected_visits(self._core)

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
            return PosedTree(self, core.at(self._core, flat))
        return PoseBatch(self._core, flat)

    @query
    def self_intersections(
        self,
        *,
        shared_corners: Corners = "position",
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """Pairs of faces of this mesh that overlap, (n, 2), ascending.

        Neighbours count only if they share more than their common corner or edge.

        Args:
            shared_corners: a corner is common where its coordinates are equal
                ("position"), or its index is ("index").

        >>> import orbox
        >>> orbox.Tree(orbox.generate("sphere", 1000)).self_intersections().shape
        (0, 2)
        """
        return self._with_itself(core.self_overlaps, shared_corners, options)

    @query
    def self_contacts(
        self,
        *,
        shared_corners: Corners = "position",
        **options: Unpack[QueryOptions],
    ) -> SelfContacts:
        """The pairs of ``self_intersections``, and the kind of each contact.

        Kinds are decided exactly, and compare corners by their coordinates.

        >>> import orbox
        >>> box = orbox.generate("box", 12)
        >>> twice = orbox.Tree((box.vertices, [*box.faces, box.faces[0]]))
        >>> contacts = twice.self_contacts()
        >>> contacts.faces[contacts.kind == "duplicate"].tolist()
        [[0, 12]]
        """
        return self_contacts_of(self._with_itself(core.self_contacts, shared_corners, options))

    @query
    def self_intersects(
        self,
        *,
        shared_corners: Corners = "position",
        **options: Unpack[QueryOptions],
    ) -> bool:
        """Returns True if any faces of this mesh overlap; ends at the first pair.

        >>> import orbox
        >>> orbox.Tree(orbox.generate("sphere", 1000)).self_intersects()
        False
        """
        return self._with_itself(core.self_overlap, shared_corners, options)

    @query
    def self_within(
        self,
        distance: float,
        *,
        shared_corners: Corners = "position",
        **options: Unpack[QueryOptions],
    ) -> PairsWithin:
        """Pairs of faces without a common corner, at most ``distance`` apart.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> len(box.self_within(0.5).faces)
        0
        """
        length = distance_of(distance, "distance")
        return PairsWithin._make(
            self._with_itself(core.self_within, shared_corners, options, length)
        )

    def _with_itself(
        self, call: Callable[..., Any], corners: Corners, options: QueryOptions, *values: Any
    ) -> Any:
        if corners not in ("position", "index"):
            raise ValueError(f'shared_corners: is {corners!r}, and has to be "position" or "index"')
        run = run_options(options, PER_FACE * len(self.mesh))
        return call(self._core, corners == "index", *values, run)

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
        wanted, _, _ = run_options({"threads": threads}, PER_FACE * len(moved))
        return Tree._from_core(core.refit(self._core, moved._core, wanted))

    def explain(self, question: str, *arguments: Any, **options: Any) -> Explanation:
        """Measures the cost of a query with each kind of tree over this mesh.

        Builds the mesh's tree with each kind of volumes and storage, runs the query
        with each, and compares times and counts, to help choose one.

        Args:
            question: the name of a query of Tree, such as "closest".
            arguments, options: those of the query.

        >>> import orbox
        >>> knot = orbox.Tree(orbox.generate("torus_knot", 2000))
        >>> told = knot.explain("closest", [[0, 0, 0], [1, 2, 3]])
        >>> [(row.volumes, row.storage) for row in told.rows[:2]], told.fastest.triangle_tests > 0
        ([('mixed', 'wide'), ('sphere', 'wide')], True)
        """
        if not is_query(getattr(Tree, question, None)):
            raise ValueError(f'question: is {question!r}, and has to be a query, as "closest" is')
        return explain(
            self,
            question,
            lambda tree, cost: getattr(tree, question)(*arguments, **options, statistics=cost),
        )

    def __repr__(self) -> str:
        kinds = f"{self._core.volumes.name}, {self._core.storage.name}"
        return f"Tree({self._core.mesh.face_count:,} faces, {kinds})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _decoded, (core.encode_tree(self._core),)

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        return self  # immutable


def _decoded(data: bytes) -> Tree:
    return Tree._from_core(core.decode_tree(data))
