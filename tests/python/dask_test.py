# SPDX-License-Identifier: Apache-2.0

"""Pairs of chunked trees by the processes of a Dask cluster: the bytes of one process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orbox
import pytest

distributed = pytest.importorskip("distributed")
ours = pytest.importorskip("orbox.dask")


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    cluster = distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=str(tmp_path_factory.mktemp("dask")),
    )
    with cluster, distributed.Client(cluster):
        yield


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("chunks")
    for name, shape, faces in [("knot", "torus_knot", 2000), ("ball", "sphere", 1000)]:
        mesh = folder / f"{name}.ply"
        orbox.generate(shape, faces).save(mesh)
        orbox.ChunkedTree.build([mesh], folder / f"{name}.orboxd", chunk_size=200)
    return folder / "knot.orboxd", folder / "ball.orboxd"


@pytest.mark.usefixtures("workers")
def test_answers_have_the_bytes_of_one_process(trees: tuple[Path, Path]) -> None:
    knot, ball = (orbox.ChunkedTree(path) for path in trees)
    pose = orbox.translation(0.3, 0.1, 0)
    found = ours.overlapping_pairs(*trees, pose=pose, tasks=5).compute()
    assert len(found)
    assert found.tobytes() == knot.overlapping_pairs(ball, pose=pose).tobytes()
    near = ours.pairs_within(*trees, 0.05, pose=pose).compute()
    expected = knot.pairs_within(ball, 0.05, pose=pose)
    assert near.faces.tobytes() == expected.faces.tobytes()
    assert near.distance.tobytes() == expected.distance.tobytes()
    own = ours.self_within(trees[0], 0.02, tasks=3).compute()
    assert own.faces.tobytes() == knot.self_within(0.02).faces.tobytes()
    alone = ours.self_intersections(trees[0]).compute()
    assert alone.tobytes() == knot.self_intersections().tobytes()


@pytest.mark.usefixtures("workers")
def test_what_is_far_apart_has_no_pairs(trees: tuple[Path, Path]) -> None:
    far = orbox.translation(1000, 0, 0)
    assert ours.overlapping_pairs(*trees, pose=far).compute().shape == (0, 2)
    assert ours.pairs_within(*trees, 1, pose=far).compute().faces.shape == (0, 2)


@pytest.mark.usefixtures("workers")
def test_an_error_of_a_task_is_that_of_the_graph(trees: tuple[Path, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.orboxd"
    copy.mkdir()
    for file in trees[0].iterdir():
        if file.name != "00000003.orbox":
            (copy / file.name).write_bytes(file.read_bytes())
    with pytest.raises(OSError, match="00000003.orbox"):
        ours.self_intersections(copy).compute()
