# SPDX-License-Identifier: Apache-2.0

"""Clashes of solids, what they share, and places where surfaces are near."""

from __future__ import annotations

import numpy as np
import orbox
import pytest


def test_kinds_of_boxes(box: orbox.Tree) -> None:
    def at(x: float, scale: float = 1) -> orbox.PosedTree:
        posed = box.at(orbox.translation(x, 0, 0) @ orbox.scaling(scale))
        assert isinstance(posed, orbox.PosedTree)
        return posed

    inner = box.at(orbox.translation(0.25, 0.25, 0.25) @ orbox.scaling(0.5))
    assert box.clash(at(5)).kind == "apart"
    assert box.clash(at(1.25), clearance=0.5).kind == "clearance"
    assert box.clash(at(1)).kind == "touch"
    assert box.clash(at(0.5)).kind == "clash"
    assert box.clash(at(0)).kind == "duplicate"
    assert box.clash(inner).kind == "second inside"
    assert inner.clash(box).kind == "first inside"
    assert box.clash(at(0.999), tolerance=0.01).kind == "touch"
    assert box.clash(at(0.5)).is_clash and not box.clash(at(1)).is_clash


def test_exact_kinds_need_no_tolerance(box: orbox.Tree) -> None:
    beside = box.at(orbox.translation(1, 0, 0))
    least = box.at(orbox.translation(1 - 2**-53, 0, 0))
    assert box.clash(beside, exact=True).kind == "touch"
    assert box.clash(least, exact=True).kind == "clash"
    assert box.clash(least).kind == "touch"  # what rounding leaves
    assert box.clash(box.at(orbox.translation(1 + 2**-52, 0, 0)), exact=True).kind == "apart"
    scene = orbox.Scene()
    for name, x in (("a", 0.0), ("b", 1.0), ("c", 2 - 2**-52)):
        scene.add(name, box, orbox.translation(x, 0, 0))
    kinds = {(c.a, c.b): c.clash.kind for c in scene.clashes(exact=True)}
    assert kinds == {("a", "b"): "touch", ("b", "c"): "clash"}
    with pytest.raises(ValueError, match="exact"):
        box.clash(least, exact=True, tolerance=0.1)


def test_the_rule_of_inside_decides(box: orbox.Tree) -> None:
    two = orbox.Tree(
        (
            np.concatenate([box.mesh.vertices * 4, box.mesh.vertices * 4 + 1]),
            np.concatenate([box.mesh.faces, box.mesh.faces + len(box.mesh.vertices)]),
        )
    )
    probe = box.at(orbox.translation(2, 2, 2))
    assert two.clash(probe).kind == "second inside"
    assert two.clash(probe, inside="parity").kind == "apart"
    assert two.interiors_overlap(probe)
    assert not two.interiors_overlap(probe, inside="parity")
    assert two.is_shared_thicker(probe, 0.5)
    assert not two.is_shared_thicker(probe, 0.5, inside="parity")
    assert two.shared_volume(probe).lower > 0.9
    assert two.shared_volume(probe, inside="parity").upper < 1e-9
    assert two.shared_thickness(probe).thickness.lower > 0.9
    assert two.shared_thickness(probe, inside="parity").thickness.upper < 1e-4
    way = probe.penetration(two, inside="parity")
    assert way is not None and way.upper == 0
    scene = orbox.Scene()
    scene.add("two", two)
    scene.add("probe", box, orbox.translation(2, 2, 2))
    assert [c.clash.kind for c in scene.clashes()] == ["second inside"]
    assert scene.clashes(inside="parity") == []
    with pytest.raises(ValueError, match="inside"):
        two.clash(probe, inside="odd")  # type: ignore[typeddict-item]


def test_what_is_not_judged_is_said(box: orbox.Tree) -> None:
    mesh = box.mesh
    scene = orbox.Scene()
    scene.add("box", box)
    assert scene.not_judged() == ([], [], [])
    scene.add("lid", orbox.Mesh(mesh.vertices, mesh.faces[:4]))
    turned = mesh.faces.copy()
    turned[0] = turned[0][::-1]
    scene.add("turned", orbox.Mesh(mesh.vertices, turned))
    scene.leave_out("door")
    assert scene.not_judged() == (["lid"], ["turned"], ["door"])
    report = scene.report()
    assert report.page is not None
    page = report.page.html.decode()
    assert "3 elements" in page and "1 element of the files has no body" in page


def test_holes_are_closed_to_judge(box: orbox.Tree) -> None:
    mesh = box.mesh
    wall = orbox.Tree(orbox.Mesh(mesh.vertices * 5 - 2, mesh.faces[1:]))
    assert wall.clash(box).kind == "apart"
    assert wall.clash(box, close_holes=17).closed_holes == (0, 0)
    found = wall.clash(box, close_holes=18)
    assert (found.kind, found.closed_holes) == ("second inside", (1, 0))
    assert box.clash(wall, close_holes=18).closed_holes == (0, 1)
    scene = orbox.Scene()
    scene.add("wall", wall)
    scene.add("pipe", box)
    assert scene.clashes() == [] and scene.not_judged().open == ["wall"]
    assert scene.not_judged(close_holes=17).open == ["wall"] and scene.closed_holes(17) == {}
    assert scene.not_judged(close_holes=18) == ([], [], [])
    assert scene.closed_holes(18) == {"wall": 1}
    assert [c.clash.kind for c in scene.clashes(close_holes=18)] == ["second inside"]
    page = scene.report(close_holes=18).page
    assert page is not None
    assert "1 hole of 1 body is closed to judge what is inside" in page.html.decode()
    with pytest.raises(ValueError, match="close_holes"):
        wall.clash(box, close_holes=-1)


def test_depths_are_those_of_penetrations(box: orbox.Tree) -> None:
    other = box.at(orbox.translation(0.75, 0.5, 0))
    assert box.clash(other).depth is None
    found = box.clash(other, depth=True).depth
    alone = box.penetration(other)
    assert found is not None and alone is not None
    assert (found.lower, found.upper, found.faces) == (alone.lower, alone.upper, alone.faces)
    assert np.array_equal(found.translation, alone.translation)
    assert found.lower <= 0.25 <= found.upper
    scene = orbox.Scene()
    for name, x in (("a", 0.0), ("b", 0.5), ("c", 1.5)):
        scene.add(name, box, orbox.translation(x, 0, 0))
    depths = {(c.a, c.b): c.clash.depth for c in scene.clashes(depth=True)}
    deep = depths["a", "b"]
    assert deep is not None and deep.lower <= 0.5 <= deep.upper
    assert depths["b", "c"] is None  # they touch


def test_what_is_measured(box: orbox.Tree) -> None:
    other = box.at(orbox.translation(0.75, 0.5, 0))
    bare = box.clash(other)
    assert bare.volume is None and bare.gap is None
    found = box.clash(other, thickness=True, volume=True, gap=True, error=1e-3)
    assert found.volume is not None and found.gap is not None
    assert found.thickness.lower <= 0.25 <= found.thickness.upper
    assert found.volume.lower <= 0.125 <= found.volume.upper
    assert found.gap.distance == 0
    inside = (found.center > [0.75, 0.5, 0]).all() and (found.center < 1).all()
    assert inside
    assert box.shared_volume(other, error=1e-3) == found.volume
    assert box.shared_thickness(other, error=1e-3).thickness.upper <= found.thickness.upper * 1.01
    assert box.is_shared_thicker(other, 0.2) and not box.is_shared_thicker(other, 0.3)
    near = box.clash(box.at(orbox.translation(1.5, 0, 0)), clearance=1)
    assert near.gap is not None and near.gap.distance == 0.5


def test_bad_settings_are_refused(box: orbox.Tree) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        box.clash(box, tolerance=-1)
    with pytest.raises(ValueError, match="error"):
        box.shared_volume(box, error=np.nan)
    with pytest.raises(TypeError, match="tolerence"):
        box.clash(box, tolerence=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="statistics"):
        box.clash(box, statistics=1)  # type: ignore[arg-type]


def test_clashes_of_a_scene(box: orbox.Tree, rng: np.random.Generator) -> None:
    scene = orbox.Scene()
    for i in range(12):
        scene.add(i, box, orbox.translation(*rng.uniform(0, 3, 3)))
    scene.ignore([(0, 1)])
    found = scene.clashes(clearance=0.2, thickness=True)
    assert {c.clash.kind for c in found} == {"clash", "clearance"}
    for c in found:
        alone = scene.body(c.a).clash(scene.body(c.b), clearance=0.2, thickness=True)
        assert alone.kind == c.clash.kind and alone.thickness == c.clash.thickness
    named = {(c.a, c.b) for c in found}
    assert named == {(g.a, g.b) for g in scene.within(0.2)} and (0, 1) not in named


def test_places_are_the_pairs_put_together(box: orbox.Tree, knot: orbox.Tree) -> None:
    corners = [(x, y) for x in (0, 5) for y in (0, 5)]
    legs = orbox.Mesh(
        np.vstack([box.mesh.vertices + [x, y, 0.01] for x, y in corners]),
        np.vstack([box.mesh.faces + 8 * i for i in range(4)]),
    )
    plate = orbox.Tree(([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]]))
    places = orbox.Tree(legs).places_within(plate, 0.02)
    assert places.distance.tolist() == [0.01] * 4
    assert sorted(map(tuple, places.lo[:, :2].round().tolist())) == corners
    pairs = orbox.Tree(legs).pairs_within(plate, 0.02)
    assert places.pair_count.sum() == len(pairs.faces)
    poses = np.stack([orbox.translation(0, 0, z) for z in (0, 0.005, 1)])
    lists = orbox.Tree(legs).at(poses).places_within(plate, 0.02)
    assert lists.counts.tolist() == [4, 4, 0]
    assert np.array_equal(lists[0].point_b, places.point_b)
