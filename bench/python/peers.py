# SPDX-License-Identifier: Apache-2.0

"""Orbox in Python compared with packages of pip, in one run, one thread each.

    python bench/python/peers.py --meshes DIR [--names bunny,horse] [--json]

Prints a row for each work, mesh and peer: the peer's time over ours, the median of
alternating runs, and whether the results agree. Peers that are not installed are
left out: trimesh (with scipy, rtree), embreex, python-fcl, coal, libigl, open3d.
Then the times of single queries.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import orbox
from collision import Coal, Fcl

Call = Callable[[], Any]


def optional(name: str) -> Any:
    """A module, or None."""
    try:
        return __import__(name)
    except ImportError:
        return None


def agree(ours: Any, theirs: Any) -> bool:
    """Agreement within the errors of floats; one result in a hundred may differ."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    return bool(np.mean(np.isclose(a, b, rtol=1e-4, atol=1e-6) | (a == b)) > 0.99)


class Row(NamedTuple):
    """A query, the peers that have it, and a test of agreement (None: not compared)."""

    work: str
    peer: str
    ours: Call
    theirs: Call
    same: Callable[[Any, Any], bool] | None = agree


def median_times(ours: Call, theirs: Call, seconds: float = 1.0) -> tuple[float, float]:
    """Medians of alternating runs, in processor time; at least one of each."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.perf_counter() + seconds
    while not times[0] or (time.perf_counter() < end and len(times[0]) < 30):
        for call, into in ((ours, times[0]), (theirs, times[1])):
            begin = time.process_time()
            call()
            into.append(time.process_time() - begin)
    return float(np.median(times[0])), float(np.median(times[1]))


def directions_of(n: int) -> np.ndarray:
    return np.random.default_rng(2).normal(size=(n, 3))


def points_around(mesh: orbox.Mesh, n: int) -> np.ndarray:
    """Uniform in a box somewhat larger than the mesh."""
    lo, hi = mesh.bounds
    return np.random.default_rng(1).uniform(lo - 0.1 * (hi - lo), hi + 0.1 * (hi - lo), (n, 3))


def same_faces(ours: Any, theirs: Any) -> bool:
    """One face in a hundred may differ."""
    return bool(np.mean(np.asarray(ours) == np.asarray(theirs)) > 0.99)


def of_trimesh(tree: orbox.Tree, n: int) -> Iterator[Row]:
    """trimesh, whose rays are embreex's where that is installed."""
    trimesh = optional("trimesh")
    if trimesh is None:
        return
    mesh = trimesh.Trimesh(np.array(tree.mesh.vertices), np.array(tree.mesh.faces), process=False)
    points, directions = points_around(tree.mesh, n), directions_of(n)
    few = points[: max(1, n // 100)]
    yield Row(
        "closest",
        "trimesh",
        lambda: tree.closest(few, threads=1).distance,
        lambda: trimesh.proximity.closest_point(mesh, few)[1],
    )
    yield Row(
        "signed",
        "trimesh",
        lambda: tree.signed_distance(few, threads=1),
        lambda: -trimesh.proximity.signed_distance(mesh, few),
    )
    if not optional("embreex"):
        return
    rays = mesh.ray
    rays.intersects_first(few, directions[: len(few)])
    yield Row(
        "ray_first",
        "embreex",
        lambda: tree.ray_first(points, directions, threads=1).face,
        lambda: rays.intersects_first(points, directions),
        same_faces,
    )
    yield Row(
        "ray_any",
        "embreex",
        lambda: tree.ray_any(points, directions, threads=1),
        lambda: rays.intersects_any(points, directions),
    )
    yield Row(
        "contains",
        "trimesh+embreex",
        lambda: tree.contains(points, method="parity", threads=1),
        lambda: rays.contains_points(points),
    )


def of_libigl(tree: orbox.Tree, n: int) -> Iterator[Row]:
    """libigl: trees of boxes, signs by normals, winding numbers."""
    igl = optional("igl")
    if igl is None:
        return
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    points = points_around(tree.mesh, n)
    boxes = igl.AABB()
    boxes.init(v, f)
    yield Row(
        "build",
        "libigl",
        lambda: orbox.Tree(tree.mesh, threads=1),
        lambda: igl.AABB().init(v, f),
        None,
    )
    yield Row(
        "closest",
        "libigl",
        lambda: tree.closest(points, threads=1).distance,
        lambda: np.sqrt(boxes.squared_distance(v, f, points)[0]),
    )
    yield Row(
        "signed",
        "libigl",
        lambda: tree.signed_distance(points, threads=1),
        lambda: igl.signed_distance(points, v, f)[0],
    )
    yield Row(
        "contains",
        "libigl, winding",
        lambda: tree.contains(points, threads=1),
        lambda: igl.fast_winding_number(v, f, points) > 0.5,
    )


def of_open3d(tree: orbox.Tree, n: int) -> Iterator[Row]:
    """Open3D: Embree in float."""
    o3d = optional("open3d")
    if o3d is None:
        return
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    points, directions = points_around(tree.mesh, n), directions_of(n)
    floats, triangles = points.astype(np.float32), f.astype(np.uint32)
    rays = np.hstack([floats, directions.astype(np.float32)])

    def built() -> Any:
        made = o3d.t.geometry.RaycastingScene(nthreads=1)
        made.add_triangles(v.astype(np.float32), triangles)
        made.cast_rays(rays[:1], nthreads=1)
        return made

    scene = built()
    yield Row("build", "open3d", lambda: orbox.Tree(tree.mesh, threads=1), built, None)
    yield Row(
        "closest",
        "open3d",
        lambda: tree.closest(points, threads=1).distance,
        lambda: scene.compute_distance(floats, nthreads=1).numpy(),
    )
    yield Row(
        "signed",
        "open3d",
        lambda: tree.signed_distance(points, threads=1),
        lambda: scene.compute_signed_distance(floats, nthreads=1).numpy(),
    )
    yield Row(
        "ray_first",
        "open3d",
        lambda: tree.ray_first(points, directions, threads=1).t,
        lambda: scene.cast_rays(rays, nthreads=1)["t_hit"].numpy(),
    )
    yield Row(
        "ray_any",
        "open3d",
        lambda: tree.ray_any(points, directions, threads=1),
        lambda: scene.test_occlusions(rays, nthreads=1).numpy(),
    )
    yield Row(
        "contains",
        "open3d",
        lambda: tree.contains(points, method="parity", threads=1),
        lambda: scene.compute_occupancy(floats, nthreads=1).numpy(),
    )


def places_of(tree: orbox.Tree, poses: int) -> np.ndarray:
    """Poses that move the mesh by about its size."""
    size = float(np.linalg.norm(tree.mesh.bounds[1] - tree.mesh.bounds[0]))
    middle = orbox.translation(*-tree.mesh.bounds.mean(axis=0))
    back = np.linalg.inv(middle)
    rng = np.random.default_rng(3)
    return np.stack(
        [
            back
            @ orbox.translation(*(rng.normal(size=3) * size * 0.3))
            @ orbox.rotation(rng.normal(size=3), rng.uniform(0, 3))
            @ middle
            for _ in range(poses)
        ]
    )


def two_meshes(tree: orbox.Tree, poses: int) -> Iterator[Row]:
    """The mesh against itself, moved by about its size."""
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    places = places_of(tree, poses)
    met = tree.at(places).overlaps(tree)
    groups = {"distance, apart": places[~met][:10], "distance, overlapping": places[met][:10]}
    for kind, name in ((Fcl, "fcl"), (Coal, "coal")):
        module = optional(name)
        if module is None:
            continue
        peer = kind(module, v, f)
        yield Row(
            "build", peer.name, lambda: orbox.Tree(tree.mesh, threads=1), peer.build, None
        )
        moved = [peer.at(p) for p in places]
        yield Row(
            "overlap, poses",
            peer.name,
            lambda: tree.at(places).overlaps(tree, threads=1),
            lambda peer=peer, moved=moved: [peer.overlaps(m) for m in moved],
        )
        for work, some in groups.items():
            if len(some):
                far = [peer.at(p) for p in some]
                yield Row(
                    work,
                    peer.name,
                    lambda some=some: tree.at(some).distance(tree, threads=1).distance,
                    lambda peer=peer, far=far: [peer.distance(m) for m in far],
                )
        for place in places[met][:1]:
            posed, there = tree.at(place), peer.at(place)
            yield Row(
                "all pairs",
                peer.name,
                lambda posed=posed: len(posed.overlapping_pairs(tree, threads=1)),
                lambda peer=peer, there=there: peer.pairs(there),
            )


def split_in_four(v: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A finer mesh of the surface: a vertex in the middle of each edge."""
    n = len(f)
    edges = np.sort(np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]), axis=1)
    edges, of = np.unique(edges, axis=0, return_inverse=True)
    ab, bc, ca = (len(v) + of.reshape(3, n)).astype(f.dtype)
    parts = [[f[:, 0], ab, ca], [ab, f[:, 1], bc], [ca, bc, f[:, 2]], [ab, bc, ca]]
    return (
        np.concatenate([v, (v[edges[:, 0]] + v[edges[:, 1]]) / 2]),
        np.concatenate([np.stack(part, axis=1) for part in parts]),
    )


def strays(tree: orbox.Tree) -> Iterator[Row]:
    """Hausdorff distances, both ways, between the mesh and its changed copy."""
    v, f = np.array(tree.mesh.vertices), np.array(tree.mesh.faces)
    size = float(np.linalg.norm(tree.mesh.bounds[1] - tree.mesh.bounds[0]))
    turned = np.array(tree.at(orbox.rotation((1, 2, 3), 0.1)).vertices)
    shaken = v + 1e-3 * size * np.random.default_rng(1).uniform(-1, 1, v.shape)
    close = lambda a, b: abs(a - b) <= 2e-3 * size  # noqa: E731
    for work, (w, g) in (
        ("hausdorff", (turned, f)),
        ("hausdorff, shaken", (shaken, f)),
        ("hausdorff, split", split_in_four(v, f)),
    ):
        other = orbox.Tree((w, g))
        both = lambda other=other: max(  # noqa: E731
            tree.hausdorff(other, tolerance=1e-3 * size, threads=1).lower,
            other.hausdorff(tree, tolerance=1e-3 * size, threads=1).lower,
        )
        if igl := optional("igl"):
            yield Row(
                work, "libigl", both, lambda w=w, g=g, igl=igl: igl.hausdorff(v, f, w, g), close
            )
        if optional("scipy") and work == "hausdorff":
            from scipy.spatial import cKDTree

            yield Row(
                work,
                "scipy, vertices",
                both,
                lambda w=w: max(cKDTree(w).query(v)[0].max(), cKDTree(v).query(w)[0].max()),
                close,
            )


def overheads() -> dict[str, float]:
    """Nanoseconds of single queries: of a knot, and of a box, where the call is all there is."""
    times = {}
    point, down, plain = np.array([0.3, 0.2, 0.5]), np.array([0, 0, -1.0]), (0.3, 0.2, 0.5)
    for mesh, tree in (
        ("knot", orbox.Tree(orbox.generate("torus_knot", 20_000))),
        ("box", orbox.Tree(orbox.generate("box", 12))),
    ):
        apart = tree.at(orbox.translation(0, 0, 5))
        for name, call in (
            ("closest", lambda: tree.closest(point)),
            ("closest, a tuple", lambda: tree.closest(plain)),
            ("contains", lambda: tree.contains(point)),
            ("signed_distance", lambda: tree.signed_distance(point)),
            ("nearest, k = 1", lambda: tree.nearest(point, 1)),
            ("ray_first", lambda: tree.ray_first(point, down)),
            ("in_ball", lambda: tree.in_ball(point, 0.2)[0]),
            ("overlaps", lambda: tree.overlaps(apart)),
            ("distance", lambda: tree.distance(apart)),
        ):
            runs = []
            for _ in range(15):
                begin = time.process_time()
                for _ in range(1000):
                    call()
                runs.append((time.process_time() - begin) / 1000)
            times[f"{mesh}: one {name}"] = 1e9 * min(runs)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--meshes", type=Path, required=True)
    parser.add_argument("--names", default="", help="only files whose names contain one of these")
    parser.add_argument("--works", default="", help="only works that begin with one of these")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--poses", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each row")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    wanted = [n for n in options.names.split(",") if n]
    works = [w for w in options.works.split(",") if w]
    for path in sorted(options.meshes.iterdir()):
        if path.suffix not in (".obj", ".ply", ".stl", ".off"):
            continue
        if wanted and not any(n in path.name for n in wanted):
            continue
        tree = orbox.Tree(path)
        for work, peer, ours, theirs, same in chain(
            of_trimesh(tree, options.queries),
            of_libigl(tree, options.queries),
            of_open3d(tree, options.queries),
            two_meshes(tree, options.poses),
            strays(tree),
        ):
            if works and not any(work.startswith(w) for w in works):
                continue
            if work == "signed" and not tree.mesh.is_closed:
                continue
            good = same is None or same(ours(), theirs())
            mine, other = median_times(ours, theirs, options.seconds)
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
                    f"{work:22} {path.stem:16} {peer:16} {other / mine:9.2f} x"
                    f"   ours {1e3 * mine:9.3f} ms   {'' if good else 'answers differ'}",
                    flush=True,
                )
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        for name, nanoseconds in overheads().items():
            print(f"{name:28} {nanoseconds:9.0f} ns")


if __name__ == "__main__":
    main()
