# SPDX-License-Identifier: Apache-2.0

"""What a tree answers about rays, and about balls that move."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from . import _core as core
from ._inputs import Bools, Floats, Ints, columns, distance_of, lengths, refuse_rows
from ._options import QueryOptions, asked, query
from ._results import Ragged, RayHits, SweptHits, answer

if TYPE_CHECKING:
    from ._options import Unpack

_Ask = Callable[..., Any]


def _rays(origins: ArrayLike, directions: ArrayLike) -> tuple[Floats, bool]:
    both, single = columns((origins, 3, "origins"), (directions, 3, "directions"))
    refuse_rows(
        ~both[:, 3:].any(axis=1),
        lambda row: (
            f"directions: row {row} is zero, and has to point somewhere; leave such rays out"
        ),
    )
    return both, single


def _swept_balls(starts: ArrayLike, ends: ArrayLike, radii: ArrayLike) -> tuple[Floats, bool]:
    return columns((starts, 3, "starts"), (ends, 3, "ends"), (lengths(radii, "radii"), 1, "radii"))


class RayQueries:
    """The queries of rays, for Tree."""

    __slots__ = ()

    _core: core.Tree

    @query
    def ray_first(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        **options: Unpack[QueryOptions],
    ) -> RayHits:
        """What rays hit first: the points ``origin + t * direction``, t >= 0.

        Args:
            origins: (n, 3), or (3,) for one, or for all.
            directions: (n, 3), or (3,); of any length but 0.
            max_t: nothing later is found; t is in units of the direction.

        Returns:
            t, face, barycentric weights and point; inf, -1 and nan where
            nothing is hit. Which face is hit first is decided exactly; no ray
            slips through an edge.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_first([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1)).t
        array([ 2., inf])
        """
        rays = _rays(origins, directions)
        return answer(RayHits, self._along_rays(core.ray_first, rays[0], max_t, options), rays[1])

    @query
    def ray_any(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """Whether rays hit anything. Arguments are those of ``ray_first``.

        Two points see each other unless the ray from one to the other hits
        something with ``max_t=1``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_any([[0.1, 0.2, 3], [5, 5, 5]], (0, 0, -1))
        array([ True, False])
        """
        return self._of_each_ray(core.ray_any, _rays(origins, directions), max_t, options)

    @query
    def ray_count(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        **options: Unpack[QueryOptions],
    ) -> Ints:
        """How many faces rays hit. Arguments are those of ``ray_first``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_count([[0.1, 0.2, 3]], (0, 0, -1)).tolist()
        [2]
        """
        return self._of_each_ray(core.ray_count, _rays(origins, directions), max_t, options)

    @query
    def ray_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        max_t: float = inf,
        **options: Unpack[QueryOptions],
    ) -> Ragged[RayHits]:
        """All that rays hit, each face once, in the order of t, then of faces.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.ray_all([[0.1, 0.2, 3]], (0, 0, -1))[0].t
        array([2., 3.])
        """
        rays, _ = _rays(origins, directions)
        offsets, hits = self._along_rays(core.ray_all, rays, max_t, options)
        return Ragged(offsets, RayHits._make(hits))

    @query
    def swept_ball(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> SweptHits:
        """What balls touch first that move from ``starts`` to ``ends``.

        Whether a ball touches anything is decided exactly. The time of the
        first contact, a share of the way, lies between ``earliest`` and
        ``latest``: up to ``earliest`` the ball is certainly free.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> hit = box.swept_ball((0.5, 0.5, 5), (0.5, 0.5, 1), 0.5)
        >>> bool(hit.earliest <= 0.875 <= hit.latest)
        True
        """
        balls = _swept_balls(starts, ends, radii)
        return answer(
            SweptHits, self._along_rays(core.sweep_first, balls[0], inf, options), balls[1]
        )

    @query
    def swept_ball_any(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Bools:
        """Whether balls that move touch anything, exactly.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.swept_ball_any((0.5, 0.5, 4), (0.5, 0.5, 2), [0.5, 1.0])
        array([False,  True])
        """
        return self._of_each_ray(core.sweep_any, _swept_balls(starts, ends, radii), inf, options)

    @query
    def swept_ball_all(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        radii: ArrayLike,
        **options: Unpack[QueryOptions],
    ) -> Ragged[SweptHits]:
        """All faces that balls touch on their way, by ``latest``."""
        balls, _ = _swept_balls(starts, ends, radii)
        offsets, hits = self._along_rays(core.sweep_all, balls, inf, options)
        return Ragged(offsets, SweptHits._make(hits))

    def _along_rays(self, ask: _Ask, rays: Floats, max_t: float, options: QueryOptions) -> Any:
        return ask(self._core, rays, distance_of(max_t, "max_t"), asked(options, len(rays)))

    def _of_each_ray(
        self, ask: _Ask, rays: tuple[Floats, bool], max_t: float, options: QueryOptions
    ) -> Any:
        found = self._along_rays(ask, rays[0], max_t, options)
        return found[0] if rays[1] else found
