#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Builds and queries a mesh of many million triangles in bounded memory.

    bench/bvh/large/large_mesh.py ORBOX FOLDER [--triangles N] [--memory SIZE]
                                    [--compare]

ORBOX is the command, FOLDER has room for 600 bytes a triangle and is left
empty. Prints for each step its time and the most memory that it had resident
(getrusage), mapped files included. --compare queries the mesh itself, too, which
takes 300 bytes of memory a triangle, and compares the results byte for byte.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time

POINTS = 100_000


def run(words, out=os.devnull):
    """Seconds and MiB of a command whose output goes to a file."""
    begin = time.monotonic()
    with open(out, "wb") as file:
        child = subprocess.Popen(words, stdout=file)
        _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(words)}: failed")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def write_rows(path, bounds, extra, count):
    """Points in the mesh's box, each with further columns."""
    rng = random.Random(7)
    with open(path, "w", encoding="ascii") as file:
        for _ in range(count):
            point = [rng.uniform(a, b)
                     for a, b in zip(bounds["lo"], bounds["hi"])]
            file.write(",".join(repr(x) for x in point + extra(rng)) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("orbox")
    parser.add_argument("folder")
    parser.add_argument("--triangles", type=int, default=20_000_000)
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--compare", action="store_true")
    args = parser.parse_args()
    work = os.path.join(args.folder, "orbox-large-mesh")
    os.makedirs(work)
    try:
        measure(args, work)
    finally:
        shutil.rmtree(work)


def measure(args, work):
    def path(name):
        return os.path.join(work, name)

    def step(name, words, out=os.devnull):
        seconds, mib = run([args.orbox, *words], out)
        print(f"{name:34} {seconds:8.1f} s {mib:8.0f} MiB", flush=True)

    mesh, chunks, memory = path("m.ply"), path("m.orboxd"), args.memory
    step("gen", ["gen", "--shape", "torus_knot", "--triangles", str(args.triangles),
                 "-o", mesh])
    step("build", ["build", mesh, "-o", chunks, "--memory", memory])
    step("info: all chunks verified", ["info", chunks, "--memory", memory,
                                       "--format", "json"], path("info"))
    with open(path("info"), encoding="utf-8") as file:
        info = json.load(file)
    bounds = info["bounds"]
    size = max(b - a for a, b in zip(bounds["lo"], bounds["hi"]))
    print(f"  {info['triangles']} triangles, {info['chunks']} chunks, "
          f"{info['bytes'] / 2**20:.0f} MiB; the mesh "
          f"{os.path.getsize(mesh) / 2**20:.0f} MiB")
    write_rows(path("points.csv"), bounds, lambda rng: [], POINTS)
    write_rows(path("balls.csv"), bounds, lambda rng: [0.003 * size], POINTS)
    write_rows(path("rays.csv"), bounds,
               lambda rng: [rng.gauss(0, 1) for _ in range(3)], POINTS)
    run([args.orbox, "gen", "--shape", "sphere", "--triangles", "20000", "-o",
         path("ball.ply")])
    pose = ["--pose", f"{size / 8},0,0,{bounds['hi'][0]},0,{size / 8},0,0,"
                      f"0,0,{size / 8},0"]
    questions = {
        "nearest, 100,000 points": ["nearest", "M", "--points",
                                    path("points.csv")],
        "range, 100,000 balls": ["range", "M", "--spheres", path("balls.csv")],
        "ray, 100,000 rays": ["ray", "M", "--rays", path("rays.csv")],
        "clearance to a ball, within 0.1 %": [
            "clearance", path("ball.ply"), "M", *pose, "--within",
            str(size / 1000)],
        "self-intersect": ["self-intersect", "M"],
    }
    for name, words in questions.items():
        answers = []
        for tree in [chunks, mesh] if args.compare else [chunks]:
            answers.append(path(f"answer{len(answers)}"))
            step(name if tree == chunks else "  the same of the mesh",
                 [tree if w == "M" else w for w in words]
                 + ["--memory", memory, "--format", "csv"], answers[-1])
        if args.compare:
            same = subprocess.run(["cmp", "-s", *answers], check=False)
            print("  the same bytes" if same.returncode == 0
                  else "  OTHER BYTES")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
