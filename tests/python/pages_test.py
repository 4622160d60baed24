# SPDX-License-Identifier: Apache-2.0

"""The Python code of the README and of the guide's page runs unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("page", "blocks"), [("README.md", 1), ("tools/docs/python.md", 4)])
def test_its_python_runs(page: str, blocks: int, capsys: pytest.CaptureFixture) -> None:
    if not (ROOT / page).exists():
        pytest.skip("the tests are not in the source tree")
    found = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == blocks
    names: dict[str, object] = {}
    for block in found:
        exec(compile(block, page, "exec"), names)
    said = capsys.readouterr().out
    assert (
        ("apart, at faces" in said and said.startswith("0.01"))
        if page == "README.md"
        else ("('knot 1', 'knot 2')" in said)
    )
