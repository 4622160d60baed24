# SPDX-License-Identifier: Apache-2.0

"""Results of queries: named tuples of arrays.

A batch has a row for each query. A query that finds nothing has the distance
``inf``, the face ``-1``, and a point of ``nan``. For a single query, an array
of shape (n,) is a number, and one of shape (n, 3) has shape (3,).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core as core
from ._inputs import Bools, Floats, Ints

_Item = TypeVar("_Item")


def only(found: Any) -> Any:
    """The only row of a column of the extension, or of a tuple of them.

    A number of Python, or an array without the first dimension.
    """
    if isinstance(found, tuple):
        return tuple(map(only, found))
    return found[0] if found.ndim > 1 else found.item()


class _OnSurface:
    """Weights and normals at results of a Tree or a PosedTree, computed when asked for."""

    _target: Any = None

    def _on(self, target: Any) -> Any:
        self._target = target
        return self

    def __reduce__(self) -> Any:
        # Without the tree.
        columns: Any = self
        return type(self)._make, (tuple(columns),)  # type: ignore[attr-defined]

    @property
    def barycentric(self) -> Floats:
        """Weights of the corners of each face at the point, (n, 3).

        A point within rounding of an edge or a corner has weights of 0 there.
        """
        columns: Any = self
        return self._ask(core.barycentric, columns.point)

    @property
    def normal(self) -> Floats:
        """Unit normals of the faces, (n, 3), to their front; 0 for a face without area."""
        return self._ask(core.face_normals)

    @property
    def feature_normal(self) -> Floats:
        """Unit normals of the vertices, edges or faces that contain the points, (n, 3).

        The mean of the faces that meet there, weighted by their angles at a vertex.
        It shows on which side of the surface a point is that is closest there.
        """
        return self._ask(core.feature_normals, self.barycentric)

    def _ask(self, function: Any, *vectors: Floats) -> Any:
        columns: Any = self
        if not isinstance(self._target, core.PosedTree):
            raise ValueError(
                "weights and normals need the tree: results of a Tree or PosedTree have "
                "them, and copies, pickled ones and those of a ChunkedTree do not"
            )
        faces = np.ascontiguousarray(columns.face, np.int64).reshape(-1, 1)
        rows = [np.ascontiguousarray(v, np.float64).reshape(-1, 3) for v in vectors]
        found = function(self._target, faces, *rows)
        return found if np.ndim(columns.face) else found[0]


class _ClosestColumns(NamedTuple):
    distance: Floats
    face: Ints
    point: Floats


class Closest(_ClosestColumns, _OnSurface):
    """The closest points of a surface: ``distance``, ``face``, ``point``.

    >>> import orbox
    >>> box = orbox.Tree(orbox.generate("box", 12))
    >>> near = box.closest((0.25, 3, 0.5))
    >>> near.normal.tolist(), near.barycentric.sum().item()
    ([0.0, 1.0, 0.0], 1.0)
    >>> box.closest((0.25, 4, 4)).feature_normal.round(3).tolist()
    [0.0, 0.707, 0.707]
    """


class _RayHitColumns(NamedTuple):
    t: Floats
    face: Ints
    barycentric: Floats
    point: Floats


class RayHits(_RayHitColumns, _OnSurface):
    """Hits of rays, ``point = origin + t * direction``: ``t``, ``face``, ``barycentric``, ``point``."""

    @property
    def hit(self) -> Bools:
        """True for rays that hit anything."""
        return self.face >= 0


class RayCrossings(NamedTuple):
    """Points where rays pass a surface: all hits at one point are a crossing.

    ``winding`` is the change of the winding number: above 0 where the ray enters
    through the front, below 0 where it leaves, 0 where it grazes. ``hits`` faces are
    hit there, of which ``face`` is the lowest.
    """

    t: Floats
    face: Ints
    winding: Ints
    hits: Ints
    point: Floats


class _SweptHitColumns(NamedTuple):
    earliest: Floats
    latest: Floats
    face: Ints
    point: Floats


class SweptHits(_SweptHitColumns, _OnSurface):
    """Contacts of moving balls: nothing is touched before ``earliest``, a fraction of the way."""


class Gap(NamedTuple):
    """Smallest distance of two meshes, and where: a face and a point of each."""

    distance: Floats
    faces: Ints
    point_a: Floats
    point_b: Floats


class DistanceBounds(NamedTuple):
    """``lower <= distance <= upper``, and two points about that far apart."""

    lower: float
    upper: float
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class SelfContacts(NamedTuple):
    """Pairs of faces of one mesh that overlap, ascending, and the kind of each.

    ``crossing``: they pass through each other; ``touching``: in a point or along
    a line; ``coplanar``: they overlap in one plane and share no corner;
    ``folded``: neighbours that overlap in one plane; ``duplicate``: they have the
    same corners.
    """

    faces: Ints
    kind: NDArray[np.str_]


def self_contacts_of(found: tuple[Ints, Ints]) -> SelfContacts:
    """Contacts of the extension, whose kinds are numbers."""
    faces, numbers = found
    return SelfContacts(faces, np.array(core.contact_kinds())[numbers])


class PairsWithin(NamedTuple):
    """Pairs of faces, ascending, and how far each is apart."""

    faces: Ints
    distance: Floats


class Places(NamedTuple):
    """Places where two meshes are near, the nearest first.

    ``pair_count`` pairs of faces make a place, of which ``faces`` are nearest;
    its box is from ``lo`` to ``hi``; the areas are of its whole faces.
    """

    pair_count: Ints
    distance: Floats
    faces: Ints
    point_a: Floats
    point_b: Floats
    lo: Floats
    hi: Floats
    area_a: Floats
    area_b: Floats


class Hausdorff(NamedTuple):
    """``lower <= h <= upper``, and where a point of the first is that far away."""

    lower: float
    upper: float
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class SymmetricHausdorff(NamedTuple):
    """Hausdorff distance: both ways, and the larger one."""

    a_to_b: Hausdorff
    b_to_a: Hausdorff

    @property
    def lower(self) -> float:
        """The larger distance of the two is no less than this."""
        return max(self.a_to_b.lower, self.b_to_a.lower)

    @property
    def upper(self) -> float:
        """The larger distance of the two is no more than this."""
        return max(self.a_to_b.upper, self.b_to_a.upper)


class Deviation(NamedTuple):
    """Smallest and largest distance of each face from the other surface."""

    nearest: Floats
    farthest_lower: Floats
    farthest_upper: Floats


class DeviationSummary(NamedTuple):
    """Statistics of the distances of vertices from another surface, by area.

    ``points`` vertices count; ``beyond`` are farther than the cut-off. A
    percentile is the smallest distance within which that share of the area is.
    ``share_within`` is None without a tolerance.
    """

    points: int
    beyond: int
    smallest: float
    largest: float
    mean: float
    root_mean_square: float
    standard_deviation: float
    median: float
    percentile_90: float
    percentile_95: float
    percentile_99: float
    share_within: float | None


class Bounds(NamedTuple):
    """A measure that is not less than ``lower`` and not more than ``upper``."""

    lower: float
    upper: float


class InsideFacts(NamedTuple):
    """Facts about the inside of a mesh.

    All are False, and ``volume`` is None, for a mesh that is open. So are those
    from ``looks_inward`` on if the faces do not agree.
    """

    is_closed: bool
    do_faces_agree: bool
    #: The faces look inward as a whole.
    looks_inward: bool
    #: Faces cross, touch or cover faces that are not their neighbours.
    meets_itself: bool
    #: Some other faces have the inside on both sides.
    has_walls: bool
    #: The volume inside: that of the union, if shells overlap.
    volume: Bounds | None


class BoundaryDistances(NamedTuple):
    """Between which numbers the distances to where the inside ends are, certainly.

    Negative inside.
    """

    lower: Floats
    upper: Floats


class Penetration(NamedTuple):
    """Depth of the first mesh in the second, and a way out.

    Moved by ``translation``, the first mesh is free. Its length is ``upper``;
    no way out is shorter than ``lower``. ``normal`` is its direction. The
    points ``point_a`` and ``point_b`` of the two surfaces are last in contact
    on the way: ``translation`` apart as the meshes stand.
    """

    lower: float
    upper: float
    translation: Floats
    normal: Floats
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class TimeOfContact(NamedTuple):
    """When moving meshes first touch: certainly not before ``earliest``.

    ``outcome`` is "apart", "contact", "near" or "undecided".
    """

    outcome: str
    earliest: float
    latest: float
    distance: float
    faces: tuple[int, int]
    point_a: Floats
    point_b: Floats


class DeformingContact(NamedTuple):
    """When deforming meshes first touch: between ``earliest`` and ``latest``."""

    earliest: float
    latest: float
    faces: tuple[int, int]
    point: Floats


class Ragged(Generic[_Item]):
    """A list for each query, of different lengths.

    List i has the places ``offsets[i]`` to ``offsets[i + 1]`` of the arrays in
    ``values``. Indexing and iteration give the lists one by one.
    """

    __slots__ = ("offsets", "values")

    offsets: Ints
    values: _Item

    def __init__(self, offsets: Ints, values: _Item) -> None:
        self.offsets = offsets
        self.values = values

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> _Item:
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"there are {n} lists, and no list {i}")
        i %= n
        part = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
        values = self.values
        if isinstance(values, tuple):
            row = type(values)(*(column[part] for column in values))
            return row._on(values._target) if isinstance(values, _OnSurface) else row
        return values[part]  # type: ignore[index]

    def __iter__(self) -> Iterator[_Item]:
        return (self[i] for i in range(len(self)))

    @property
    def counts(self) -> Ints:
        """Length of each list."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def rows(self) -> Ints:
        """For each value, the number of its query."""
        import numpy as np

        return np.repeat(np.arange(len(self)), self.counts)

    def __repr__(self) -> str:
        return f"Ragged({len(self)} lists, {int(self.offsets[-1])} values)"


class Contacts:
    """Common points of triangles of two meshes: points, segments, polygons.

    Contact i is between the faces ``faces[i]``; its corners are
    ``points[offsets[i]:offsets[i + 1]]``: one, two, or up to six.
    """

    __slots__ = ("faces", "offsets", "points")

    faces: Ints
    offsets: Ints
    points: Floats

    def __init__(self, faces: Ints, offsets: Ints, points: Floats) -> None:
        self.faces = faces
        self.offsets = offsets
        self.points = points

    def __len__(self) -> int:
        return len(self.faces)

    def __getitem__(self, i: int) -> Floats:
        n = len(self)
        if not -n <= i < n:
            raise IndexError(f"there are {n} contacts, and no contact {i}")
        i %= n
        return self.points[int(self.offsets[i]) : int(self.offsets[i + 1])]

    def __iter__(self) -> Iterator[Floats]:
        return (self[i] for i in range(len(self)))

    @property
    def segments(self) -> Floats:
        """The contacts of two corners, (k, 2, 3): the curves of intersection."""
        first = self.offsets[:-1][(self.offsets[1:] - self.offsets[:-1]) == 2]
        import numpy as np

        return self.points[np.stack([first, first + 1], axis=1)]

    def __repr__(self) -> str:
        return f"Contacts({len(self)} pairs of faces, {len(self.points)} points)"
