# SPDX-License-Identifier: Apache-2.0

"""Pictures: of a mesh, of two and the distances between them, of values on faces."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._inputs import Floats, Path, count_of, distance_of, numbers, rows
from ._options import Progress, progress_of
from ._output import write_whole
from ._pairs import other_of


class Picture:
    """A finished picture; a notebook shows it.

    ``pixels`` has shape (height, width, 3), or 4 with transparency; ``png`` is
    the bytes of the file.
    """

    __slots__ = ("pixels", "png")

    pixels: NDArray[np.uint8]
    png: bytes

    def __init__(self, pixels: NDArray[np.uint8], png: bytes) -> None:
        self.pixels = pixels
        self.png = png

    def save(self, path: Path) -> None:
        """Writes the picture to a PNG file."""
        write_whole(path, self.png)

    def _repr_png_(self) -> bytes:
        return self.png

    def __repr__(self) -> str:
        height, width = self.pixels.shape[:2]
        return f"Picture({width} x {height})"


def picture(
    a: Any,
    b: Any = None,
    *,
    within: float | None = None,
    values: ArrayLike | None = None,
    size: tuple[int, int] = (800, 600),
    towards_viewer: ArrayLike | None = None,
    close_up: float = 0,
    transparent: bool = False,
    legend: bool = True,
    progress: Progress = None,
) -> Picture:
    """Draws a mesh, or two.

    Args:
        a: a Tree, a PosedTree, or anything that ``Mesh.of`` takes.
        b: another one: then the smallest distance is drawn as well.
        within: colours the faces that are within this distance of the other
            mesh by their distance; otherwise those that overlap. With
            ``values``, the end of their scale.
        values: one number for each face of ``a``, 0 or more, to colour it by;
            inf leaves a face plain. The field of ``deviation``, for example.
        size: width and height in pixels.
        towards_viewer: the direction to the viewer; None chooses one.
        close_up: half the width of the view around the smallest distance.
        transparent: instead of a white background.
        legend: the scale of the colours.

    >>> import orbox
    >>> gear = orbox.Tree(orbox.generate("gear", 2000))
    >>> turned = gear.at(orbox.translation(1.9, 0, 0) @ orbox.rotation((0, 0, 1), 0.471))
    >>> orbox.picture(turned, gear, within=0.1, size=(200, 150))
    Picture(200 x 150)
    """
    width, height = (count_of(n, "size", 16) for n in size)
    if width > 16384 or height > 16384:
        raise ValueError(f"size: is {size}, and may be 16384 at most")
    view = (
        np.zeros((0, 3)) if towards_viewer is None else rows(towards_viewer, 3, "towards_viewer")[0]
    )
    if towards_viewer is not None and not (np.isfinite(view).all() and view.any()):
        raise ValueError("towards_viewer: has to be finite and not zero")
    colours: Floats | None = None
    if values is not None:
        colours = numbers(values, "values")
        if colours.ndim != 1 or np.isnan(colours).any() or (colours < 0).any():
            raise ValueError(
                "values: needs shape (faces,), and numbers that are not negative or NaN; "
                "use np.abs(values), and inf for faces to leave plain"
            )
        if within is None:
            finite = colours[np.isfinite(colours)]
            within = float(finite.max()) if len(finite) and finite.max() > 0 else 1.0
    pixels, channels, png = _core.draw(
        other_of(a),
        None if b is None else other_of(b),
        None if within is None else distance_of(within, "within"),
        colours,
        width,
        height,
        view,
        distance_of(close_up, "close_up"),
        transparent,
        legend,
        os.cpu_count() or 1,
        progress_of(progress),
    )
    return Picture(pixels.reshape(height, width, channels), png)
