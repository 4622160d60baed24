# SPDX-License-Identifier: Apache-2.0

"""Kinds of trees compared by a query."""

from __future__ import annotations

import numpy as np
import orbox
import pytest


def test_counts_are_those_of_the_question(knot: orbox.Tree) -> None:
    points = np.array([[0.1, 0.2, 0.3], [2, 3, 4]])
    told = knot.explain("closest", points, threads=1)
    cost = orbox.Statistics()
    knot.closest(points, threads=1, statistics=cost)
    first = told.rows[0]
    assert (first.volumes, first.storage) == ("mixed", "wide")
    assert (first.nodes_visited, first.triangle_tests) == (cost.nodes_visited, cost.triangle_tests)
    assert first.nbytes == knot.nbytes and told.rows[-1].nbytes < first.nbytes
    assert told.fastest in told.rows and all(row.seconds > 0 for row in told.rows)


def test_it_shows_a_table(box: orbox.Tree) -> None:
    told = box.explain("in_ball", (0, 0, 0), 1.0)
    assert len(repr(told).splitlines()) == 2 + len(told.rows)
    html = told._repr_html_()
    assert html.count("<tr") == 1 + len(told.rows) and "bold" in html


@pytest.mark.parametrize("question", ["closets", "_with", "mesh", "save"])
def test_only_queries_are_questions(box: orbox.Tree, question: str) -> None:
    with pytest.raises(ValueError, match="question"):
        box.explain(question)
