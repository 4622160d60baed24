#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clashes of a building by IfcOpenShell's tree: false, missed, time.

    ifcopenshell_clashes.py --building DIR [--repetitions N] CLASHES_PROGRAM

DIR is that of clashes.cc. Its meshes become an IFC file of triangulated faces, which IfcOpenShell reads as it
reads any. CLASHES_PROGRAM (bench/clashes) is then run on the same building, so that both are measured in one run.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import ifcopenshell
import ifcopenshell.api.aggregate
import ifcopenshell.api.context
import ifcopenshell.api.project
import ifcopenshell.api.root
import ifcopenshell.api.unit
import ifcopenshell.geom
import trimesh

LEAST_VOLUME = 1e-9


def write_ifc(building: pathlib.Path, path: str) -> None:
    """Writes each body as a proxy whose name is its number."""
    model = ifcopenshell.api.project.create_file(version="IFC4")
    ifcopenshell.api.root.create_entity(model, ifc_class="IfcProject", name="building")
    ifcopenshell.api.unit.assign_unit(model, length={"is_metric": True, "raw": "METERS"})
    whole = ifcopenshell.api.context.add_context(model, context_type="Model")
    body = ifcopenshell.api.context.add_context(
        model, context_type="Model", context_identifier="Body", target_view="MODEL_VIEW", parent=whole
    )
    origin = model.createIfcLocalPlacement(
        None, model.createIfcAxis2Placement3D(model.createIfcCartesianPoint((0.0, 0.0, 0.0)))
    )
    scene = json.loads((building / "scene.json").read_text())
    for number, one in enumerate(scene["bodies"]):
        mesh = trimesh.load(building / one["mesh"], process=False)
        faces = model.createIfcTriangulatedFaceSet(
            model.createIfcCartesianPointList3D(mesh.vertices.tolist()), None, None, (mesh.faces + 1).tolist()
        )
        shape = model.createIfcShapeRepresentation(body, "Body", "Tessellation", [faces])
        proxy = ifcopenshell.api.root.create_entity(
            model, ifc_class="IfcBuildingElementProxy", name=str(number)
        )
        proxy.ObjectPlacement = origin
        proxy.Representation = model.createIfcProductDefinitionShape(None, None, [shape])
    model.write(path)


def pairs_of(clashes) -> set[tuple[int, int]]:
    """The numbers of the bodies, the lower first."""
    pairs = set()
    for clash in clashes:
        a, b = (int(p.get_argument(2)) for p in (clash.a, clash.b))
        pairs.add((min(a, b), max(a, b)))
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--building", type=pathlib.Path, required=True)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("program")
    arguments = parser.parse_args()
    with tempfile.NamedTemporaryFile(suffix=".ifc") as file:
        write_ifc(arguments.building, file.name)
        model = ifcopenshell.open(file.name)
    settings = ifcopenshell.geom.settings()
    tree = ifcopenshell.geom.tree(backend="opencascade.trianglebvh")
    tree.add_iterator(ifcopenshell.geom.iterator(settings, model, 1))
    products = model.by_type("IfcBuildingElementProxy")
    rows = json.loads((arguments.building / "shared_volumes.json").read_text())
    volumes = {(a, b): volume for a, b, volume in rows}
    ways = {
        "clash_intersection_many, 1 mm": lambda: tree.clash_intersection_many(
            products, products, tolerance=0.001, check_all=False
        ),
        "clash_collision_many": lambda: tree.clash_collision_many(products, products, allow_touching=False),
        "clash_clearance_many, 1 mm": lambda: tree.clash_clearance_many(
            products, products, clearance=0.001, check_all=False
        ),
    }
    print("| IfcOpenShell", ifcopenshell.version, "| pairs | found | false | missed | ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, call in ways.items():
        least = float("inf")
        for _ in range(arguments.repetitions):
            begin = time.process_time()
            clashes = call()
            least = min(least, time.process_time() - begin)
        pairs = {p for p in pairs_of(clashes) if p[0] != p[1]}
        known = {p for p in pairs if p in volumes}
        true = {p for p, volume in volumes.items() if volume > LEAST_VOLUME}
        print(
            f"| {name} | {len(pairs)} | {len(known & true)} | {len(known - true)} "
            f"| {len(true - pairs)} | {least * 1e3:.1f} |"
        )
    subprocess.run(
        [arguments.program, "--building", str(arguments.building), "--repetitions", str(arguments.repetitions)],
        check=True,
    )


if __name__ == "__main__":
    main()
