# SPDX-License-Identifier: Apache-2.0

"""Storeys and grids of IFC files, by which clashes are placed in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ifcopenshell.util.placement
import ifcopenshell.util.unit
import numpy as np

from ._inputs import Floats

#: A storey's name and elevation; an axis' name and ends; in metres.
Storey = tuple[str, float]
Axis = tuple[str, float, float, float, float]


def storeys_of(model: Any, pose: Floats) -> list[Storey]:
    """The storeys of a model that ``pose`` moves."""
    metres = ifcopenshell.util.unit.calculate_unit_scale(model)
    found: list[Storey] = []
    for storey in model.by_type("IfcBuildingStorey"):
        elevation = ifcopenshell.util.placement.get_storey_elevation(storey) * metres
        found.append((storey.Name or storey.GlobalId, float(elevation + pose[2, 3])))
    return found


def axes_of(model: Any, pose: Floats) -> list[Axis]:
    """The axes of the grids of a model that ``pose`` moves: those that are straight."""
    metres = ifcopenshell.util.unit.calculate_unit_scale(model)
    found: list[Axis] = []
    for grid in model.by_type("IfcGrid"):
        placed = np.eye(4)
        if grid.ObjectPlacement is not None:
            placed = np.asarray(
                ifcopenshell.util.placement.get_local_placement(grid.ObjectPlacement)
            )
        for axis in (*grid.UAxes, *grid.VAxes, *(grid.WAxes or ())):
            ends = list(_ends(axis.AxisCurve))
            if len(ends) != 2 or not axis.AxisTag:
                continue
            points = [placed @ np.append(end, 1.0) for end in ends]
            a, b = (pose @ np.append(p[:3] * metres, 1.0) for p in points)
            found.append((axis.AxisTag, float(a[0]), float(a[1]), float(b[0]), float(b[1])))
    return found


def _ends(curve: Any) -> Iterator[Floats]:
    """The first and last point of a line or polyline, in the unit of the file."""
    points: list[Any] = []
    if curve.is_a("IfcPolyline"):
        points = [p.Coordinates for p in curve.Points]
    elif curve.is_a("IfcIndexedPolyCurve"):
        points = list(curve.Points.CoordList)
    elif curve.is_a("IfcTrimmedCurve"):
        ends = [t for side in (curve.Trim1, curve.Trim2) for t in side]
        points = [t.Coordinates for t in ends if hasattr(t, "Coordinates")]
    for point in (points[0], points[-1]) if len(points) > 1 else ():
        yield np.array([*point, 0.0][:3], dtype=np.float64)
