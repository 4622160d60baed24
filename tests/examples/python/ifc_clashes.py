# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Clashes of two IFC files, as issues
# The architect's walls and the engineer's ducts: which go through each other?
# The answer is a page to work through, and a BCF file that coordination programs
# open at the place. Needs `pip install 'orbox[ifc]'`.

# %%
import tempfile
from pathlib import Path

import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.geometry
import ifcopenshell.api.project
import ifcopenshell.api.root
import ifcopenshell.api.spatial
import ifcopenshell.api.unit
import numpy as np
import orbox
import orbox.ifc

folder = Path(tempfile.mkdtemp())

# %% [markdown]
# Two small files, one in metres and one in millimetres.


# %%
def write_ifc(path, unit, elements):
    """Blocks (class, name, corner, length, height, width), in metres, on one storey."""
    api = ifcopenshell.api
    file = api.project.create_file(version="IFC4")
    project = api.root.create_entity(file, ifc_class="IfcProject", name="House")
    api.unit.assign_unit(file, length={"is_metric": True, "raw": unit})
    model = api.context.add_context(file, context_type="Model")
    body = api.context.add_context(
        file,
        context_type="Model",
        context_identifier="Body",
        target_view="MODEL_VIEW",
        parent=model,
    )
    storey = api.root.create_entity(file, ifc_class="IfcBuildingStorey", name="Level 1")
    api.aggregate.assign_object(file, products=[storey], relating_object=project)
    for kind, name, corner, length, height, width in elements:
        element = api.root.create_entity(file, ifc_class=kind, name=name)
        place = orbox.translation(*corner)
        api.geometry.edit_object_placement(file, product=element, matrix=place)
        shape = api.geometry.add_wall_representation(
            file, context=body, length=length, height=height, thickness=width
        )
        api.geometry.assign_representation(file, product=element, representation=shape)
        api.spatial.assign_container(file, products=[element], relating_structure=storey)
    file.write(str(path))


# %%
write_ifc(
    folder / "walls.ifc",
    "METERS",
    [
        ("IfcWall", "south", (0, 0, 0), 5, 3, 0.2),
        ("IfcWall", "north", (0, 4, 0), 5, 3, 0.2),
        ("IfcWall", "east", (5, 0, 0), 0.2, 3, 4.2),
    ],
)
write_ifc(
    folder / "ducts.ifc",
    "MILLIMETERS",
    [
        ("IfcDuctSegment", "supply", (1, -1, 2), 0.3, 0.3, 3),
        ("IfcDuctSegment", "return", (3, 1, 2), 0.3, 0.3, 2),
    ],
)

# %%
scene = orbox.ifc.scene([folder / "walls.ifc", folder / "ducts.ifc"])
found = scene.report(
    folder / "clashes.html",
    bcf=folder / "clashes.bcf",
    unit="m",
    id="guid",
    group_by=["file", "type"],
    tolerance=0.001,
)
for clash in found:
    names = [scene.properties(body)["name"] for body in (clash.a, clash.b)]
    print(f"{clash.clash.kind}: {names[0]} and {names[1]}")
worst = max(found, key=lambda c: c.clash.thickness.lower)
assert worst.clash.kind == "clash"
assert np.isclose(worst.clash.thickness.lower, 0.2, rtol=0.02)

# %%
picture = orbox.picture(scene.body(worst.a), scene.body(worst.b), towards_viewer=(0.5, -1, 0.6))
picture
