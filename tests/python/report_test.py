# SPDX-License-Identifier: Apache-2.0

"""The page and the issues of a scene's clashes."""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ElementTree
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orbox
import pytest

GUIDS = ["2O2Fr$t4X7Zf8NOew3FLOH", "1hqIFTRjfV6AWq_bMtnZwI"]


@pytest.fixture
def scene(box: orbox.Tree) -> orbox.Scene:
    made = orbox.Scene()
    for i, (name, x) in enumerate((("wall", 0), ("pipe", 0.5), ("far", 1.75))):
        known = {"guid": GUIDS[i]} if i < 2 else {}
        made.add(name, box, orbox.translation(x, 0, 0), properties={"storey": "1", **known})
    made.add("free", box, orbox.translation(90, 0, 0))
    return made


def framed(html: str) -> str | None:
    """The page in the frame that a notebook shows."""
    pages: list[str | None] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag == "iframe"
            pages.append(dict(attrs)["srcdoc"])

    Reader().feed(html)
    assert len(pages) == 1
    return pages[0]


def test_page_and_issues(scene: orbox.Scene, tmp_path: Path) -> None:
    page, issues = tmp_path / "page.html", tmp_path / "issues.bcf"
    shares: list[float] = []
    found = scene.report(
        page,
        bcf=issues,
        title="A <house>",
        unit="m",
        id="guid",
        group_by=["storey"],
        tolerance=0.01,
        clearance=0.5,
        progress=shares.append,
    )
    assert [(c.a, c.b, c.clash.kind) for c in found] == [
        ("wall", "pipe", "clash"),
        ("pipe", "far", "clearance"),
    ]
    assert shares[-1] == 1
    text = page.read_text(encoding="utf-8")
    ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    assert "A &lt;house&gt;" in text and "wall" in text and "data:image/png" in text
    with zipfile.ZipFile(issues) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        markups = [archive.read(n).decode() for n in names if n.endswith("markup.bcf")]
        views = [archive.read(n).decode() for n in names if n.endswith(".bcfv")]
    assert len(markups) == len(views) == 2
    assert sum("clash: wall and pipe" in m for m in markups) == 1
    assert any(all(guid in v for guid in GUIDS) for v in views)
    assert sum(n.endswith(".png") for n in names) == 2


def test_decisions_are_read_back(scene: orbox.Scene, tmp_path: Path) -> None:
    namespace = uuid.UUID("6f0d2b1e-6d0f-4c53-9a35-7c1c0f1f0b9d")
    wall_and_pipe = uuid.uuid5(namespace, "pipe\nwall")
    table = tmp_path / "review.csv"
    table.write_text(f"id,status,comment\n{wall_and_pipe},Approved,as planned\n")
    issues = tmp_path / "issues.bcf"

    def markups(**options: Any) -> list[str]:
        scene.report(bcf=issues, clearance=0.5, unit="m", pictures=0, **options)
        with zipfile.ZipFile(issues) as archive:
            return [
                archive.read(n).decode() for n in archive.namelist() if n.endswith("markup.bcf")
            ]

    first, second = markups(review=[table])
    assert 'TopicStatus="Approved"' in first and "<Comment>as planned</Comment>" in first
    assert 'TopicStatus="Open"' in second
    # Both clashes are those of the pipe. Not all are approved.
    (together,) = markups(review=[table], issues="element", bcf_version="3.0")
    assert 'TopicStatus="Open"' in together and "as planned" in together
    with pytest.raises(ValueError, match="has no column id"):
        table.write_text("a,b\n")
        markups(review=[table])


def test_the_same_ids_from_run_to_run(
    scene: orbox.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    first, again = tmp_path / "1.bcf", tmp_path / "2.bcf"
    scene.report(bcf=first, pictures=0)
    scene.report(bcf=again, pictures=0)
    assert first.read_bytes() == again.read_bytes()
    scene.ignore([("wall", "pipe")])
    assert scene.report(bcf=again) == []
    with pytest.raises(OSError):
        scene.report(tmp_path / "no_folder" / "page.html")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1.bcf", "2.bcf"]


def test_a_notebook_shows_the_page(scene: orbox.Scene, tmp_path: Path) -> None:
    report = scene.report(title="A <house>", tolerance=0.01)
    assert [(c.a, c.b) for c in report] == [("wall", "pipe")]
    assert report.page is not None and b"A &lt;house&gt;" in report.page.html
    assert framed(report._repr_html_() or "") == report.page.html.decode()
    assert scene.report(bcf=tmp_path / "issues.bcf", pictures=0)._repr_html_() is None


def test_reports_on_two_meshes(box: orbox.Tree, tmp_path: Path) -> None:
    cost = orbox.Statistics()
    shares: list[float] = []
    apart = box.at(orbox.translation(1.5, 0, 0))
    clearance = box.clearance_report(
        apart, within=0.75, title="A (a < b)", unit="mm", statistics=cost, progress=shares.append
    )
    text = clearance.html.decode()
    page = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>\n"))
    said = "".join(page.itertext())
    assert "A (a < b)" in said and "do not meet" in said and "0.5 mm" in said
    assert text.count("data:image/png") > 0 and cost.triangle_tests > 0 and shares[-1] == 1
    assert clearance.html == box.clearance_report(
        apart, within=0.75, title="A (a < b)", unit="mm", threads=1
    ).html
    inside = box.at(orbox.translation(0.25, 0.25, 0.25) @ orbox.scaling(0.5))
    assert b"A is inside B" in inside.clearance_report(box).html
    assert b"B is inside A" in box.clearance_report(inside).html

    deviation = box.at(orbox.translation(0, 0, 0.125)).deviation_report(box, tolerance=1e-9)
    assert "0.125" in deviation.html.decode()
    # The other mesh may be moved as well: both move alike.
    moved = orbox.translation(8, 0, 0)
    same = box.at(moved @ orbox.translation(0, 0, 0.125)).deviation_report(
        box.at(moved), tolerance=1e-9
    )
    assert "0.125" in same.html.decode()
    deviation.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == deviation.html
    assert framed(deviation._repr_html_()) == deviation.html.decode()
    with pytest.raises(ValueError, match="within: is -1"):
        box.clearance_report(apart, within=-1)


def test_options_are_those_of_the_command(scene: orbox.Scene, tmp_path: Path) -> None:
    def pairs(**options: object) -> list[tuple[object, object, str]]:
        found = scene.report(tmp_path / "page.html", **options)  # type: ignore[arg-type]
        return [(c.a, c.b, c.clash.kind) for c in found]

    assert pairs(clearance=0.5, between=[("f*", "*")]) == [("pipe", "far", "clearance")]
    assert pairs(ignore=["guid=2O2*"]) == [] == pairs(ignore=["same:storey"])
    assert pairs(min_thickness=0.6) == []
    rules = tmp_path / "rules.json"
    rules.write_text('{"rules": [{"a": "far", "clearance": 0.5}, {"tolerance": 0.6}]}')
    assert pairs(rules=rules) == [("pipe", "far", "clearance"), ("wall", "pipe", "touch")]
    accepted = tmp_path / "accepted.csv"
    accepted.write_text("pipe,wall\n")
    assert pairs(accepted=accepted) == []
    scene.regroup("wall", "one")
    scene.regroup("pipe", "one")
    assert pairs() == []
    with pytest.raises(ValueError, match="--tolerance"):
        pairs(tolerance=-1)
    with pytest.raises(ValueError, match="no body has the property 'store'"):
        pairs(group_by=["store"])
    with pytest.raises(OSError, match="none.json"):
        pairs(rules=tmp_path / "none.json")
    with pytest.raises(TypeError, match="toleranz"):
        pairs(toleranz=1)


def test_a_report_can_be_cancelled(scene: orbox.Scene) -> None:
    class Stop(Exception):
        pass

    def stop(share: float) -> None:
        raise Stop

    with pytest.raises(Stop):
        scene.report(progress=stop)
