# SPDX-License-Identifier: Apache-2.0

"""Sees that other programs' readers find what orbox writes into PLY files.

    ply_readers_check.py ORBOX FOLDER

plyfile reads every property, as MeshLab and CloudCompare do; trimesh too. meshio
reads clouds; of binary faces it takes corners alone, and ours have a quality.
They are installed into a virtual environment in FOLDER. Exits with 77, which CTest counts as skipped, where that
cannot be done.
"""

import os
import subprocess
import sys

ORBOX, FOLDER = sys.argv[1:3]
PACKAGES = ("numpy", "plyfile", "meshio", "trimesh")
VENV = os.path.join(FOLDER, "venv")


def have_packages(python):
    return subprocess.run(
        [python, "-c", "import " + ", ".join(PACKAGES)],
        capture_output=True, check=False).returncode == 0


def python_with_packages():
    own = os.path.join(VENV, "bin", "python")
    for python in (sys.executable, own):
        if os.path.exists(python) and have_packages(python):
            return python
    for words in ([sys.executable, "-m", "venv", VENV],
                  [own, "-m", "pip", "install", "--quiet",
                   "--disable-pip-version-check", *PACKAGES]):
        try:
            done = subprocess.run(words, capture_output=True, text=True,
                                  timeout=240, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return print(f"SKIPPED: {words}: {error}")
        if done.returncode != 0:
            return print(f"SKIPPED: {' '.join(words)}: {done.stderr[-500:]}")
    return own


def run(*words):
    subprocess.run([ORBOX, *words], cwd=FOLDER, check=True,
                   stdout=subprocess.DEVNULL)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    python = python_with_packages()
    if python is None:
        sys.exit(77)
    if python != sys.executable:
        os.execv(python, [python, *sys.argv])
    check()


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


main()
