#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""The tables of bench/README.md's section "Cliffs", of cliffs_bench's JSON.

  cliffs_bench --quick --seconds 0.02 --json > after.json
  bench/cliffs/summary.py after.json
  bench/cliffs/summary.py --before before.json after.json   # and what changed
"""

import argparse
import json
import re
import statistics
import sys

# The first pattern that a case's name matches gives the reason why it is hard.
CAUSES = [
    ("far away", "away_"),
    ("far apart", "apart_"),
    ("on the surface, in its plane", "on_|off_|edge_|vertex_|flat"),
    ("1e-43, 1e59", "size_"),
    ("side by side", "half_over|aside_|identical|flush_|boxes_flush|"
                     "concentric|shaft_|subdivision"),
    ("many in one spot", "duplicates|fan"),
    ("slivers", "slivers|needles|segments|points"),
    ("mixed scale", "screw_|ratio_|stray_|offset_"),
    ("motions", "sheet_|sphere_through|bearing_"),
    ("many bodies", "bodies_"),
]

# Limit compared with a peer: nanoseconds by which Orbox may be slower.
PEER_SLACK = 500


def cause_of(row):
    for name, pattern in CAUSES:
        if re.match(pattern, row["case"]):
            return name
    return "others"


def limit_of(row):
    """The largest factor allowed, compared with general position."""
    if row["case"].startswith("size_"):
        return 5
    scale = re.fullmatch(r"(away|apart|stray|offset|ratio)_1e\+?(\d+)",
                         row["case"])
    return 5 if scale and int(scale.group(2)) > 9 else 3


def is_slow_beside_peer(row):
    return row["orbox_ns"] > row["reference_ns"] + PEER_SLACK


def time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def print_row(row):
    print(f"{row['case']:<19} {row['query']:<17} {row['mesh']:<12}"
          f"{row['n']:>7} {time(row['orbox_ns']):>9}  {row['reference']:<7} "
          f"{time(row['reference_ns']):>9} {row['factor']:>8.3g}")


def print_worst(rows, of_a_case):
    seen = {}
    for row in sorted(rows, key=lambda row: -row["factor"]):
        seen[row["case"]] = seen.get(row["case"], 0) + 1
        if seen[row["case"]] <= of_a_case:
            print_row(row)


def print_causes(general, peers):
    print("| cause | rows above 3 | of | median | slower than a peer | of "
          "| worst |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    names = [name for name, _ in CAUSES]
    for cause in names + ["others"]:
        rows = [row for row in general if cause_of(row) == cause]
        beside = [row for row in peers if cause_of(row) == cause]
        if not rows and not beside:
            continue
        high = [row for row in rows if row["factor"] > 3]
        slow = sum(is_slow_beside_peer(row) for row in beside)
        median = "-"
        worst = "-"
        if high:
            median = f"{statistics.median(r['factor'] for r in high):.2g}"
            most = max(high, key=lambda row: row["factor"])
            worst = f"`{most['case']}` {most['query']}, " + time(
                most["orbox_ns"])
        print(f"| {cause} | {len(high)} | {len(rows)} | {median} | {slow} "
              f"| {len(beside)} | {worst} |")


def key_of(row):
    return (row["case"], row["query"], row["mesh"], row["reference"])


def print_changes(before, after, least):
    """Rows whose factor changed, by `least` or more either way."""
    old = {key_of(row): row for row in before}
    for row in after:
        was = old.get(key_of(row))
        if was is None:
            continue
        change = row["factor"] / was["factor"]
        if max(row["factor"], was["factor"]) > 3 and (
                change > least or change < 1 / least):
            print(f"{row['case']:<19} {row['query']:<17} {row['mesh']:<12} "
                  f"{row['reference']:<7} {time(was['orbox_ns']):>9} -> "
                  f"{time(row['orbox_ns']):>9}  {was['factor']:>8.3g} -> "
                  f"{row['factor']:>8.3g}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--before")
    parser.add_argument("--worst", type=int, default=3,
                        help="the most rows of a case that are listed")
    args = parser.parse_args()
    with open(args.rows, encoding="utf-8") as file:
        rows = json.load(file)
    general = [row for row in rows if row["reference"] == "general"]
    peers = [row for row in rows if row["reference"] != "general"]
    high = [row for row in general if row["factor"] > 3]
    above = [row for row in general if row["factor"] > limit_of(row)]
    slow = [row for row in peers if is_slow_beside_peer(row)]
    print(f"{len(high)} of {len(general)} rows beside general position are "
          f"above 3, and {len(above)} above what is asked.\nOrbox is more "
          f"than 0.5 us slower in {len(slow)} of {len(peers)} rows beside a "
          f"peer.\nAnswers that do not agree: "
          f"{sum(not row['agree'] for row in rows)}.\n")
    print_causes(general, peers)
    print("\nThe worst beside general position:\n")
    print_worst(high, args.worst)
    print("\nThe worst beside a peer:\n")
    print_worst(slow, args.worst)
    if args.before:
        with open(args.before, encoding="utf-8") as file:
            before = json.load(file)
        print("\nFactors that changed by a quarter or more:\n")
        print_changes(before, rows, 1.25)
    return 0


if __name__ == "__main__":
    sys.exit(main())
