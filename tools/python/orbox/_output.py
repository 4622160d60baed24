# SPDX-License-Identifier: Apache-2.0

"""Files that are written whole or not at all, and pages."""

from __future__ import annotations

import errno
import html
import os
import stat
import uuid

from ._inputs import Path


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), os.fspath(path))


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all.

    It follows links and keeps the permissions of a file that it replaces; a
    device or a pipe is written in place. An OSError names ``path``.
    """
    try:
        _write(os.path.realpath(path), data)
    except OSError as error:
        raise _error(error.errno or errno.EIO, path) from None


def _write(target: str, data: bytes) -> None:
    known = os.stat(target) if os.path.exists(target) else None
    if known is not None and not stat.S_ISREG(known.st_mode):
        with open(target, "wb") as file:
            file.write(data)
        return
    draft = f"{target}.{uuid.uuid4().hex}.tmp"
    try:
        with open(draft, "xb") as file:
            if known is not None:
                os.chmod(draft, stat.S_IMODE(known.st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


class Page:
    """A finished page of HTML that loads nothing; a notebook shows it.

    ``html`` is the bytes of the file.
    """

    __slots__ = ("html",)

    html: bytes

    def __init__(self, data: bytes) -> None:
        self.html = data

    def save(self, path: Path) -> None:
        """Writes the page to a file, whole or not at all."""
        write_whole(path, self.html)

    def _repr_html_(self) -> str:
        # In a frame of its own, whose style leaves the notebook alone.
        page = html.escape(self.html.decode())
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"Page({len(self.html):,} bytes)"
