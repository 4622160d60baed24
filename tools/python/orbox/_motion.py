# SPDX-License-Identifier: Apache-2.0

"""When meshes that move, or deform, first touch."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import Floats, count_of, distance_of, poses_of, rows
from ._results import DeformingContact, TimeOfContact


class MotionQueries:
    """The queries of motions, for Tree."""

    __slots__ = ()

    _core: core.Tree

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
        partner = _tree_of(other)
        still = np.stack([np.eye(4), np.eye(4)])
        return TimeOfContact._make(
            core.time_of_contact(
                core.moving(self._core, _two(poses, "poses"), middle),
                core.moving(
                    partner,
                    _two(still if other_poses is None else other_poses, "other_poses"),
                    np.zeros((1, 3)),
                ),
                distance_of(tolerance, "tolerance"),
                count_of(max_steps, "max_steps", 1),
            )
        )

    def first_contact(
        self,
        vertices: ArrayLike,
        other: Any,
        other_vertices: ArrayLike | None = None,
        *,
        max_t: float = 1,
        tolerance: float = 0,
    ) -> DeformingContact | None:
        """When this mesh, whose vertices move, first touches ``other``.

        Each vertex moves along a line at constant speed, from where it is at
        t = 0 to its row in ``vertices`` at t = 1. The existence of a contact is
        decided exactly, so nothing tunnels.

        Args:
            vertices: (n, 3): where the vertices of this mesh go to.
            other: a Tree, or anything that ``Mesh.of`` takes.
            other_vertices: the same of the other; None where it rests.
            max_t: nothing later is found.
            tolerance: how far ``earliest`` and ``latest`` may be apart; 0 is
                as narrow as can be.

        Returns:
            None without contact.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> wall = orbox.Mesh([[3, -9, -9], [3, 9, -9], [3, 0, 9]], [[0, 1, 2]])
        >>> hit = box.first_contact(box.mesh.vertices + [4, 0, 0], wall)
        >>> hit is not None and hit.earliest <= 0.5 <= hit.latest
        True
        """
        partner = _tree_of(other)
        to = partner.mesh.vertices if other_vertices is None else other_vertices
        a = core.deforming(self._core, rows(vertices, 3, "vertices")[0])
        b = core.deforming(partner, rows(to, 3, "other_vertices")[0])
        hit = core.first_contact(a, b, *_until(max_t, tolerance))
        return None if hit is None else DeformingContact._make(hit)

    def first_self_contact(
        self, vertices: ArrayLike, *, max_t: float = 1, tolerance: float = 0
    ) -> DeformingContact | None:
        """When a mesh whose vertices move first touches itself.

        Faces that share vertices touch where features of theirs touch that have
        no vertex in common. Arguments are those of ``first_contact``.

        >>> import orbox
        >>> ball = orbox.Tree(orbox.generate("sphere", 100))
        >>> ball.first_self_contact(2 * ball.mesh.vertices) is None
        True
        >>> flat = ball.first_self_contact(ball.mesh.vertices * [1, 1, 0])
        >>> flat is not None and flat.latest
        1.0
        """
        mesh = core.deforming(self._core, rows(vertices, 3, "vertices")[0])
        hit = core.first_self_contact(mesh, *_until(max_t, tolerance))
        return None if hit is None else DeformingContact._make(hit)


def _until(max_t: float, tolerance: float) -> tuple[float, float]:
    return distance_of(max_t, "max_t"), distance_of(tolerance, "tolerance")


def _tree_of(x: Any) -> core.Tree:
    from ._tree import Tree

    return (x if isinstance(x, Tree) else Tree(x))._core


def _two(poses: ArrayLike, name: str) -> Floats:
    flat, single = poses_of(poses, name)
    if single or len(flat) != 2:
        raise ValueError(f"{name}: needs two poses, (2, 4, 4): the first and the last")
    return flat
