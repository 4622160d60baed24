# SPDX-License-Identifier: Apache-2.0

"""Map coordinates of IFC files, in metres."""

from __future__ import annotations

from typing import Any

import ifcopenshell.util.geolocation
import ifcopenshell.util.unit
import numpy as np

from ._inputs import Floats


def map_matrix(model: Any) -> Floats | None:
    """From the coordinates of a file to those of its map, in metres; None without a map."""
    found = ifcopenshell.util.geolocation.get_helmert_transformation_parameters(model)
    if found is None:
        return None
    of_file = ifcopenshell.util.unit.calculate_unit_scale(model)
    of_map = of_file
    for crs in model.by_type("IfcProjectedCRS") if model.schema != "IFC2X3" else ():
        if crs.MapUnit is not None:
            of_map = ifcopenshell.util.unit.convert(
                1.0,
                getattr(crs.MapUnit, "Prefix", None),
                crs.MapUnit.Name,
                None,
                "METRE",
            )
    # A scale is that of a map projection. Files whose map has another unit often
    # lack the factor between the units.
    scale = found.scale * of_map / of_file
    if not 0.99 < scale < 1.01:
        scale = 1.0
    along = np.array([found.xaa, found.xao]) / np.hypot(found.xaa, found.xao)
    matrix = np.eye(4)
    matrix[:2, 0] = along
    matrix[:2, 1] = -along[1], along[0]
    matrix[:3, :3] *= scale
    matrix[:3, 3] = np.array([found.e, found.n, found.h]) * of_map
    return matrix


def map_notes(
    first: str, other: str, a: Floats | None, b: Floats | None, align: bool
) -> list[str]:
    """What there is to say about two files by name, and their matrices."""
    if a is None and b is None:
        return []
    names = f"{first} and {other}"
    if a is None or b is None:
        without = first if a is None else other
        return [f"{names}: {without} has no map coordinates (IfcMapConversion), and is not moved"]
    if align or np.allclose(a, b, rtol=0, atol=1e-6):
        return []
    apart = float(np.linalg.norm(a[:3, 3] - b[:3, 3]))
    return [
        f"{names} have different map coordinates (IfcMapConversion), of origins {apart:.6g} m "
        "apart; --align moves them to these"
    ]
