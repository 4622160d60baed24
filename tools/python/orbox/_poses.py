# SPDX-License-Identifier: Apache-2.0

"""Poses as matrices of shape (4, 4), which multiply columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._inputs import Floats, rows


def translation(x: float, y: float, z: float) -> Floats:
    """The pose that moves by (x, y, z).

    >>> import orbox
    >>> orbox.translation(1, 2, 3)[:3, 3]
    array([1., 2., 3.])
    """
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def rotation(axis: ArrayLike, angle: float, about: ArrayLike = (0, 0, 0)) -> Floats:
    """The pose that turns by ``angle`` radians about an axis through a point.

    Counter-clockwise as seen from the tip of the axis, of any length but 0.

    >>> import math, orbox
    >>> (orbox.rotation((0, 0, 1), math.pi / 2)[:3, :3] @ (1, 0, 0)).round(12)
    array([0., 1., 0.])
    """
    direction = rows(axis, 3, "axis")[0][0]
    length = np.linalg.norm(direction)
    if not length > 0 or not np.isfinite(length):
        raise ValueError("axis: has to be finite and not zero")
    x, y, z = direction / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    pose = np.eye(4)
    pose[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    center = rows(about, 3, "about")[0][0]
    pose[:3, 3] = center - pose[:3, :3] @ center
    return pose


def scaling(factor: float) -> Floats:
    """The pose that scales everything by a factor.

    >>> import orbox
    >>> float(orbox.scaling(2)[0, 0])
    2.0
    """
    pose = np.eye(4)
    pose[:3, :3] *= factor
    return pose
