# SPDX-License-Identifier: Apache-2.0

"""Sees that other programs' readers find what orbox writes into PLY files.

    ply_readers_check.py ORBOX FOLDER

plyfile reads every property, as MeshLab and CloudCompare do; trimesh too. meshio
reads clouds; of binary faces it takes corners alone, and ours have a quality.
They are installed into a virtual environment in FOLDER. Exits with 77, which CTest
counts as skipped, where that cannot be done.
"""

import os
import subprocess
import sys

import readers_venv

ORBOX, FOLDER = sys.argv[1:3]
PACKAGES = ("numpy", "plyfile", "meshio", "trimesh")


def run(*words):
    subprocess.run([ORBOX, *words], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)


def check():
    # Only here: another Python may have begun.
    import meshio
    import numpy
    import plyfile
    import trimesh

    run("gen", "--shape", "sphere", "--triangles", "500", "-o", "a.ply")
    run("gen", "--shape", "torus_knot", "--triangles", "500", "-o", "b.ply")
    run("hausdorff", "a.ply", "b.ply", "--ply", "deviation.ply")
    run("clearance", "a.ply", "b.ply", "--ply", "clearance.ply")
    for name in ("deviation.ply", "clearance.ply"):
        path = os.path.join(FOLDER, name)
        data = plyfile.PlyData.read(path)
        quality = data["vertex"]["quality"]
        assert quality.dtype == numpy.float32 and quality.max() > 0, name
        assert data["face"]["quality"].max() > 0, name
        same = trimesh.load(path, process=False)
        assert len(same.faces) == data["face"].count, name
        raw = same.metadata["_ply_raw"]["vertex"]["data"]
        assert numpy.array_equal(raw["quality"].ravel(), quality), name
    with open(os.path.join(FOLDER, "cloud.xyz"), "w", encoding="utf-8") as file:
        for vertex in plyfile.PlyData.read(
                os.path.join(FOLDER, "a.ply"))["vertex"]:
            file.write(f"{vertex['x']} {vertex['y']} {vertex['z']}\n")
    run("hausdorff", "cloud.xyz", "b.ply", "--ply", "cloud.ply")
    cloud = trimesh.load(os.path.join(FOLDER, "cloud.ply"))
    assert isinstance(cloud, trimesh.PointCloud), type(cloud)
    points = meshio.read(os.path.join(FOLDER, "cloud.ply"))
    assert len(points.points) == len(cloud.vertices)
    assert points.point_data["quality"].max() > 0
    print("plyfile, meshio and trimesh read the qualities")


readers_venv.run_with(FOLDER, PACKAGES, PACKAGES, check)
