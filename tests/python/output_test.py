# SPDX-License-Identifier: Apache-2.0

"""Files that Python writes: whole or not at all, and none over another."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import orbox
import pytest
from orbox._output import write_whole


@pytest.fixture
def scene(box: orbox.Tree) -> orbox.Scene:
    made = orbox.Scene()
    made.add("wall", box)
    made.add("pipe", box, orbox.translation(0.5, 0, 0))
    return made


def test_a_report_writes_two_files(scene: orbox.Scene, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    for other in (out, tmp_path / "link", os.path.join(tmp_path, ".", "out")):
        with pytest.raises(ValueError, match="are one file; write to two"):
            scene.report(out, bcf=other)
    assert not out.exists()
    scene.report(tmp_path / "page.html", bcf=tmp_path / "issues.bcf")
    assert len(os.listdir(tmp_path)) == 3


def test_a_report_needs_its_folders(scene: orbox.Scene, tmp_path: Path) -> None:
    lost = tmp_path / "none" / "page.html"
    with pytest.raises(OSError, match=f"cannot write {lost}: No such file"):
        scene.report(lost)
    with pytest.raises(OSError, match=f"cannot write {tmp_path}: Is a directory"):
        scene.report(bcf=tmp_path)


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    write_whole(file, b"1")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~mask
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b"2")
    assert link.is_symlink() and file.read_bytes() == b"2"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640

    def fails(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="No space left") as raised:
        write_whole(file, b"3")
    assert raised.value.filename == str(file)
    assert file.read_bytes() == b"2" and sorted(os.listdir(tmp_path)) == ["file", "link"]


def test_special_files_are_written_in_place(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"whole")
    assert os.read(reader, 99) == b"whole"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_meshes_trees_bodies_and_pictures_keep_what_was_there(
    box: orbox.Tree, tmp_path: Path
) -> None:
    body = orbox.Body("box", box.mesh, orbox.translation(0, 0, 0), {})
    writers = {
        "mesh.ply": box.mesh.save,
        "tree.orbox": box.save,
        "bodies.glb": lambda path: orbox.write_bodies([body], path),
        "picture.png": orbox.picture(box).save,
        "page.html": box.clearance_report(box).save,
    }
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, write in writers.items():
        write(folder / name)
        whole = (folder / name).read_bytes()
        (tmp_path / name).symlink_to(folder / name)
        (folder / name).write_bytes(b"old")
        write(tmp_path / name)  # through the link
        assert (tmp_path / name).is_symlink() and (folder / name).read_bytes() == whole
        with pytest.raises(OSError, match="No such file"):
            write(tmp_path / "none" / name)
    assert sorted(os.listdir(folder)) == sorted(writers)
