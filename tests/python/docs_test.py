# SPDX-License-Identifier: Apache-2.0

"""The examples of all docstrings, and that nothing public lacks a docstring."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import orbox
import pytest

OPTIONAL = {
    "orbox.trimesh",
    "orbox._trimesh_collision",
    "orbox.ifc",
    "orbox._ifc_map",
    "orbox.dask",
}
MODULES = ["orbox"] + [
    m.name
    for m in pkgutil.iter_modules(orbox.__path__, "orbox.")
    if m.name not in OPTIONAL and not m.name.endswith("._core")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(module, optionflags=flags)
    assert failed == 0


@pytest.mark.parametrize("name", orbox.__all__)
def test_everything_public_is_documented(name: str) -> None:
    thing = getattr(orbox, name)
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return
    assert inspect.getdoc(thing), name
    if inspect.isclass(thing) and thing.__module__.startswith("orbox._") and name != "Statistics":
        for attribute, value in inspect.getmembers(thing):
            if not attribute.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{attribute}"
