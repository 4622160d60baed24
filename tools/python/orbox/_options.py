# SPDX-License-Identifier: Apache-2.0

"""Options of every query, declared, checked and passed once."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, TypedDict, TypeVar, Union

from ._core import Statistics
from ._inputs import count_of

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack

#: Values of ``progress=``: True for a line on standard error, a bar of tqdm,
#: or a function that is called with the share that is done, 0 to 1.
Progress = Union[bool, Callable[[float], object], Any, None]


class QueryOptions(TypedDict, total=False):
    """Options of every query.

    threads: the largest number of threads. 0 is one per core, 1 the calling thread;
        None chooses by the amount of work. Results do not depend on it.
    progress: True for a line on standard error, a bar of tqdm, or a function
        that is called with the share that is done, 0 to 1.
    statistics: counts of what the query costs are added to it.

    >>> import orbox
    >>> ball = orbox.Tree(orbox.generate("sphere", 1000))
    >>> cost = orbox.Statistics()
    >>> near = ball.closest([[0, 0, 3]], threads=1, statistics=cost)
    >>> cost.triangle_tests > 0
    True
    """

    threads: Optional[int]
    progress: Progress
    statistics: Optional[Statistics]


#: The options in the form that the extension takes.
RunOptions = tuple[int, object, Optional[Statistics]]

_NAMES = frozenset(QueryOptions.__annotations__)
#: From this many queries of a point, or as much work, starting threads pays.
_MANY = 4096
#: A query of n faces is as much work as this fraction of n points.
PER_FACE = 0.2
#: For queries for which starting threads always pays.
MUCH = _MANY

_Function = TypeVar("_Function", bound=Callable[..., Any])


def run_options(options: QueryOptions, work: float) -> RunOptions:
    """The options in the extension's form; ``work`` is in queries of a point."""
    if not options:
        return 0 if work >= _MANY else 1, None, None
    for name in options:
        if name not in _NAMES:
            raise TypeError(
                f"{name}: there is no such argument; queries take threads, progress and statistics"
            )
    threads = options.get("threads")
    statistics = options.get("statistics")
    if statistics is not None and not isinstance(statistics, Statistics):
        raise TypeError(f"statistics: has to be orbox.Statistics(), and is {statistics!r}")
    if threads is None:
        threads = 0 if work >= _MANY else 1
    else:
        threads = min(count_of(threads, "threads"), 1024)
    return threads, progress_of(options.get("progress")), statistics


def query(function: _Function) -> _Function:
    """Makes help() and completion show the options by name, and adds a reference to their docs."""
    signature = inspect.signature(function)
    *parameters, options = signature.parameters.values()
    kind = str(options.annotation).removeprefix("Unpack[").removesuffix("]")
    parameters += [
        inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=a)
        for n, a in function.__globals__[kind].__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    doc = inspect.cleandoc(function.__doc__ or "")
    before, example, after = doc.partition("\n\n>>>")
    function.__doc__ = f"{before}\n\nOptions: those of ``orbox.{kind}``.{example}{after}\n"
    return function


def is_query(thing: object) -> bool:
    """True for a function that ``query`` has marked."""
    return hasattr(thing, "__signature__") and inspect.isfunction(thing)


def progress_of(progress: Progress) -> Callable[[float], object] | None:
    """Function that the extension calls with the fraction that is done."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _line_of_progress
    update = getattr(progress, "update", None)
    if callable(update):
        total = getattr(progress, "total", None) or 1.0

        def advance(share: float) -> None:
            update(share * total - getattr(progress, "n", 0))

        return advance
    if callable(progress):
        return progress
    raise TypeError(
        f"progress: has to be True, a function of the share that is done, or a "
        f"bar with update(), and is {progress!r}"
    )


def _line_of_progress(share: float) -> None:
    end = "\n" if share >= 1 else ""
    sys.stderr.write(f"\r{100 * share:5.1f} %{end}")
    sys.stderr.flush()
