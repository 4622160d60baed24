# SPDX-License-Identifier: Apache-2.0

"""Orbox through Python beside what pip installs, in one run, one thread each.

    python bench/python/peers.py --meshes DIR [--work closest,rays,...] [--json]

Prints a row for each work, mesh and peer: the peer's time over ours, the median
of alternating runs, and whether the answers agree. Peers that are not installed
are left out: trimesh (with scipy, rtree), embreex, python-fcl, libigl, open3d.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import orbox

Ask = Callable[[], Any]
Row = tuple[str, str, Ask, Ask, Callable[[Any, Any], bool]]


def optional(name: str) -> Any:
    """A module, or None."""
    try:
        return __import__(name)
    except ImportError:
        return None


def agree(ours: Any, theirs: Any) -> bool:
    """Within what floats give; one answer in a hundred may differ."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    return bool(np.mean(np.isclose(a, b, rtol=1e-4, atol=1e-6) | (a == b)) > 0.99)


def median_times(ours: Ask, theirs: Ask, seconds: float = 1.0) -> tuple[float, float]:
    """Medians of alternating runs, in processor time; at least one of each."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while not times[0] or (time.perf_counter() < end and len(times[0]) < 30):
        for ask, into in ((ours, times[0]), (theirs, times[1])):
            begin = time.process_time()
            ask()
            into.append(time.process_time() - begin)
    return float(np.median(times[0])), float(np.median(times[1]))


def points_around(mesh: orbox.Mesh, n: int) -> np.ndarray:
    """Uniform in a box somewhat larger than the mesh."""
    lo, hi = mesh.bounds
    return np.random.default_rng(1).uniform(lo - 0.1 * (hi - lo), hi + 0.1 * (hi - lo), (n, 3))


def one_mesh(tree: orbox.Tree, n: int) -> Iterator[Row]:
    """Points and rays."""
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    points = points_around(tree.mesh, n)
    few = points[: max(1, n // 100)]
    directions = np.random.default_rng(2).normal(size=points.shape)
    closest = lambda: tree.closest(points, threads=1).distance  # noqa: E731
    first = lambda: tree.ray_first(points, directions, threads=1).t  # noqa: E731
    if trimesh := optional("trimesh"):
        mesh = trimesh.Trimesh(v, f, process=False)
        yield (
            "closest",
            "trimesh",
            lambda: tree.closest(few, threads=1).distance,
            lambda: trimesh.proximity.closest_point(mesh, few)[1],
            agree,
        )
        if optional("embreex"):
            rays = mesh.ray
            rays.intersects_first(few, directions[: len(few)])
            yield (
                "ray_first",
                "embreex",
                lambda: tree.ray_first(points, directions, threads=1).face,
                lambda: rays.intersects_first(points, directions),
                lambda a, b: bool(np.mean(a == b) > 0.99),
            )
            yield (
                "contains",
                "trimesh+embreex",
                lambda: tree.contains(points, method="parity", threads=1),
                lambda: rays.contains_points(points),
                agree,
            )
    if igl := optional("igl"):
        igl_tree = igl.AABB()
        igl_tree.init(v, f)
        yield (
            "closest",
            "libigl",
            closest,
            lambda: np.sqrt(igl_tree.squared_distance(v, f, points)[0]),
            agree,
        )
    if o3d := optional("open3d"):
        scene = o3d.t.geometry.RaycastingScene(nthreads=1)
        scene.add_triangles(v.astype(np.float32), f.astype(np.uint32))
        floats = points.astype(np.float32)
        rays6 = np.hstack([floats, directions.astype(np.float32)])
        yield (
            "closest",
            "open3d",
            closest,
            lambda: scene.compute_distance(floats, nthreads=1).numpy(),
            agree,
        )
        yield (
            "ray_first",
            "open3d",
            first,
            lambda: scene.cast_rays(rays6, nthreads=1)["t_hit"].numpy(),
            agree,
        )
        yield (
            "contains",
            "open3d",
            lambda: tree.contains(points, method="parity", threads=1),
            lambda: scene.compute_occupancy(floats, nthreads=1).numpy(),
            agree,
        )


def two_meshes(tree: orbox.Tree, poses: int) -> Iterator[Row]:
    """The mesh against itself, moved by about its size."""
    fcl = optional("fcl")
    if fcl is None:
        return
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    model = fcl.BVHModel()
    model.beginModel(len(v), len(f))
    model.addSubModel(v, f)
    model.endModel()
    size = float(np.linalg.norm(tree.mesh.bounds[1] - tree.mesh.bounds[0]))
    rng = np.random.default_rng(3)
    places = np.stack(
        [
            orbox.translation(*(rng.normal(size=3) * size * 0.3))
            @ orbox.rotation(rng.normal(size=3), rng.uniform(0, 3))
            for _ in range(poses)
        ]
    )
    still = fcl.CollisionObject(model, fcl.Transform())
    moved = [fcl.CollisionObject(model, fcl.Transform(p[:3, :3], p[:3, 3])) for p in places]

    def collide() -> list[bool]:
        return [
            fcl.collide(o, still, fcl.CollisionRequest(), fcl.CollisionResult()) > 0 for o in moved
        ]

    yield (
        "overlap, poses",
        "python-fcl",
        lambda: tree.at(places).overlaps(tree, threads=1),
        collide,
        agree,
    )
    apart = places[~tree.at(places).overlaps(tree)][:10]
    if len(apart):
        far = [fcl.CollisionObject(model, fcl.Transform(p[:3, :3], p[:3, 3])) for p in apart]
        yield (
            "distance, apart",
            "python-fcl",
            lambda: tree.at(apart).distance(tree, threads=1).distance,
            lambda: [
                fcl.distance(o, still, fcl.DistanceRequest(), fcl.DistanceResult()) for o in far
            ],
            agree,
        )


def overheads(tree: orbox.Tree) -> dict[str, float]:
    """Nanoseconds of single queries, and of batches a query."""
    point = points_around(tree.mesh, 1)[0]
    times = {}
    for name, ask, n in (
        ("one closest", lambda: tree.closest(point), 1),
        ("one closest, a list", lambda: tree.closest([0.1, 0.2, 0.3]), 1),
        ("one overlap", lambda: tree.overlaps(tree), 1),
    ):
        runs = []
        for _ in range(7):
            begin = time.process_time()
            for _ in range(2000):
                ask()
            runs.append((time.process_time() - begin) / 2000 / n)
        times[name] = 1e9 * float(np.median(runs))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--meshes", type=Path, required=True)
    parser.add_argument("--names", default="", help="only files whose names contain one of these")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    wanted = [n for n in options.names.split(",") if n]
    for path in sorted(options.meshes.iterdir()):
        if path.suffix not in (".obj", ".ply", ".stl", ".off"):
            continue
        if wanted and not any(n in path.name for n in wanted):
            continue
        tree = orbox.Tree(path)
        for work, peer, ours, theirs, same in (
            *one_mesh(tree, options.queries),
            *two_meshes(tree, 1000),
        ):
            good = same(ours(), theirs())
            mine, other = median_times(ours, theirs)
            rows.append(
                {
                    "work": work,
                    "mesh": path.stem,
                    "peer": peer,
                    "orbox_ns": 1e9 * mine,
                    "peer_ns": 1e9 * other,
                    "ratio": other / mine,
                    "agree": good,
                }
            )
            if not options.json:
                print(
                    f"{work:16} {path.stem:16} {peer:16} {other / mine:9.2f} x"
                    f"   ours {1e3 * mine:9.3f} ms   {'' if good else 'answers differ'}",
                    flush=True,
                )
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        tree = orbox.Tree(orbox.generate("torus_knot", 20_000))
        for name, nanoseconds in overheads(tree).items():
            print(f"{name:24} {nanoseconds:9.0f} ns")


if __name__ == "__main__":
    main()
