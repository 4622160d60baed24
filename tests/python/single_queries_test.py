# SPDX-License-Identifier: Apache-2.0

"""Single queries: read by the extension where arguments are plain, with the answers of batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import orbox
import pytest

P, Q = (0.25, 0.5, 3.0), (0.5, -0.25, -1.0)
TURN = orbox.rotation((1, 2, 3), 0.5)[:3, :3]

#: name -> (the query of a tree, its arguments); each takes options.
QUERIES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "closest": ("closest", (P,), {}),
    "closest, near": ("closest", (P,), {"max_distance": 2.5}),
    "closest, missed": ("closest", (P,), {"max_distance": 1}),
    "nearest": ("nearest", (P, 3), {}),
    "nearest, near": ("nearest", (P, 50), {"max_distance": 2.2}),
    "signed_distance": ("signed_distance", (Q,), {}),
    "signed_distance, missed": ("signed_distance", (P,), {"max_distance": 0.5}),
    "signed_closest": ("signed_closest", ((0.5, 0.25, 0.125),), {}),
    "signed_closest, missed": ("signed_closest", (P,), {"max_distance": 0.5}),
    "contains": ("contains", ((0.5, 0.25, 0.125),), {}),
    "contains not": ("contains", (P,), {}),
    "contains by winding": ("contains", (P,), {"method": "winding"}),
    "winding_number": ("winding_number", (P,), {}),
    "ray_first": ("ray_first", (P, (0.125, 0, -1)), {}),
    "ray_first, missed": ("ray_first", (P, (0.125, 0, -1)), {"max_t": 1}),
    "ray_any": ("ray_any", (P, (0.125, 0, -1)), {}),
    "ray_count": ("ray_count", (P, (0.125, 0, -1)), {}),
    "ray_all": ("ray_all", (P, (0.125, 0, -1)), {"max_t": 7}),
    "swept_ball": ("swept_ball", (P, Q, 0.25), {}),
    "swept_ball, missed": ("swept_ball", (P, (9, 9, 9), 0.25), {}),
    "swept_ball_any": ("swept_ball_any", (P, Q, 0.25), {}),
    "swept_ball_all": ("swept_ball_all", (P, Q, 0.25), {}),
    "in_ball": ("in_ball", (P, 2.25), {}),
    "in_ball_any": ("in_ball_any", (P, 2.25), {}),
    "in_ball_count": ("in_ball_count", (P, 2), {}),
    "in_box": ("in_box", (Q, (0.75, 1, 1)), {}),
    "in_box_any": ("in_box_any", (Q, (0.75, 1, 1)), {}),
    "in_box_count": ("in_box_count", (Q, (0.75, 1, 1)), {}),
    "in_obb": ("in_obb", ((0.5, 0.5, 1), TURN, (0.25, 0.5, 0.25)), {}),
    "in_obb_any": ("in_obb_any", (P, TURN.tolist(), (0.25, 0.5, 0.25)), {}),
    "in_obb_count": ("in_obb_count", ((0.5, 0.5, 1), TURN, (0.25, 0.5, 0.25)), {}),
    "in_frustum_any": ("in_frustum_any", ([(0, 0, 1, 0.5)],), {}),
}

#: Functions that return three numbers in other forms, plain and not plain.
FORMS: list[Callable[[Any], Any]] = [
    tuple,
    list,
    lambda p: np.array(p, np.float64),
    lambda p: np.array(p, np.float32),
    lambda p: np.array(p, ">f8"),
    lambda p: np.array([p, p], np.float64).T[:, 1],
    lambda p: np.array(p, np.float64).view(np.recarray),
    lambda p: [np.float64(x) for x in p],
    lambda p: np.frombuffer(np.array(p, np.float64).tobytes()),  # read-only
]


def _flat(found: Any) -> list[Any]:
    """All arrays and numbers of an answer."""
    if isinstance(found, orbox.Ragged):
        return [found.offsets, *_flat(found.values)]
    return list(found) if isinstance(found, tuple) else [found]


def _same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    for x, y in zip(_flat(a), _flat(b), strict=True):
        assert type(x) is type(y)
        assert np.asarray(x).dtype == np.asarray(y).dtype
        assert np.asarray(x).tobytes() == np.asarray(y).tobytes()


@pytest.mark.parametrize("name", QUERIES)
def test_forms_and_options_change_no_answer(box: orbox.Tree, name: str) -> None:
    query, arguments, options = QUERIES[name]
    call = getattr(box, query)
    expected = call(*arguments, threads=1, **options)  # with options, it is a batch of one
    _same(call(*arguments, **options), expected)
    for form in FORMS:
        made = [form(a) if isinstance(a, tuple) else a for a in arguments]
        _same(call(*made, **options), expected)


def test_single_answers_are_numbers_of_python(box: orbox.Tree) -> None:
    assert type(box.closest(P).distance) is float and type(box.closest(P).face) is int
    assert type(box.contains(P)) is bool and type(box.signed_distance(P)) is float
    assert type(box.winding_number(P)) is float
    assert type(box.ray_any(P, Q)) is bool and type(box.ray_count(P, Q)) is int
    assert type(box.in_ball_any(P, 1)) is bool and type(box.in_ball_count(P, 1)) is int
    assert box.ray_first(P, (0, 0, -1)).hit is True
    integers = box.closest((0, 0, 3))
    assert integers.distance == 2 and integers.point.shape == (3,)


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        ("closest", ((1, 2),)),
        ("closest", ((1, 2, float("nan")),)),
        ("closest", ((1, 2, 10**400),)),
        ("closest", ("abc",)),
        ("closest", ((1, 2, "3"),)),
        ("closest", ((1, 2, None),)),
        ("closest", (np.array([1, 2, np.inf]),)),
        ("closest", (np.array(5.0),)),
        ("closest", (np.zeros((3, 3, 3)),)),
        ("closest", (np.array([1j, 2, 3]),)),
        ("closest", (np.array([1, 2, 3], "M8[s]"),)),
        ("nearest", (P, -1)),
        ("nearest", (P, 1.5)),
        ("nearest", (P, 2**40)),
        ("contains", ((1, 2, float("inf")),)),
        ("ray_first", (P, (0, 0, 0))),
        ("ray_first", (P, [(0, 0, 1), (0, 0)])),
        ("ray_any", ((1, 2, float("nan")), P)),
        ("swept_ball", (P, Q, -1)),
        ("in_ball", (P, -1.0)),
        ("in_ball", (P, float("nan"))),
        ("in_ball", (P, float("inf"))),
        ("in_ball", (P, [1, 2])),
        ("in_box", (P, Q)),
        ("in_obb", (P, 2 * TURN, Q)),
        ("in_obb", (P, TURN, (1, 1, -1))),
    ],
)
def test_wrong_arguments_are_told_as_by_batches(
    box: orbox.Tree, query: str, arguments: tuple[Any, ...]
) -> None:
    told = []
    for options in ({}, {"threads": 1}):
        try:
            found = getattr(box, query)(*arguments, **options)
        except (ValueError, TypeError) as error:
            told.append((type(error), str(error)))
        else:
            told.append((None, str(found)))
    assert told[0] == told[1]
    if query != "in_ball" or arguments[1] != [1, 2]:  # one centre for both radii is right
        assert told[0][0] is not None


@pytest.mark.parametrize("limit", [-1, float("nan"), "x", None])
def test_wrong_limits(box: orbox.Tree, limit: Any) -> None:
    for call in (
        lambda **o: box.closest(P, max_distance=limit, **o),
        lambda **o: box.signed_distance(P, max_distance=limit, **o),
        lambda **o: box.nearest(P, 1, max_distance=limit, **o),
        lambda **o: box.ray_first(P, Q, max_t=limit, **o),
    ):
        said = []
        for options in ({}, {"threads": 1}):
            with pytest.raises((ValueError, TypeError)) as error:
                call(**options)
            said.append(str(error.value))
        assert said[0] == said[1] and "max_" in said[0]


def test_distances_that_miss(box: orbox.Tree) -> None:
    gap = box.distance(box.at(orbox.translation(9, 0, 0)), max_distance=1)
    assert gap.distance == np.inf and gap.faces == (-1, -1)
    assert np.isnan(gap.point_a).all() and np.isnan(gap.point_b).all()
