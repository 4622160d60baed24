#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""Draws what `growth` measured as an SVG: time a query over the number of
triangles, both axes logarithmic. Needs nothing but Python.

    growth > growth.json
    plot_growth.py growth.json > growth.svg
"""

import json
import math
import sys

LEFT, TOP, WIDTH, HEIGHT, RIGHT, BOTTOM = 70, 36, 560, 320, 150, 44
SERIES = [("closest_far_ns", "closest point, far", "#1f6fb4"),
          ("closest_near_ns", "closest point, near", "#d1662b"),
          ("k_nearest_ns", "ten nearest", "#4c9a52"),
          ("build_ns_per_triangle", "build, a triangle", "#777777")]


def draw(rows):
    sizes = [row["triangles"] for row in rows]
    values = [row[key] for row in rows for key, _, _ in SERIES]
    left, right = math.log10(min(sizes)), math.log10(max(sizes))
    low = math.floor(math.log10(min(values)))
    high = math.ceil(math.log10(max(values)))

    def x(size):
        return LEFT + WIDTH * (math.log10(size) - left) / max(right - left, 1e-9)

    def y(value):
        return TOP + HEIGHT * (high - math.log10(value)) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" '
           f'width="{LEFT + WIDTH + RIGHT}" height="{TOP + HEIGHT + BOTTOM}" '
           f'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="18" font-size="13">nanoseconds, '
           "over the number of triangles</text>"]
    for decade in range(low, high + 1):
        at = y(10.0**decade)
        out.append(f'<line x1="{LEFT}" y1="{at:.1f}" x2="{LEFT + WIDTH}" '
                   f'y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" '
                   f'text-anchor="end">{10.0**decade:g}</text>')
    for decade in range(math.ceil(left), math.floor(right) + 1):
        at = x(10.0**decade)
        out.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" '
                   f'y2="{TOP + HEIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{at:.1f}" y="{TOP + HEIGHT + 18}" '
                   f'text-anchor="middle">{10**decade:,}</text>')
    for key, label, colour in SERIES:
        points = " ".join(f'{x(row["triangles"]):.1f},{y(row[key]):.1f}'
                          for row in rows)
        out.append(f'<polyline points="{points}" fill="none" '
                   f'stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + WIDTH + 8}" y="{y(rows[-1][key]) + 4:.1f}" '
                   f'fill="{colour}">{label}</text>')
    out.append("</svg>")
    return "\n".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    if not rows:
        sys.exit("plot_growth.py: no rows in " + sys.argv[1])
    print(draw(rows))


if __name__ == "__main__":
    main()
