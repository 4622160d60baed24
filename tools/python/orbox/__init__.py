# SPDX-License-Identifier: Apache-2.0

"""Exact proximity queries on triangle meshes: numpy in, numpy out.

    >>> import orbox
    >>> ball = orbox.Tree(orbox.generate("sphere", 1000))
    >>> near = ball.closest([[0, 0, 3], [2, 0, 0]])       # distance, face, point
    >>> inside = ball.contains([[0, 0, 0]])               # array([ True])
    >>> apart = ball.distance(ball.at(orbox.translation(3, 0, 0)))
    >>> round(float(apart.distance), 2)
    1.0

A ``Mesh`` is validated triangles; a ``Tree`` is the target of queries, and takes
meshes of trimesh, Open3D, PyVista and meshio, arrays, and paths of files. A batch
of queries is one call with arrays of shape (n, 3), and releases the interpreter's
lock. Lengths are in the model's units, angles in radians.

``help(orbox.Tree)`` lists the queries of one mesh and of two, ``help(orbox.Scene)``
those of many; ``orbox.QueryOptions`` has the options of every query.
``orbox.trimesh`` puts Orbox behind trimesh, ``orbox.ifc`` reads IFC.
``ChunkedTree`` is for meshes larger than memory, ``orbox.dask`` for many processes.

Answers are exact: a yes or no and a set of faces are those of exact arithmetic
on the coordinates as doubles, touching counts as overlapping, and a distance is
correctly rounded. They do not depend on the threads or the machine.

Coordinates are at most 2**200 in size; those below 2**-200 are read as 0.

Wrong shapes, numbers that are not finite and indices out of range raise
ValueError with the argument, the row and what to do; files raise OSError.
Ctrl-C ends long calls; ``progress=True`` shows how far they are.
"""

from ._bodies import BodyEvent, BodyHits, BodyPoints, Tracker
from ._broad_phase import BroadPhase, PairChanges
from ._chunked import ChunkedTree, ChunkTasks
from ._clash import Clash, ClashOptions, SharedThickness
from ._core import Statistics
from ._deforming import DeformingTree
from ._explain import Explanation, ExplanationRow
from ._files import Body, read_bodies, write_bodies
from ._mesh import Mesh, SurfaceFacts, generate, read_mesh, shapes
from ._options import Progress, QueryOptions
from ._output import Page
from ._picture import Picture, picture
from ._pose_batch import PoseBatch
from ._poses import rotation, scaling, translation
from ._report import ClashReport, ReportOptions
from ._results import (
    Closest,
    Contacts,
    DeformingContact,
    Deviation,
    DeviationSummary,
    BoundaryDistances,
    Bounds,
    DistanceBounds,
    Gap,
    Hausdorff,
    InsideFacts,
    PairsWithin,
    Penetration,
    Places,
    Ragged,
    RayCrossings,
    RayHits,
    SelfContacts,
    SweptHits,
    SymmetricHausdorff,
    TimeOfContact,
)
from ._scene import Scene
from ._scene_pairs import BodyClash, BodyGap, NotJudged
from ._tree import PosedTree, Tree

__version__ = "0.1.0"

__all__ = [
    "Body",
    "BodyClash",
    "BodyEvent",
    "BodyGap",
    "BodyHits",
    "BodyPoints",
    "Bounds",
    "BroadPhase",
    "ChunkTasks",
    "ChunkedTree",
    "Clash",
    "ClashOptions",
    "ClashReport",
    "Closest",
    "Contacts",
    "DeformingContact",
    "DeformingTree",
    "Deviation",
    "DeviationSummary",
    "BoundaryDistances",
    "DistanceBounds",
    "Explanation",
    "ExplanationRow",
    "Gap",
    "Hausdorff",
    "InsideFacts",
    "Mesh",
    "NotJudged",
    "Page",
    "PairChanges",
    "PairsWithin",
    "Penetration",
    "Picture",
    "Places",
    "PoseBatch",
    "PosedTree",
    "Progress",
    "QueryOptions",
    "Ragged",
    "RayCrossings",
    "RayHits",
    "ReportOptions",
    "Scene",
    "SelfContacts",
    "SharedThickness",
    "Statistics",
    "SurfaceFacts",
    "SweptHits",
    "SymmetricHausdorff",
    "TimeOfContact",
    "Tracker",
    "Tree",
    "generate",
    "picture",
    "read_bodies",
    "read_mesh",
    "rotation",
    "scaling",
    "shapes",
    "translation",
    "write_bodies",
]
