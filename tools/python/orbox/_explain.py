# SPDX-License-Identifier: Apache-2.0

"""Measured cost of a query with each kind of tree: which one to build."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._core import Statistics

if TYPE_CHECKING:
    from ._tree import Storage, Tree, Volumes

#: The trees to compare: volumes and storage.
_TREES: list[tuple[Volumes, Storage]] = [
    ("mixed", "wide"),
    ("sphere", "wide"),
    ("aabb", "wide"),
    ("obb", "wide"),
    ("mixed", "compact"),
]
_RUNS = 3


class ExplanationRow(NamedTuple):
    """A kind of tree: its memory and build time, and the cost of the query with it.

    ``seconds`` is the shortest of several runs, on this machine; counts are
    those of one run, and the same everywhere.
    """

    volumes: str
    storage: str
    nbytes: int
    build_seconds: float
    seconds: float
    nodes_visited: int
    volume_tests: int
    leaves_visited: int
    triangle_tests: int
    settled_exactly: int


class Explanation:
    """Cost of a query with each kind of tree. A notebook shows a table.

    Made by ``tree.explain``.
    """

    __slots__ = ("question", "rows")

    question: str
    rows: list[ExplanationRow]

    def __init__(self, question: str, rows: list[ExplanationRow]) -> None:
        self.question = question
        self.rows = rows

    @property
    def fastest(self) -> ExplanationRow:
        """The kind with which the query took the least time on this machine."""
        return min(self.rows, key=lambda row: row.seconds)

    def _table(self) -> list[list[str]]:
        heads = ["volumes", "storage", "memory", "build", "time", "nodes", "volume tests"]
        heads += ["leaves", "triangle tests", "settled exactly"]
        return [heads] + [
            [
                row.volumes,
                row.storage,
                f"{row.nbytes / 1e6:.1f} MB",
                f"{1e3 * row.build_seconds:.1f} ms",
                f"{1e3 * row.seconds:.3f} ms",
                *(f"{count:,}" for count in row[5:]),
            ]
            for row in self.rows
        ]

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
        lines = ["  ".join(c.rjust(w) for c, w in zip(row, widths)) for row in table]
        return "\n".join([f"{self.question}:", *lines])

    def _repr_html_(self) -> str:
        head, *body = self._table()
        fastest = self.rows.index(self.fastest)

        def row(cells: list[str], tag: str, bold: bool) -> str:
            weight = ' style="font-weight: bold"' if bold else ""
            return f"<tr{weight}>" + "".join(f"<{tag}>{c}</{tag}>" for c in cells) + "</tr>"

        rows = [row(cells, "td", i == fastest) for i, cells in enumerate(body)]
        return (
            f"<table><caption>{self.question}: the fastest in bold</caption>"
            f"<thead>{row(head, 'th', False)}</thead><tbody>{''.join(rows)}</tbody></table>"
        )


def explain(
    tree: Tree, question: str, call: Callable[[Tree, Statistics | None], Any]
) -> Explanation:
    """Runs the query with every kind of tree over the mesh, and compares."""
    from ._tree import Tree as Built

    rows = []
    for volumes, storage in _TREES:
        begin = time.perf_counter()
        built = Built(tree.mesh, volumes=volumes, storage=storage)
        build_seconds = time.perf_counter() - begin
        cost = Statistics()
        call(built, cost)
        seconds = []
        for _ in range(_RUNS):
            begin = time.perf_counter()
            call(built, None)
            seconds.append(time.perf_counter() - begin)
        rows.append(
            ExplanationRow(
                volumes,
                storage,
                built.nbytes,
                build_seconds,
                min(seconds),
                cost.nodes_visited,
                cost.volume_tests,
                cost.leaves_visited,
                cost.triangle_tests,
                cost.settled_by_expansion + cost.settled_by_exact,
            )
        )
    return Explanation(question, rows)
