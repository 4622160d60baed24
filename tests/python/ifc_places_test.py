# SPDX-License-Identifier: Apache-2.0

"""Storeys and grids of IFC files, in metres and at the pose of their file."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

ifcopenshell: Any = pytest.importorskip("ifcopenshell")
pytest.importorskip("ifcopenshell.api")
places: Any = pytest.importorskip("orbox._ifc_places")


def model() -> Any:
    """A file in millimetres, whose grid is 1 m to the east of its origin."""
    file = ifcopenshell.file(schema="IFC4")
    run = ifcopenshell.api.run
    run("root.create_entity", file, ifc_class="IfcProject", name="p")
    run("unit.assign_unit", file, length={"is_metric": True, "raw": "MILLIMETERS"})

    def at(*c: float) -> Any:
        return file.createIfcCartesianPoint([float(x) for x in c])

    def placed(*c: float) -> Any:
        return file.createIfcLocalPlacement(None, file.createIfcAxis2Placement3D(at(*c)))

    storey = run("root.create_entity", file, ifc_class="IfcBuildingStorey", name="Level 2")
    storey.Elevation = 3200.0
    storey.ObjectPlacement = placed(0, 0, 3200)

    def axis(name: str, *points: Any) -> Any:
        return file.createIfcGridAxis(name, file.createIfcPolyline(list(points)), True)

    u = [axis("A", at(0, 0), at(0, 9000)), axis(None, at(5, 0), at(5, 9))]
    v = [axis("1", at(0, 0, 0), at(9000, 0, 0))]
    guid = ifcopenshell.guid.new()
    file.createIfcGrid(guid, None, "g", None, None, placed(1000, 0, 0), None, u, v)
    return file


def test_storeys_and_axes_are_in_metres() -> None:
    file = model()
    assert places.storeys_of(file, np.eye(4)) == [("Level 2", 3.2)]
    # An axis without a name is none.
    assert places.axes_of(file, np.eye(4)) == [("A", 1, 0, 1, 9), ("1", 1, 0, 10, 0)]


def test_they_move_with_their_file() -> None:
    pose = np.eye(4)
    pose[:3, 3] = 10, 20, 30
    file = model()
    assert places.storeys_of(file, pose) == [("Level 2", pytest.approx(33.2))]
    assert places.axes_of(file, pose)[0] == ("A", 11, 20, 11, 29)
