# SPDX-License-Identifier: Apache-2.0

"""Converts arguments: arrays of any kind are made right, or refused with a reason.

Every message names the argument, where it is wrong, and what to do.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Path = Union[str, "os.PathLike[str]"]
InsideRule = Literal["winding", "parity"]

_FLOAT = np.dtype(np.float64)
# The extension reads the plain arguments of single queries itself.
_core.know_numpy(np.ndarray, _FLOAT)


def missing(kind: str, name: str, owner: type, way_out: str) -> AttributeError:
    """The error for an attribute that a ``kind`` lacks, with the way out if ``owner`` has it."""
    if name.startswith("_") or not hasattr(owner, name):
        return AttributeError(f"a {kind} has no attribute {name!r}")
    return AttributeError(f"a {kind} has no {name!r}, {way_out}")


def by_parity(inside: InsideRule) -> bool:
    """The rule by which points are inside a closed mesh, as the extension takes it."""
    if inside not in ("winding", "parity"):
        raise ValueError(f'inside: is {inside!r}, and has to be "winding" or "parity"')
    return inside == "parity"


def _array(values: Any, name: str, what_to_do: str) -> NDArray[Any]:
    """An array of anything that numpy takes, with no masked values."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        rest = f"np.ma.compress_rows({name})" if values.ndim == 2 else f"{name}.compressed()"
        raise ValueError(
            f"{name}: is a masked array with masked values; leave their rows out: {rest}"
        )
    try:
        return np.asarray(values)
    except (ValueError, TypeError) as error:
        raise ValueError(
            f"{name}: its rows have different lengths, or it is no array ({error}); {what_to_do}"
        ) from None


def laid_out(array: ArrayLike, dtype: Any) -> NDArray[Any]:
    """An array as the extension reads it: contiguous, and at an address that is
    a multiple of its numbers' size. Arrays out of files and messages may be at any
    address, and numpy's ``ascontiguousarray`` does not move them."""
    return np.require(array, dtype, "CA")


def numbers(values: ArrayLike, name: str) -> Floats:
    """Any array of real numbers, as contiguous float64."""
    if type(values) is np.ndarray and values.dtype is _FLOAT:
        flags = values.flags
        if flags.c_contiguous and flags.aligned:
            return values
    array = _array(values, name, "give an array of numbers")
    if array.dtype.kind not in "fiub":
        if array.size == 0:
            return np.zeros(array.shape)
        raise TypeError(
            f"{name}: has to hold real numbers, and holds {array.dtype}; "
            f"convert it: np.asarray({name}, dtype=float)"
        )
    return laid_out(array, _FLOAT)


def rows(values: ArrayLike, width: int, name: str) -> tuple[Floats, bool]:
    """An array of rows, and whether it was a single row."""
    array = numbers(values, name)
    if array.ndim == 2 and array.shape[1] == width:
        return array, False
    if array.ndim == 1 and array.shape[0] == width:
        return array.reshape(1, width), True
    if array.ndim == 1 and array.shape[0] == 0:
        return array.reshape(0, width), False
    hint = ""
    if array.ndim == 2 and array.shape[0] == width:
        hint = f"; its transpose has it: {name}.T"
    elif array.ndim > 2 and array.shape[-1] == width:
        hint = f"; flatten it: {name}.reshape(-1, {width})"
    raise ValueError(
        f"{name}: has shape {array.shape}, and needs (n, {width}), or ({width},) for one{hint}"
    )


def check_finite(array: Floats, name: str) -> None:
    """Refuses NaN and infinities; names the first row."""
    finite = np.isfinite(array)
    if finite.all():
        return
    row = int(np.argwhere(~finite)[0][0])
    raise ValueError(
        f"{name}: row {row} is {array[row].tolist()}, and has to be finite; "
        f"leave such rows out: {name}[np.isfinite({name}).all(axis=-1)]"
    )


def refuse_rows(wrong: Any, says: Callable[[int], str]) -> None:
    """Raises ValueError with the message ``says(row)`` for the first wrong row, if there is one."""
    if wrong.any():
        raise ValueError(says(int(np.argwhere(wrong)[0][0])))


def columns(*parts: tuple[ArrayLike, int, str]) -> tuple[Floats, bool]:
    """Several arrays side by side, as one array of rows.

    A single row serves for all rows of the others.
    """
    arrays = [rows(values, width, name) for values, width, name in parts]
    single = all(one for _, one in arrays)
    count = max((len(a) for a, one in arrays if not one), default=1)
    for (array, one), (_, _, name) in zip(arrays, parts):
        if not one and len(array) != count:
            raise ValueError(
                f"{name}: has {len(array)} rows, and the other arguments have "
                f"{count}; give as many, or a single row for all"
            )
    whole, finite = _core.side_by_side([array for array, _ in arrays], count)
    if not finite:
        for (array, _), (_, _, name) in zip(arrays, parts):
            check_finite(array, name)
    return whole, single


def lengths(values: ArrayLike, name: str) -> Floats:
    """Radii and the like: a number, or one a row; as a column."""
    array = numbers(values, name)
    if array.ndim > 1 and not (array.ndim == 2 and array.shape[1] == 1):
        raise ValueError(f"{name}: has shape {array.shape}, and needs (n,), or a single number")
    array = array.reshape(-1, 1) if array.ndim else array.reshape(1)
    bad = ~(array >= 0)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        raise ValueError(
            f"{name}: row {row} is {array.ravel()[row]}, and must not be "
            f"negative; use np.abs({name})"
        )
    return array


def faces_of(values: ArrayLike, name: str = "faces") -> Ints:
    """Rows of three indices, as contiguous int64."""
    array = _array(values, name, "split polygons into triangles first")
    if array.size == 0:
        array = array.reshape(0, 3).astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{name}: has to hold indices, and holds {array.dtype}; convert it: {name}.astype(int)"
        )
    if array.ndim == 1 and array.size == 3:
        array = array.reshape(1, 3)
    if array.ndim != 2 or array.shape[1] != 3:
        hint = "; its transpose has it" if array.ndim == 2 and array.shape[0] == 3 else ""
        if array.ndim == 2 and array.shape[1] == 4:
            hint = (
                "; split quads, if they are convex: "
                "np.vstack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])"
            )
            if len(array) and (array[:, 0] == 3).all():
                hint = "; its first column is 3: if that counts the corners, give faces[:, 1:]"
        raise ValueError(f"{name}: has shape {array.shape}, and needs (m, 3){hint}")
    if array.dtype == np.uint64:
        refuse_rows(
            (array > np.iinfo(np.int64).max).any(axis=1),
            lambda row: f"{name}: row {row} is {tuple(array[row].tolist())}, and an index has to "
            "be below the number of vertices",
        )
    return laid_out(array, np.int64)


def distance_of(value: float, name: str) -> float:
    """A length that is not negative."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: has to be a number, and is {value!r}") from None
    if not number >= 0:
        raise ValueError(f"{name}: is {number}, and must not be negative or NaN")
    return number


def count_of(value: int, name: str, least: int = 0) -> int:
    """A whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: has to be a whole number, and is {value!r}") from None
    if not least <= number < 2**31:
        raise ValueError(f"{name}: is {number}, and has to be {least} or more")
    return number


def poses_of(values: Any, name: str = "pose") -> tuple[Floats, bool]:
    """Rows of sixteen numbers from matrices or from rotations of scipy."""
    if hasattr(values, "as_matrix") and not isinstance(values, np.ndarray):
        turns = numbers(values.as_matrix(), name)
        if turns.shape[-2:] == (3, 3):
            whole = np.zeros(turns.shape[:-2] + (4, 4))
            whole[..., :3, :3] = turns
            whole[..., 3, 3] = 1
            values = whole
        else:  # scipy's RigidTransform has 4 x 4 matrices
            values = turns
    array = numbers(values, name)
    if array.ndim in (2, 3) and array.shape[-2:] in ((4, 4), (3, 4)):
        if array.shape[-2] == 3:
            last = np.broadcast_to([0.0, 0.0, 0.0, 1.0], array.shape[:-2] + (1, 4))
            array = np.concatenate([array, last], axis=-2)
        return laid_out(array, _FLOAT).reshape(-1, 16), array.ndim == 2
    raise ValueError(
        f"{name}: has shape {array.shape}, and needs (4, 4), or (n, 4, 4) for "
        f"many; (3, 4) matrices and rotations of scipy serve as well"
    )
