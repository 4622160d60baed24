# SPDX-License-Identifier: Apache-2.0

"""Files that are written whole or not at all, and pages."""

from __future__ import annotations

import html
import os
import tempfile

from ._inputs import Path


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    name = os.fspath(path)
    handle, draft = tempfile.mkstemp(dir=os.path.dirname(name) or ".", prefix=".orbox-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, 0o666 & ~mask)
        os.replace(draft, name)
    except BaseException:
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
