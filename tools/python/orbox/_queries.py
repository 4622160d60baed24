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


class Kind:
    """A query of the extension, and what makes its arguments right.

    Args:
        name: of the function for batches; that for single queries ends in _one.
        rows: makes rows of the query's parts, and tells if there is just one.
        limits: functions for the arguments that follow.
        has_lists: results are lists, also that of a single query.
    """

    __slots__ = ("_has_lists", "_limits", "_many", "_one", "_rows")

    def __init__(
        self,
        name: str,
        rows: Callable[..., tuple[Floats, bool]],
        limits: tuple[Callable[[Any], Any], ...] = (),
        has_lists: bool = False,
    ) -> None:
        self._many: Callable[..., Any] = getattr(core, name)
        self._one: Callable[..., Any] | None = getattr(core, name + "_one", None)
        self._rows = rows
        self._limits = limits
        self._has_lists = has_lists

    def call(
        self, target: Any, parts: tuple[Any, ...], options: QueryOptions, *limits: Any
    ) -> Any:
        """The extension's result: for a single query a row, unless it is a list."""
        if not options and self._one is not None:
            found = self._one(target, parts, *limits)
            if found is not None:
                return found
        queries, single = self._rows(*parts)
        values = [right(value) for right, value in zip(self._limits, limits)]
        run = run_options(options, len(queries))
        found = self._many(target, queries, *values, run)
        return only(found) if single and not self._has_lists else found


def max_distance_of(value: float) -> float:
    return distance_of(value, "max_distance")


def max_t_of(value: float) -> float:
    return distance_of(value, "max_t")


def max_error_of(value: float) -> float:
    return distance_of(value, "max_error")


def k_of(value: int) -> int:
    return count_of(value, "k")
