#!/usr/bin/env python3

# SPDX-License-Identifier: Apache-2.0

"""Draws what broad_phase_bench --json measured as an SVG: a panel for each
scenario, nanoseconds a body and frame over the number of bodies, both axes
logarithmic; peers are dashed. With --table, a table in Markdown
instead: what a body costs the default, and how many times as much it costs
others, in scenes of 1,000 bodies or more. Needs nothing but Python.

    broad_phase_bench --json > broad_phase.json
    plot_broad_phase.py broad_phase.json > broad_phase.svg
"""

import html
import json
import math
import sys

PANEL_WIDTH, PANEL_HEIGHT, LEFT, TOP, GAP, COLUMNS = 270, 220, 52, 44, 46, 3
LOW, HIGH = 0, 5  # decades of nanoseconds
COLOURS = {"adaptive": "#000000", "column_sweep": "#1f6fb4",
           "all_pairs": "#777777", "sorted_pairwise": "#c9a227",
           "sweep_fresh_sort": "#8a6d3b", "sweep_insertion_sort": "#b98d5a",
           "incremental_sweep_1": "#b94a5b", "incremental_sweep_3": "#e08a97",
           "dynamic_tree": "#4c9a52", "rtree": "#8d5fb0",
           "uniform_grid": "#3fb0ac", "loose_octree": "#8fce8f",
           "morton_tree": "#7fb2d9", "fcl": "#d1662b",
           "bullet": "#d62728", "bullet_deferred": "#f28e8e"}


def scenarios(rows):
    return list(dict.fromkeys(row["scenario"] for row in rows))


def panel(rows, scenario, left, top, sizes):
    first, last = math.log10(min(sizes)), math.log10(max(sizes))

    def x(size):
        share = (math.log10(size) - first) / max(last - first, 1e-9)
        return left + PANEL_WIDTH * share

    def y(nanoseconds):
        share = (HIGH - math.log10(nanoseconds)) / (HIGH - LOW)
        return top + PANEL_HEIGHT * min(max(share, 0), 1)

    out = [f'<text x="{left}" y="{top - 8}" font-size="13">'
           f"{html.escape(scenario)}</text>"]
    for decade in range(LOW, HIGH + 1):
        at = y(10.0**decade)
        out.append(f'<line x1="{left}" y1="{at:.1f}" '
                   f'x2="{left + PANEL_WIDTH}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{at + 4:.1f}" '
                   f'text-anchor="end">{10**decade:,}</text>')
    for size in sizes:
        out.append(f'<text x="{x(size):.1f}" y="{top + PANEL_HEIGHT + 16}" '
                   f'text-anchor="middle">{size:,}</text>')
    names = dict.fromkeys(row["row"] for row in rows)
    for name in sorted(names, key=lambda name: name == "adaptive"):
        of_name = [row for row in rows
                   if row["row"] == name and row["scenario"] == scenario]
        if not of_name:
            continue
        points = " ".join(
            f'{x(row["bodies"]):.1f},'
            f'{y(row["seconds"] * 1e9 / row["bodies"]):.1f}'
            for row in of_name)
        dashes = ' stroke-dasharray="5 3"' if of_name[0]["peer"] else ""
        width = 3 if name == "adaptive" else 1.5
        out.append(f'<polyline points="{points}" fill="none" '
                   f'stroke="{COLOURS.get(name, "#555")}" '
                   f'stroke-width="{width}"{dashes}/>')
    return out


def draw(rows):
    sizes = sorted({row["bodies"] for row in rows})
    names = scenarios(rows)
    lines = (len(names) + COLUMNS) // COLUMNS  # one more place: the legend
    width = COLUMNS * (PANEL_WIDTH + LEFT + 20) + 10
    height = lines * (PANEL_HEIGHT + TOP + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="10">',
           '<rect width="100%" height="100%" fill="white"/>']

    def place(i):
        return (i % COLUMNS * (PANEL_WIDTH + LEFT + 20) + LEFT,
                i // COLUMNS * (PANEL_HEIGHT + TOP + GAP) + TOP)

    for i, scenario in enumerate(names):
        out += panel(rows, scenario, *place(i), sizes)
    left, top = place(len(names))
    out.append(f'<text x="{left}" y="{top - 8}" font-size="13">nanoseconds a '
               "body and frame, over bodies</text>")
    peers = {row["row"] for row in rows if row["peer"]}
    for i, name in enumerate(dict.fromkeys(row["row"] for row in rows)):
        y = top + 10 + 13 * i
        dashes = ' stroke-dasharray="5 3"' if name in peers else ""
        out.append(f'<line x1="{left}" y1="{y}" x2="{left + 30}" y2="{y}" '
                   f'stroke="{COLOURS.get(name, "#555")}" '
                   f'stroke-width="{3 if name == "adaptive" else 1.5}"'
                   f"{dashes}/>")
        out.append(f'<text x="{left + 38}" y="{y + 4}">{name}</text>')
    out.append("</svg>")
    return "\n".join(out)


def table(rows):
    others = ["column_sweep", "uniform_grid", "sorted_pairwise", "morton_tree",
              "dynamic_tree", "rtree", "fcl", "bullet", "bullet_deferred"]
    out = ["| scene | bodies | pairs | adaptive | " + " | ".join(others) + " |",
           "| --- | ---: | ---: | ---: |" + " ---: |" * len(others)]
    for scenario in scenarios(rows):
        for bodies in sorted({row["bodies"] for row in rows
                              if row["bodies"] >= 1000}):
            here = {row["row"]: row for row in rows
                    if (row["scenario"], row["bodies"]) == (scenario, bodies)}
            ours = here["adaptive"]["seconds"]
            cells = [f'{here[name]["seconds"] / ours:.1f}' if name in here
                     else "" for name in others]
            out.append(f'| {scenario} | {bodies:,} | '
                       f'{here["adaptive"]["pairs"]:,} | '
                       f"{ours * 1e9 / bodies:.0f} ns | "
                       + " | ".join(cells) + " |")
    return "\n".join(out)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--table"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        rows = json.load(file)
    print(table(rows) if "--table" in sys.argv else draw(rows))


if __name__ == "__main__":
    main()
