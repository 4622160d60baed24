# SPDX-License-Identifier: Apache-2.0

"""Trees of meshes that change their shape."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import distance_of, rows
from ._mesh import mesh_of
from ._tree import Tree


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

    _core: core.DeformingTree

    def __init__(self, x: Any, *, most_growth: float = 1.3) -> None:
        self._core = core.deforming_tree(mesh_of(x)._core, distance_of(most_growth, "most_growth"))

    def move(self, vertices: ArrayLike) -> None:
        """Moves all vertices of the mesh."""
        self._core.move(rows(vertices, 3, "vertices")[0])

    @property
    def tree(self) -> Tree:
        """The tree of the last move; it does not change while it is kept."""
        return Tree._from_core(self._core.tree)

    @property
    def growth(self) -> float:
        """Growth of the cost of queries since the last build."""
        return self._core.growth

    @property
    def builds(self) -> int:
        """Number of moves that have rebuilt the tree."""
        return self._core.builds
