#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""Draws the ratios of peers_bench --json as an SVG: a row for each work and
peer, a dot for each mesh, a bar for their geometric mean. Right of 1, Orbox is
faster. Needs nothing but Python.

    peers_bench --json > peers.json
    plot_peers.py peers.json > peers.svg
"""

import html
import json
import math
import re
import sys

LEFT, WIDTH, RIGHT, ROW, TOP = 260, 520, 70, 18, 44
COLOURS = {"embree": "#1f6fb4", "embree_high": "#7fb2d9",
           "embree16": "#4a90c8", "orbox_compact": "#c9a227", "fcl": "#d1662b",
           "coal": "#8a6d3b", "cgal": "#4c9a52", "boost_rtree": "#8d5fb0",
           "nanoflann": "#b94a5b", "triangle_tests": "#777777"}


def variant(mesh):
    """The text after the mesh's name: a radius, k, or a range of gaps."""
    found = re.search(r" ((r|half|k)=\S+|gap \S+|\d+%)$", mesh)
    return found.group(1) if found else ""


def grouped(rows):
    groups = {}
    for row in rows:
        key = (row["work"], variant(row["mesh"]), row["peer"])
        groups.setdefault(key, []).append(row["ratio"])
    return sorted(groups.items())


def draw(groups):
    ratios = [r for _, values in groups for r in values]
    lowest = math.floor(math.log10(min(ratios + [1])))
    highest = math.ceil(math.log10(max(ratios + [10])))

    def x(ratio):
        share = (math.log10(ratio) - lowest) / (highest - lowest)
        return LEFT + WIDTH * share

    height = TOP + ROW * len(groups) + 12
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" '
           f'width="{LEFT + WIDTH + RIGHT}" height="{height}" '
           f'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="16" font-size="13">'
           "time of the peer / time of Orbox</text>"]
    for decade in range(lowest, highest + 1):
        at = x(10.0**decade)
        stroke = "#333" if decade == 0 else "#ddd"
        out.append(f'<line x1="{at:.1f}" y1="{TOP - 8}" x2="{at:.1f}" '
                   f'y2="{height - 8}" stroke="{stroke}"/>')
        out.append(f'<text x="{at:.1f}" y="{TOP - 12}" '
                   f'text-anchor="middle">{10.0**decade:g}</text>')
    for i, ((work, kind, peer), values) in enumerate(groups):
        y = TOP + ROW * i
        mean = math.exp(sum(map(math.log, values)) / len(values))
        colour = COLOURS.get(peer, "#555")
        label = html.escape(" ".join(filter(None, [work, kind, peer])))
        begin, end = sorted((x(1), x(mean)))
        out.append(f'<text x="{LEFT - 8}" y="{y + 12}" '
                   f'text-anchor="end">{label}</text>')
        out.append(f'<rect x="{begin:.1f}" y="{y + 3}" '
                   f'width="{end - begin:.1f}" height="{ROW - 6}" '
                   f'fill="{colour}" fill-opacity="0.45"/>')
        for value in values:
            out.append(f'<circle cx="{x(value):.1f}" cy="{y + ROW / 2}" r="2" '
                       f'fill="{colour}"/>')
        out.append(f'<text x="{LEFT + WIDTH + 8}" y="{y + 12}">'
                   f"{mean:.2f}</text>")
    out.append("</svg>")
    return "\n".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    if not rows:
        sys.exit("plot_peers.py: no rows in " + sys.argv[1])
    print(draw(grouped(rows)))


if __name__ == "__main__":
    main()
