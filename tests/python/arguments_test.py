# SPDX-License-Identifier: Apache-2.0

"""Arguments that are accepted, those refused with a reason, and a fuzzer of both."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import numpy as np
import orbox
import pytest
from orbox import _inputs

V = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
F = [[0, 1, 2]]


@pytest.mark.parametrize(
    "points",
    [
        [[0, 0, 3], [2, 0, 0]],
        np.array([[0, 0, 3], [2, 0, 0]], np.float32),
        np.array([[0, 0, 3], [2, 0, 0]], np.int8),
        np.asfortranarray([[0.0, 0, 3], [2, 0, 0]]),
        np.array([[0.0, 0, 3, 9], [2, 0, 0, 9]])[:, :3],
        np.array([[0.0, 0, 3], [2, 0, 0]])[::-1][::-1],
        np.array([[0.0, 0, 3], [2, 0, 0]]).astype(">f8"),
        ((0, 0, 3), (2, 0, 0)),
        np.frombuffer(b"x" + np.array([0.0, 0, 3, 2, 0, 0]).tobytes(), np.float64, 6, 1).reshape(
            2, 3
        ),
    ],
)
def test_any_array_of_points(box: orbox.Tree, points: Any) -> None:
    assert box.closest(points).distance.tolist() == [2, 1]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_any_integers_for_faces(dtype: Any) -> None:
    mesh = orbox.Mesh(np.array(V, np.float32), np.array(F, dtype, order="F"))
    assert mesh.faces.tolist() == F and mesh.vertices.dtype == np.float64


def unaligned(values: Any, dtype: Any) -> Any:
    """The array at an odd address, as messages and files have it."""
    there = np.asarray(values, dtype)
    whole = np.frombuffer(b"x" + there.tobytes(), np.uint8)[1:]
    array = whole.view(there.dtype).reshape(there.shape)
    assert not array.flags.aligned and array.flags.c_contiguous
    return array


def test_what_the_extension_reads_is_aligned() -> None:
    assert _inputs.numbers(unaligned(V, np.float64), "points").flags.aligned
    assert _inputs.faces_of(unaligned(F, np.int64)).flags.aligned
    assert _inputs.poses_of(unaligned(np.eye(4), np.float64))[0].flags.aligned
    whole = np.array(V, np.float64)
    assert _inputs.numbers(whole, "points") is whole  # nothing is copied without need
    assert _inputs.numbers(unaligned(2.5, np.float64), "number").shape == ()


def test_unaligned_arrays_make_a_mesh() -> None:
    mesh = orbox.Mesh(unaligned(V, np.float64), unaligned(F, np.int64))
    assert mesh.vertices.tolist() == V and mesh.faces.tolist() == F


@pytest.mark.parametrize(
    ("vertices", "faces", "error", "said"),
    [
        (V, [[0, 1, 3]], ValueError, r"faces: row 0 is \(0, 1, 3\), and there are 3 vertices"),
        (V, [[0, 1, 2], [0, -1, 2]], ValueError, "faces: row 1"),
        (V, [[0, 1, 2**40]], ValueError, "faces: row 0"),
        (V, np.array([[0, 1, 2**63]], np.uint64), ValueError, "faces: row 0"),
        (V, [[0.0, 1, 2]], TypeError, "faces.*indices.*astype"),
        (V, [[0, 1, 2, 0]], ValueError, "faces.*quads"),
        (V, [[0, 1], [0, 1, 2]], ValueError, "faces.*lengths"),
        (V, np.zeros((0, 3), int), ValueError, "triangle"),
        (
            [[0, 0, 0], [1, 0, np.nan], [0, 1, 0]],
            F,
            ValueError,
            "vertices: row 1 has NaN in column 2",
        ),
        ([[0, 0, 0], [1, 0, 0], [np.inf, 1, 0]], F, ValueError, "vertices: row 2 has an infinity"),
        (np.zeros((3, 2)), F, ValueError, r"vertices: has shape \(3, 2\), and needs \(n, 3\)"),
        (np.zeros((3, 5)), F, ValueError, r"its transpose has it: vertices\.T"),
        (np.zeros((2, 2, 3)), F, ValueError, r"reshape\(-1, 3\)"),
        ("abc", F, TypeError, "vertices.*real numbers"),
        (np.array(V, complex), F, TypeError, "vertices.*complex"),
        (None, F, TypeError, "vertices"),
        ([[1, 2], [1, 2, 3]], F, ValueError, "vertices.*lengths"),
    ],
)
def test_bad_meshes(vertices: Any, faces: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        orbox.Mesh(vertices, faces)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda t: t.closest([[0, 0, 0], [0, np.nan, 0]]),
            ValueError,
            "points: row 1 has NaN.*isfinite",
        ),
        (lambda t: t.closest((0, np.inf, 0)), ValueError, "points: row 0"),
        (lambda t: t.closest([0, 0]), ValueError, "points: has shape"),
        (lambda t: t.closest([0, 0, 0], max_distance=-1), ValueError, "max_distance"),
        (lambda t: t.closest([[0, 0, 0]], max_distance=np.nan), ValueError, "max_distance"),
        (lambda t: t.closest([[0, 0, 0]], threads=-1), ValueError, "threads"),
        (lambda t: t.closest([[0, 0, 0]], threads=1.5), TypeError, "threads"),
        (lambda t: t.nearest([[0, 0, 0]], -1), ValueError, "k: is -1"),
        (lambda t: t.contains([[0, 0, 0]], method="x"), ValueError, "method"),
        (lambda t: t.winding_number([[0, 0, 0]], max_error=np.nan), ValueError, "max_error"),
        (lambda t: t.ray_first([[0, 0, 0]], [[0, 0, 0]]), ValueError, "directions: row 0 is zero"),
        (lambda t: t.ray_any(np.zeros((3, 3)), np.ones((2, 3))), ValueError, "rows"),
        (lambda t: t.ray_any([[0, 0, np.nan]], [[0, 0, 1]]), ValueError, "origins: row 0"),
        (lambda t: t.in_ball([[0, 0, 0]], -1), ValueError, "radii: row 0 is -1.0"),
        (lambda t: t.in_ball([[0, 0, 0]], [[1, 2]]), ValueError, "radii: has shape"),
        (lambda t: t.in_box([[0, 0, 1]], [[1, 1, 0]]), ValueError, "lo: row 0 is above hi"),
        (
            lambda t: t.in_obb((0, 0, 0), 2 * np.eye(3), (1, 1, 1)),
            ValueError,
            "axes: the rows of frame 0",
        ),
        (lambda t: t.in_obb((0, 0, 0), np.eye(3), (1, -1, 1)), ValueError, "half_extents: row 0"),
        (lambda t: t.in_frustum([[1, 2, 3]]), ValueError, "planes: has shape"),
        (lambda t: t.swept_ball((0, 0, 0), (1, 1, 1), -1), ValueError, "radii"),
        (lambda t: t.at(np.eye(3)), ValueError, "pose: has shape"),
        (lambda t: t.at(np.full((4, 4), np.nan)), ValueError, "pose: matrix 0"),
        (lambda t: t.at(orbox.translation(1, 2, 3).T), ValueError, "pose: matrix 0.*transpose"),
        (lambda t: t.at(1e308 * np.eye(4) + np.diag([0, 0, 0, 1 - 1e308])), ValueError, "pose"),
        (lambda t: t.within(t, -1), ValueError, "distance"),
        (lambda t: t.distance(t, guess=(0, 99)), ValueError, "guess"),
        (lambda t: t.distance(t, guess=(-1, 0)), ValueError, "guess"),
        (lambda t: t.hausdorff(t, tolerance=-1), ValueError, "tolerance"),
        (lambda t: t.refit([[0, 0, 0]]), ValueError, "faces"),
        (lambda t: orbox.Tree(t, quality="x"), ValueError, 'quality.*"balanced"'),
        (lambda t: orbox.Tree(t, volumes="x"), ValueError, "volumes"),
        (lambda t: orbox.Tree(7), TypeError, "does not look like"),
        (lambda t: orbox.generate("x"), ValueError, "torus_knot"),
        (lambda t: orbox.generate("box", -1), ValueError, "faces"),
        (lambda t: orbox.rotation((0, 0, 0), 1), ValueError, "axis"),
    ],
)
def test_bad_arguments(box: orbox.Tree, call: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        call(box)


def box_like(**attributes: Any) -> Any:
    return SimpleNamespace(**attributes)


def test_meshes_of_other_libraries(box: orbox.Tree) -> None:
    v, f = np.array(box.mesh.vertices), np.array(box.mesh.faces)
    flat = np.column_stack([np.full(len(f), 3), f]).ravel()
    tensor = lambda a: SimpleNamespace(numpy=lambda: a, cpu=lambda: tensor(a))  # noqa: E731
    like = [
        box_like(vertices=v, faces=f, triangles=v[f]),  # trimesh
        box_like(geometry={}, to_mesh=lambda: box_like(vertices=v, faces=f)),  # its scene
        box_like(vertices=v, triangles=f),  # Open3D
        box_like(vertex={"positions": tensor(v)}, triangle={"indices": tensor(f)}),
        box_like(points=v, faces=flat, is_all_triangles=True),  # PyVista
        box_like(
            points=v,
            faces=[4],
            is_all_triangles=False,
            triangulate=lambda: box_like(points=v, faces=flat),
        ),
        box_like(points=v, cells_dict={"triangle": f, "line": f[:, :2]}),  # meshio
        (v, f),
        box,
        box.mesh,
    ]
    for x in like:
        assert orbox.Mesh.of(x) == box.mesh
    quads = np.array([[0, 1, 3, 2]])
    assert len(orbox.Mesh.of(box_like(points=v, cells_dict={"quad": quads}))) == 2
    flat_land = box_like(points=v[:3, :2], cells_dict={"triangle": [[0, 1, 2]]})
    assert orbox.Mesh.of(flat_land).vertices[:, 2].tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="only points"):
        orbox.Mesh.of(box_like(points=v, cells=[]))
    with pytest.raises(ValueError, match="tetra"):
        orbox.Mesh.of(box_like(points=v, cells_dict={"tetra": quads}))
    with pytest.raises(ValueError, match="triangulate"):
        orbox.Mesh.of(box_like(points=v, faces=[4, 0, 1, 3, 2]))


def test_polygons_of_meshio_are_cut_as_those_of_files() -> None:
    outline = np.array([(0, 0), (6, 0), (6, 2), (2, 2), (2, 6), (0, 6)], float)
    flat = np.column_stack([outline, np.zeros(6)])
    sides = [[i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i] for i in range(6)]
    hexagons = [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11]]
    prism = box_like(
        points=np.vstack([flat, flat + [0, 0, 1]]),
        cells=[
            box_like(type="polygon", data=np.array(hexagons)),
            box_like(type="polygon", data=np.array(sides)),  # other numbers of corners
            box_like(type="line", data=np.array([[0, 1], [1, 2]])),
        ],
    )
    mesh = orbox.Mesh.of(prism)
    assert len(mesh) == 20 and mesh.is_closed
    assert mesh.facts.area == 64 and np.isclose(mesh.facts.volume, 20)
    assert mesh.vertices.tolist() == prism.points.tolist()
    assert mesh.notes == ("cells that are no faces, left out: 2 of line",)
    assert orbox.Tree(prism).closest((2, 2, 2)).distance == 1

    dart = np.array([(0, 0, 0), (4, 0, 0), (1, 1, 0), (0, 4, 0)], float)
    for first in range(4):  # a fan from two of the corners would cover 12
        quads = {"triangle": [[0, 1, 2]], "quad": np.roll([[0, 1, 2, 3]], first, axis=1)}
        mesh = orbox.Mesh.of(box_like(points=dart, cells_dict=quads))
        assert mesh.facts.area == 2 + 4 and len(mesh) == 3
        assert mesh.faces[0].tolist() == [0, 1, 2]
    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    crossing = box_like(points=square, cells_dict={"quad": [[0, 2, 1, 3]]})
    assert "polygons that cross themselves: 1" in orbox.Mesh.of(crossing).notes[0]

    for wrong in ([[0, 1, 2, 4]], [[0, 1, 2, -1]], np.uint64([[0, 1, 2, 2**63]])):
        with pytest.raises(ValueError, match="quad: row 0 is .* there are 4 vertices"):
            orbox.Mesh.of(box_like(points=dart, cells_dict={"quad": np.array(wrong)}))
    for wrong in ([0, 1, 2, 3], [[0.0, 1, 2, 3]], [[0, 1]]):
        with pytest.raises(ValueError, match="polygon: has shape"):
            orbox.Mesh.of(box_like(points=dart, cells_dict={"polygon": np.array(wrong)}))
    with pytest.raises(ValueError, match="points: row 0 is .* finite"):
        orbox.Mesh.of(box_like(points=dart * np.nan, cells_dict={"quad": [[0, 1, 2, 3]]}))


def test_masked_limits_of_rays_are_refused(box: orbox.Tree) -> None:
    skip = np.ma.array([1], mask=[True])
    with pytest.raises(ValueError, match="filled"):
        box.ray_first([(0.5, 0.4, -1)], (0, 0, 1), skip=skip)
    with pytest.raises(ValueError, match="compressed"):
        box.ray_first([(0.5, 0.4, -1)], (0, 0, 1), min_t=np.ma.array([1.0], mask=[True]))


def strange_values(rng: np.random.Generator) -> Any:
    """One of many things that somebody might give."""
    shape = tuple(int(n) for n in rng.integers(0, 5, rng.integers(0, 4)))
    number = rng.choice([0, 1, -1, np.nan, np.inf, 1e308, 5e-324, 2**31, 2**63])
    kinds = [
        lambda: rng.normal(size=shape),
        lambda: rng.normal(size=(int(rng.integers(0, 9)), 3)) * 10.0 ** rng.integers(-300, 300),
        lambda: np.full((int(rng.integers(0, 4)), int(rng.choice([3, 4, 16]))), number),
        lambda: rng.integers(-2, 20, (4, 3)).astype(
            rng.choice(["i1", "u4", "i8", ">i4", "f4", "bool"])
        ),
        lambda: rng.normal(size=(3, 4)).T,
        lambda: rng.normal(size=(6, 6))[::2, ::2],
        lambda: np.stack([np.eye(4)] * int(rng.integers(1, 4))) * number,
        lambda: np.array([["a", "b", "c"]]),
        lambda: np.array([[None, 1, 2]], dtype=object),
        lambda: np.array([[1j, 2, 3]]),
        lambda: number,
        lambda: None,
        lambda: "a path",
        lambda: [[1, 2, 3], [4, 5]],
        lambda: {"a": 1},
        lambda: (orbox.translation(1, 0, 0), 3),
        lambda: orbox.generate("box", 12),
        lambda: np.datetime64("now"),
        lambda: np.zeros((2, 3), [("x", float)]),
        lambda: np.ma.masked_array(np.zeros((2, 3)), True),
        lambda: object(),
        lambda: True,
        lambda: int(rng.integers(-5, 50)),
    ]
    with np.errstate(all="ignore"):
        return kinds[rng.integers(len(kinds))]()


@pytest.mark.filterwarnings("ignore")
def test_nothing_crashes_the_interpreter() -> None:
    """Random arguments give an answer, or one of four kinds of errors."""
    rng = np.random.default_rng(2)
    tree = orbox.Tree(orbox.generate("sphere", 100))
    phase = orbox.BroadPhase()
    scene = orbox.Scene()
    scene.add("a", tree)
    scene.add(1, tree, orbox.translation(1.5, 0, 0))
    methods = [
        tree.closest, tree.nearest, tree.signed_distance, tree.signed_closest, tree.contains,
        tree.winding_number, tree.side, tree.ray_first, tree.ray_any, tree.ray_all, tree.ray_count,
        tree.swept_ball, tree.swept_ball_all, tree.in_ball, tree.in_box, tree.in_obb,
        tree.in_frustum, tree.in_frustum_any, tree.at, tree.overlaps, tree.pairs_within,
        tree.distance, tree.within, tree.relation, tree.contacts, tree.refit, orbox.Mesh,
        tree.time_of_contact, tree.self_within, orbox.Mesh.of, tree.hausdorff,
        tree.clash, tree.shared_volume, tree.places_within, tree.first_contact,
        tree.first_self_contact, phase.set, phase.remove, scene.closest, scene.in_ball,
        scene.clashes, scene.within, scene.overlapping, scene.ray_first,
    ]  # fmt: skip
    options = ["threads", "max_distance", "progress", "statistics", "max_t", "tolerance"]
    answered = refused = 0
    for _ in range(6000):
        method = methods[rng.integers(len(methods))]
        required = [
            p
            for p in inspect.signature(method).parameters.values()
            if p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty
        ]
        arguments = [
            rng.normal(size=(4, 3)) if rng.random() < 0.5 else strange_values(rng) for _ in required
        ]
        named = {}
        if rng.random() < 0.2:
            named[options[rng.integers(len(options))]] = strange_values(rng)
        try:
            answer = method(*arguments, **named)
            if isinstance(answer, orbox.PoseBatch):
                answer.overlaps(tree)
            answered += 1
        except (ValueError, TypeError, OSError, KeyError):
            refused += 1
    assert answered > 500 and refused > 500


def test_an_array_that_changes_meanwhile_does_no_harm() -> None:
    import threading

    tree = orbox.Tree(orbox.generate("sphere", 1000))
    points = np.random.default_rng(1).normal(size=(50_000, 3))
    done = threading.Event()

    def spoil() -> None:
        while not done.is_set():
            points[::7] = np.nan
            points[::7] = 1e3

    thread = threading.Thread(target=spoil)
    thread.start()
    for _ in range(5):
        try:
            tree.closest(points)
        except ValueError:
            pass
    done.set()
    thread.join()


def test_meshes_for_other_libraries(box: orbox.Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    made = box.mesh.to_trimesh()
    assert orbox.Mesh.of(made) == box.mesh and made.is_watertight
    fake: Any = SimpleNamespace(
        PolyData=SimpleNamespace(
            from_regular_faces=lambda v, f: box_like(
                points=v, faces=np.column_stack([np.full(len(f), 3), f]).ravel()
            )
        ),
        geometry=SimpleNamespace(
            TriangleMesh=lambda v, f: box_like(vertices=np.array(v), triangles=np.array(f))
        ),
        utility=SimpleNamespace(Vector3dVector=list, Vector3iVector=list),
    )
    for name in ("pyvista", "open3d"):
        try:
            __import__(name)
        except ImportError:
            monkeypatch.setitem(__import__("sys").modules, name, fake)
    assert orbox.Mesh.of(box.mesh.to_pyvista()) == box.mesh
    assert orbox.Mesh.of(box.mesh.to_open3d()) == box.mesh
