# SPDX-License-Identifier: Apache-2.0

"""Calls the extension's queries of one mesh, for single queries and for batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _core as core
from ._inputs import Floats, count_of, distance_of
from ._options import run_options
from ._results import only

if TYPE_CHECKING:
    from ._options import QueryOptions


def query_of(
    name: str,
    rows: Callable[..., tuple[Floats, bool]],
    limits: tuple[Callable[[Any], Any], ...] = (),
    has_lists: bool = False,
    in_rows: tuple[str, ...] = (),
) -> Callable[..., Any]:
    """A function ``(target, parts, options, values)`` that calls a query of the extension.

    It returns the extension's result: for a single query a row, unless it is a list.

    Args:
        name: of the function for batches; that for single queries ends in _one.
        rows: makes rows of the query's parts, and tells if there is just one.
        limits: functions that check the values.
        has_lists: results are lists, also that of a single query.
        in_rows: names of values that are arguments of ``rows``, not of the batch.
    """
    many: Callable[..., Any] = getattr(core, name)
    one: Callable[..., Any] | None = getattr(core, name + "_one", None)

    def call(
        target: Any, parts: tuple[Any, ...], options: QueryOptions, values: tuple[Any, ...] = ()
    ) -> Any:
        if not options and one is not None:
            found = one(target, parts, values)
            if found is not None:
                return found
        queries, single = rows(*parts, **dict(zip(in_rows, values)))
        checked = [check(value) for check, value in zip(limits, values)]
        found = many(target, queries, *checked, run_options(options, len(queries)))
        return only(found) if single and not has_lists else found

    return call


def max_distance_of(value: float) -> float:
    return distance_of(value, "max_distance")


def max_error_of(value: float) -> float:
    return distance_of(value, "max_error")


def k_of(value: int) -> int:
    return count_of(value, "k")
