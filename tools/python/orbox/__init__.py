# SPDX-License-Identifier: Apache-2.0

"""Exact proximity queries on triangle meshes: numpy in, numpy out.

    >>> import orbox
    >>> ball = orbox.Tree(orbox.generate("sphere", 1000))
    >>> near = ball.closest([[0, 0, 3], [2, 0, 0]])       # distance, face, point
    >>> inside = ball.contains([[0, 0, 0]])               # array([ True])
    >>> apart = ball.distance(ball.at(orbox.translation(3, 0, 0)))
    >>> round(float(apart.distance), 2)
    1.0

A ``Mesh`` is validated triangles; a ``Tree`` is what queries are asked of, and
takes meshes of trimesh, Open3D, PyVista and meshio, arrays, and paths of files.
A batch of queries is one call with arrays of shape (n, 3), and releases the
interpreter's lock. Lengths are in the model's units, angles in radians.

Answers are exact: a yes or no and a set of faces are those of exact arithmetic
on the coordinates as doubles, touching counts as overlapping, and a distance is
correctly rounded. They do not depend on the threads or the machine.

Wrong shapes, numbers that are not finite and indices out of range raise
ValueError with the argument, the row and what to do; files raise OSError.
Ctrl-C ends long calls; ``progress=True`` shows how far they are.
"""

from ._core import Statistics
from ._inputs import Progress
from ._mesh import Mesh, generate, read_mesh, shapes
from ._pairs import PoseBatch
from ._picture import Picture, picture
from ._poses import rotation, scaling, translation
from ._results import (
    Closest,
    Contacts,
    Deviation,
    Gap,
    Hausdorff,
    PairsWithin,
    Penetration,
    Ragged,
    RayHits,
    SweptHits,
    TimeOfContact,
)
from ._scene import BodyEvent, BodyGap, BodyHits, BodyPoints, Scene, Tracker
from ._tree import DeformingTree, PosedTree, Tree

__version__ = "0.1.0"

__all__ = [
    "BodyEvent",
    "BodyGap",
    "BodyHits",
    "BodyPoints",
    "Closest",
    "Contacts",
    "DeformingTree",
    "Deviation",
    "Gap",
    "Hausdorff",
    "Mesh",
    "PairsWithin",
    "Penetration",
    "Picture",
    "PoseBatch",
    "PosedTree",
    "Progress",
    "Ragged",
    "RayHits",
    "Scene",
    "Statistics",
    "SweptHits",
    "TimeOfContact",
    "Tracker",
    "Tree",
    "generate",
    "picture",
    "read_mesh",
    "rotation",
    "scaling",
    "shapes",
    "translation",
]
