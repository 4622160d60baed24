# SPDX-License-Identifier: Apache-2.0

"""Files that are written whole or not at all."""

from __future__ import annotations

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
