# SPDX-License-Identifier: Apache-2.0

"""Pictures, and what notebooks show."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import orbox
import pytest


def test_pixels_are_those_of_the_file(knot: orbox.Tree, tmp_path: Path) -> None:
    drawn = orbox.picture(knot, size=(120, 90), transparent=True)
    assert drawn.pixels.shape == (90, 120, 4) and drawn.pixels.dtype == np.uint8
    assert 500 < np.count_nonzero(drawn.pixels[..., 3]) < 90 * 120
    assert drawn._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    drawn.save(tmp_path / "knot.png")
    assert (tmp_path / "knot.png").read_bytes() == drawn.png
    assert drawn.png[12:16] == b"IHDR" and int.from_bytes(drawn.png[16:20], "big") == 120
    assert zlib.crc32(drawn.png[12:29]) == int.from_bytes(drawn.png[29:33], "big")


def test_two_meshes_and_values_have_colours(knot: orbox.Tree, box: orbox.Tree) -> None:
    def colours(picture: orbox.Picture) -> int:
        channels = picture.pixels.astype(int)
        return int(np.count_nonzero(np.ptp(channels, axis=2) > 60))

    plain = orbox.picture(knot, size=(120, 90))
    near = orbox.picture(knot, box.at(orbox.translation(1.6, 0, 0)), within=0.3, size=(120, 90))
    field = knot.deviation(box).farthest_upper
    valued = orbox.picture(knot, values=field, size=(120, 90))
    assert colours(near) > colours(plain) + 50 and colours(valued) > colours(plain) + 50


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"size": (0, 5)}, "size"),
        ({"size": (99999, 50)}, "size"),
        ({"values": [1.0]}, "values"),
        ({"values": [-1.0] * 12}, "values"),
        ({"values": [np.nan] * 12}, "values"),
        ({"towards_viewer": (0, 0, 0)}, "towards_viewer"),
        ({"within": -1}, "within"),
    ],
)
def test_bad_options(box: orbox.Tree, options: dict, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        orbox.picture(box, **options)
