#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""Follows the advice of `orbox explain`, and prints the gain.

    follow.py [--orbox PATH] [--seconds S] [--volumes V] MESH...

Runs some queries of each mesh. If other options are recommended, explains the query
again with these, in a new process, which builds and queries the former ones once
more: the gain is the time saved there.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile

KEYS = ("volumes", "quality", "storage")


def orbox(args, *words):
    return subprocess.run([args.orbox, *words], check=True,
                          capture_output=True, text=True).stdout


def write_rows(path, rows):
    with open(path, "w") as file:
        for row in rows:
            file.write(",".join(f"{x:.17g}" for x in row) + "\n")


def queries(args, mesh, folder):
    """(name, words) for each query, made from the mesh's bounds."""
    bounds = json.loads(orbox(args, "info", mesh, "--format", "json"))["bounds"]
    lo, hi = bounds["lo"], bounds["hi"]
    size = [h - l for l, h in zip(lo, hi)]
    diagonal = sum(s * s for s in size) ** 0.5
    rng = random.Random(1)

    def points(grow):
        return [[l + s * rng.uniform(-grow, 1 + grow) for l, s in zip(lo, size)]
                for _ in range(2000)]

    def path(name):
        return os.path.join(folder, name)

    far = points(0.25)
    write_rows(path("far.csv"), far)
    write_rows(path("balls.csv"), [p + [0.05 * diagonal] for p in points(0)])
    write_rows(path("rays.csv"), [
        p + [t - x for x, t in zip(p, q)] for p, q in zip(far, points(0))])

    def moved(share):
        return f"1,0,0,{share * size[0]:.17g},0,1,0,0,0,0,1,0"

    return [
        ("nearest", ["nearest", mesh, "--points", path("far.csv")]),
        ("nearest --k 10",
         ["nearest", mesh, "--points", path("far.csv"), "--k", "10"]),
        ("range", ["range", mesh, "--spheres", path("balls.csv")]),
        ("ray", ["ray", mesh, "--rays", path("rays.csv")]),
        ("intersect", ["intersect", mesh, mesh, "--pose", moved(0.3)]),
        ("clearance", ["clearance", mesh, mesh, "--pose", moved(1.05),
                       "--within", f"{0.06 * size[0]:.17g}"]),
        ("self-intersect", ["self-intersect", mesh]),
    ]


def explain(args, words, variant=None):
    options = ["--volumes", args.volumes] if variant is None else [
        word for key in KEYS for word in ("--" + key, variant[key])]
    return json.loads(orbox(args, "explain", *words, *options, "--seconds",
                            str(args.seconds), "--format", "json"))


def total(variant, builds):
    return variant["query_seconds"] + builds * variant["build_seconds"]


def is_same(a, b):
    return all(a[key] == b[key] for key in KEYS)


def follow(args, words, first, chosen, builds):
    """The fraction of the time saved, measured with `chosen`."""
    again = explain(args, words, chosen)["variants"]
    before = [v for v in again if is_same(v, first["variants"][0])]
    # They differ in one option, so the former ones are among the others.
    return 1 - total(again[0], builds) / total(before[0], builds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orbox", default="orbox")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--volumes", default="mixed", help="those at hand")
    parser.add_argument("meshes", nargs="+")
    args = parser.parse_args()
    print(f"{'mesh':18} {'query':15} {'asked':6} {'options':18} "
          f"{'promised':>8} {'gained':>8} {'from':>8}", flush=True)
    for mesh in args.meshes:
        name = os.path.splitext(os.path.basename(mesh))[0]
        with tempfile.TemporaryDirectory() as folder:
            for query, words in queries(args, mesh, folder):
                first = explain(args, words)
                assert all(v["same_answers"] for v in first["variants"])
                advice = first["recommendation"]
                for how_often, builds in (("once", 1), ("often", 0)):
                    chosen = advice[how_often]
                    if chosen is None or chosen["gain"] <= 0.05:
                        print(f"{name:18} {query:15} {how_often:6} keep", flush=True)
                        continue
                    gained = follow(args, words, first, chosen, builds)
                    base = first["variants"][0]
                    options = " ".join(
                        chosen[key] for key in KEYS if chosen[key] != base[key])
                    pays = advice["pays_from"] if how_often == "often" else 1
                    print(f"{name:18} {query:15} {how_often:6} {options:18} "
                          f"{100 * chosen['gain']:6.1f} % {100 * gained:6.1f} % "
                          f"{pays:8.0f}", flush=True)


if __name__ == "__main__":
    main()
