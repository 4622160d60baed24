# SPDX-License-Identifier: Apache-2.0

"""Relations of solids within a tolerance, and the region that they share."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from . import _core
from ._inputs import Floats, InsideRule, by_parity, distance_of
from ._options import QueryOptions, query
from ._pairs import PairQueries
from ._results import Bounds, Gap, Penetration

if TYPE_CHECKING:
    from ._options import Unpack

ClashKind = Literal[
    "apart",
    "clearance",
    "touch",
    "crossing",
    "first inside",
    "second inside",
    "duplicate",
    "clash",
]
#: Each kind at its number: the name, and if clashes of the kind need a look.
_KINDS: list[tuple[ClashKind, bool]] = list(_core.clash_kinds())
_TO_LOOK_AT = frozenset(name for name, is_clash in _KINDS if is_clash)


class Clash(NamedTuple):
    """Relation of two solids.

    ``thickness`` is that of the region that they share, the diameter of the
    largest ball in it, as far as it is known; ``center`` is the ball's. The volume,
    the gap and the depth are set if they were requested.
    """

    kind: ClashKind
    thickness: Bounds
    center: Floats
    volume: Bounds | None
    gap: Gap | None
    depth: Penetration | None = None
    #: Numbers of holes that were closed in each of the two (``close_holes``).
    closed_holes: tuple[int, int] = (0, 0)
    #: The search gave up: the kind is the worst of those that are possible.
    is_undecided: bool = False

    @property
    def is_clash(self) -> bool:
        """True if the pair needs a look: it is neither apart nor only near or touching."""
        return self.kind in _TO_LOOK_AT


class SharedThickness(NamedTuple):
    """Thickness of the region that two solids share, and the centre of a ball in it."""

    thickness: Bounds
    center: Floats


class ClashSettings(TypedDict, total=False):
    """Options of clashes: those that decide the kind, and the measures to find.

    tolerance: solids that share a region no thicker than this touch.
    clearance: solids that come nearer than this are reported.
    exact: without a tolerance, and without rounding: solids whose interiors
        have a common point clash, others touch or are apart.
    inside: the rule by which points are inside, as for ``contains``.
    close_holes: closes the holes of open meshes if each is shorter than this,
        to decide what is inside; not those of sheets. Faces that close them are no
        surface: ``touch``, ``clearance`` and gaps are those of the mesh.
    thickness, volume: measure the region that is shared, up to ``error``.
    gap: find where surfaces that touch, cross or clash are closest.
    depth: find how far the first solid has to be moved to be free, of those
        that clash or cross; see ``penetration``.
    error: of the measures, as a fraction; 0.01 unless it is given.
    absolute_error: error as a length; of a volume, its cube.

    >>> import orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> found = box.clash(box.at(orbox.translation(0.75, 0, 0)), volume=True, error=1e-6)
    >>> found.kind, found.volume is not None and round(found.volume.upper, 3)
    ('clash', 0.25)
    >>> box.clash(box.at(orbox.translation(1 - 2**-53, 0, 0)), exact=True).kind
    'clash'
    """

    tolerance: float
    clearance: float
    exact: bool
    inside: InsideRule
    close_holes: float
    thickness: bool
    volume: bool
    gap: bool
    depth: bool
    error: float
    absolute_error: float


class ClashOptions(ClashSettings, QueryOptions, total=False):
    """Options of a query of clashes: the measures to find, and those of every query."""


def clash_of(fields: Any) -> Clash:
    """A clash from the numbers of the extension."""
    kind, lower, upper, center, least, most, distance, faces, on_a, on_b, *way = fields
    volume = None if isnan(least) else Bounds(float(least), float(most))
    pair = (int(faces[0]), int(faces[1]))
    gap = None if isnan(distance) else Gap(distance, pair, on_a, on_b)  # type: ignore[arg-type]
    depth = None
    if not isnan(way[0]):
        last = (int(way[4][0]), int(way[4][1]))
        depth = Penetration(float(way[0]), float(way[1]), way[2], way[3], last, way[5], way[6])
    thickness = Bounds(float(lower), float(upper))
    holes = (int(way[7]), int(way[8]))
    undecided = bool(way[9])
    return Clash(_KINDS[kind][0], thickness, center, volume, gap, depth, holes, undecided)


def settings_of(options: ClashOptions) -> tuple[_core.ClashOptions, QueryOptions]:
    """Options that decide and measure, in the form of the extension; and all others."""
    rest: dict[str, Any] = dict(options)
    tolerance = distance_of(rest.pop("tolerance", 0.0), "tolerance")
    exact = bool(rest.pop("exact", False))
    if exact and tolerance > 0:
        raise ValueError("exact: is without a tolerance; leave out one of the two")
    settings = _core.ClashOptions(
        tolerance,
        distance_of(rest.pop("clearance", 0.0), "clearance"),
        exact,
        by_parity(rest.pop("inside", "winding")),
        distance_of(rest.pop("close_holes", 0.0), "close_holes"),
        bool(rest.pop("thickness", False)),
        bool(rest.pop("volume", False)),
        bool(rest.pop("gap", False)),
        bool(rest.pop("depth", False)),
        distance_of(rest.pop("error", 0.01), "error"),
        distance_of(rest.pop("absolute_error", 0.0), "absolute_error"),
    )
    return settings, rest  # type: ignore[return-value]


class ClashQueries(PairQueries):
    """The queries of two solids, for Tree and PosedTree."""

    __slots__ = ()

    @query
    def clash(self, other: Any, **options: Unpack[ClashOptions]) -> Clash:
        """Returns the relation of this solid to another one.

        The first that applies: a "duplicate" is the same solid up to the
        tolerance; "first inside" and "second inside"; "clash" shares a region
        thicker than the tolerance; "crossing" is a mesh that is open, and more
        than half of the tolerance deep in the other; then "touch", "clearance"
        and "apart".

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.clash(box.at(orbox.translation(0.999, 0, 0)), tolerance=0.01).kind
        'touch'
        >>> found = box.clash(box.at(orbox.translation(0.75, 0, 0)), thickness=True)
        >>> found.kind, bool(found.thickness.lower <= 0.25 <= found.thickness.upper)
        ('clash', True)
        """
        settings, rest = settings_of(options)
        return clash_of(self._with(_core.clash, other, rest, settings))

    @query
    def interiors_overlap(
        self, other: Any, *, inside: InsideRule = "winding", **options: Unpack[QueryOptions]
    ) -> bool:
        """Returns True if the solids share volume, exactly, without a tolerance.

        False where they only touch: along faces, edges or vertices. A mesh that
        is open has no interior. Coordinates that went through files and
        rotations need a tolerance: see ``clash``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> beside = box.at(orbox.translation(1, 0, 0))
        >>> box.overlaps(beside), box.interiors_overlap(beside)
        (True, False)
        >>> box.interiors_overlap(box.at(orbox.translation(0.9999999999999999, 0, 0)))
        True
        """
        return self._with(_core.interiors_overlap, other, options, by_parity(inside))

    @query
    def shared_thickness(
        self,
        other: Any,
        *,
        error: float = 0.01,
        absolute_error: float = 0.0,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> SharedThickness:
        """The diameter of the largest ball inside both solids, and its centre.

        Args:
            error: how far the bounds may be apart, as a share of the lower one.
            absolute_error: the same as a length; the larger of the two counts.
            inside: the rule by which points are inside, as for ``contains``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> shared = box.shared_thickness(box.at(orbox.translation(0.5, 0, 0)))
        >>> bool(shared.thickness.lower <= 0.5 <= shared.thickness.upper)
        True
        """
        errors = distance_of(error, "error"), distance_of(absolute_error, "absolute_error")
        rule = by_parity(inside)
        lower, upper, center = self._with(_core.shared_thickness, other, options, *errors, rule)
        return SharedThickness(Bounds(lower, upper), center)

    @query
    def shared_volume(
        self,
        other: Any,
        *,
        error: float = 0.01,
        absolute_error: float = 0.0,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> Bounds:
        """Volume of the region that both solids share. Arguments as in ``shared_thickness``.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> volume = box.shared_volume(box.at(orbox.translation(0.5, 0.5, 0)))
        >>> bool(volume.lower <= 0.25 <= volume.upper)
        True
        """
        errors = distance_of(error, "error"), distance_of(absolute_error, "absolute_error")
        rule = by_parity(inside)
        return Bounds._make(self._with(_core.shared_volume, other, options, *errors, rule))

    @query
    def is_shared_thicker(
        self,
        other: Any,
        thickness: float,
        *,
        inside: InsideRule = "winding",
        **options: Unpack[QueryOptions],
    ) -> bool:
        """Returns True if both solids share a region thicker than this; ends early.

        >>> import orbox
        >>> box = orbox.Tree(orbox.generate("box", 12))
        >>> box.is_shared_thicker(box.at(orbox.translation(0.5, 0, 0)), 0.25)
        True
        """
        length = distance_of(thickness, "thickness")
        return self._with(_core.is_shared_thicker, other, options, length, by_parity(inside))
