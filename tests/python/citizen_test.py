# SPDX-License-Identifier: Apache-2.0

"""Files, pickles, copies, threads, forks, progress and Ctrl-C."""

from __future__ import annotations

import contextlib
import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import orbox
import pytest


def test_pickle_and_copies(knot: orbox.Tree) -> None:
    points = np.array([[0.1, 0.2, 0.3]])
    expected = knot.closest(points).distance
    for other in (pickle.loads(pickle.dumps(knot)), copy.copy(knot), copy.deepcopy(knot)):
        assert np.array_equal(other.closest(points).distance, expected)
        assert other.mesh == knot.mesh
    posed = knot.at(orbox.translation(1, 2, 3))
    assert np.array_equal(pickle.loads(pickle.dumps(posed)).vertices, posed.vertices)
    assert copy.deepcopy(posed).overlaps(posed)
    assert pickle.loads(pickle.dumps(knot.mesh)) == copy.deepcopy(knot.mesh)


def test_files(knot: orbox.Tree, tmp_path: Path) -> None:
    tree = tmp_path / "knot.orbox"
    knot.save(tree)
    for other in (orbox.Tree.load(tree), orbox.Tree.load(tree, map=True), orbox.Tree(tree)):
        assert other.mesh == knot.mesh
    mesh = tmp_path / "knot.ply"
    knot.mesh.save(mesh)
    assert orbox.Tree(mesh).mesh == knot.mesh == orbox.Mesh.of(str(mesh))
    with pytest.raises(FileNotFoundError):
        orbox.read_mesh(tmp_path / "none.ply")
    with pytest.raises(FileNotFoundError):
        orbox.Tree.load(tmp_path / "none.orbox")
    damaged = bytearray(tree.read_bytes())
    damaged[5000] ^= 1
    tree.write_bytes(damaged)
    with pytest.raises(ValueError, match="checksum"):
        orbox.Tree.load(tree)
    with pytest.raises(OSError):
        knot.mesh.save(tmp_path / "no_folder" / "knot.ply")
    with pytest.raises(ValueError, match="xyz"):
        knot.mesh.save(tmp_path / "knot.xyz")


def test_scenes_are_pickled_and_copied(knot: orbox.Tree) -> None:
    scene = orbox.Scene()
    scene.add("gone", knot)
    scene.add("a", knot, group="g", properties={"storey": "1"})
    scene.add("b", knot, orbox.translation(1, 0, 0))
    scene.add(("c", 3), knot, orbox.translation(0, 1, 0), group="g")
    scene.remove("gone")
    scene.ignore([("b", ("c", 3))])
    scene.leave_out("a drawing")
    for other in (pickle.loads(pickle.dumps(scene)), copy.copy(scene), copy.deepcopy(scene)):
        assert type(other) is orbox.Scene
        assert other.names == scene.names == ["a", "b", ("c", 3)]
        assert other.overlaps() == scene.overlaps() == [("a", "b")]
        assert other.properties("a") == {"storey": "1"}
        assert other.not_judged().left_out == scene.not_judged().left_out == ["a drawing"]
        assert np.array_equal(other.body("b").vertices, scene.body("b").vertices)
        # Bodies of one tree share it.
        assert other.body("a").tree is other.body("b").tree
        other.move("b", orbox.translation(99, 0, 0))
        assert other.overlaps() == []
    assert scene.overlaps() == [("a", "b")]


def test_damaged_pickles_are_refused(knot: orbox.Tree) -> None:
    decode, (data,) = knot.__reduce__()
    with pytest.raises(ValueError):
        decode(data[:-100])
    with pytest.raises(ValueError):
        decode(b"")


def test_views_cannot_be_written(knot: orbox.Tree) -> None:
    for array in (knot.mesh.vertices, knot.mesh.faces):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    vertices = orbox.generate("box", 12).vertices  # outlives its mesh
    assert vertices.sum() == 12


@contextlib.contextmanager
def _threads_take_turns_at_calls() -> Iterator[None]:
    """Python takes its lock from no thread: another runs only where a call lets it go."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def test_lock_is_released(knot: orbox.Tree, rng: np.random.Generator) -> None:
    points = rng.uniform(-2, 2, (200_000, 3))
    gate = threading.Lock()
    gate.acquire()
    ran = []

    def run() -> None:
        with gate:
            ran.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    with _threads_take_turns_at_calls():
        gate.release()
        # A call may be over before the other thread has a processor.
        for _ in range(100):
            knot.closest(points, threads=1)
            if ran:
                break
        was_released = bool(ran)
    thread.join()
    assert was_released


def test_many_threads_query_one_tree(knot: orbox.Tree, rng: np.random.Generator) -> None:
    points = rng.uniform(-2, 2, (12_000, 3))
    fresh = orbox.Tree(knot.mesh)
    expected = knot.signed_distance(points)
    answers: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: answers.append(fresh.signed_distance(points)))
        for _ in range(4)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(answers) == 4 and all(np.array_equal(a, expected) for a in answers)


def test_progress(
    knot: orbox.Tree, rng: np.random.Generator, capsys: pytest.CaptureFixture
) -> None:
    points = rng.uniform(-2, 2, (50_000, 3))
    shares: list[float] = []
    knot.closest(points, progress=shares.append)
    assert shares and shares[-1] == 1 and shares == sorted(shares)

    class Bar:
        n = 0.0
        total = 50.0

        def update(self, step: float) -> None:
            self.n += step

    bar = Bar()
    knot.closest(points, progress=bar)
    assert bar.n == pytest.approx(50)
    orbox.Tree(knot.mesh, progress=True)
    assert "100.0 %" in capsys.readouterr().err
    with pytest.raises(TypeError, match="progress"):
        knot.closest(points, progress=7)


def test_exceptions_of_progress_go_on(knot: orbox.Tree, rng: np.random.Generator) -> None:
    points = rng.uniform(-2, 2, (400_000, 3))

    def fail(share: float) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        knot.closest(points, threads=1, progress=fail)
    with pytest.raises(LookupError, match="enough"):
        orbox.Tree(knot.mesh, progress=fail)


# Python takes its lock from no thread, so the one that sends the signal runs while
# the call does. The call would take hours: all triangles are about as far from the
# points, and about all pairs are within the distance.
INTERRUPTED = """
import os, signal, sys, threading
import numpy as np, orbox
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it in the background
tree = orbox.Tree(orbox.generate("sphere", 300_000))
knot = orbox.Tree(orbox.generate("torus_knot", 300_000))
points = np.random.default_rng(1).uniform(-1e-6, 1e-6, (10_000_000, 3))
gate = threading.Lock()
def stop():
    with gate:
        os.kill(os.getpid(), signal.SIGINT)
gate.acquire()
threading.Thread(target=stop).start()
sys.setswitchinterval(1e6)
try:
    gate.release()
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize(
    "call",
    [
        "tree.closest(points)",
        "knot.hausdorff(knot.at(orbox.rotation((1, 2, 3), 1)), tolerance=0, threads=1)",
        "knot.pairs_within(knot, 0.5, threads=1)",
    ],
)
def test_ctrl_c_ends_long_calls(call: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(call=call)],
        capture_output=True,
        text=True,
        timeout=1200,
    )
    assert run.stdout.strip() == "interrupted", run.stderr


def _call(seed: int) -> float:
    tree = orbox.Tree(orbox.generate("torus_knot", 50_000))
    points = np.random.default_rng(seed).uniform(-2, 2, (5000, 3))
    return float(tree.closest(points).distance.sum())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str) -> None:
    here = [_call(seed) for seed in range(3)]  # our threads are there before
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map_async(_call, range(3)).get(timeout=1200)
    assert here == there
