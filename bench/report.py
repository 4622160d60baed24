#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Runs the benchmarks, and writes their tables into bench/README.md and their plots next to it.

  bench/report.py --build build/release/bench --meshes DIR    # runs all topics
  bench/report.py ... --only one_mesh,growth                  # some of them
  bench/report.py --from DIR                                  # no run: renders DIR again

A topic is a program, its options, and a table, a plot, or both. The output of the
program is kept in DIR (--keep, default build/report), so that it can be rendered
again. A table is between the markers `<!-- table NAME -->` and
`<!-- end -->`; its first line names the machine on which the program ran. Run it on a
machine at rest: a table is one run. Needs nothing but Python; build the programs
with -DORBOX_BUILD_BENCHMARKS=ON -DORBOX_BENCH_PEERS=ON.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import math
import pathlib
import re
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent
PAIRS = ("stanford-bunny:stanford-bunny,nefertiti:turbineblade,gears:gears,rocker-arm:homer,fandisk:fandisk,"
         "small_sphere:small_sphere,small_torus_knot:small_torus_knot")


def module(path):
    """A script of this folder, as a module."""
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, BENCH / path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def mean(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def duration(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def beside_peers(text, key):
    """A row for each key(row), a column for each peer: its time over Orbox's."""
    rows = json.loads(text)
    keys = list(dict.fromkeys(key(row) for row in rows))
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    out = []
    for name in keys:
        here = [row for row in rows if key(row) == name]
        cells = []
        for peer in peers:
            ratios = [row["ratio"] for row in here if row["peer"] == peer]
            cells.append(f"{mean(ratios):.2f}" if ratios else "")
        first = here[0]["peer"]
        ours = mean([row["orbox_ns"] for row in here if row["peer"] == first])
        out.append([name, *cells, duration(ours)])
    differing = sum(not row["agree"] for row in rows)
    note = f"Answers that differ: {differing} of {len(rows)} rows.\n\n" if differing else ""
    return note + table(["work", *peers, "Orbox"], out)


def one_mesh(text):
    # A row's mesh is its name, and after a space the variant of the work.
    return beside_peers(text, lambda row: " ".join([row["work"], *row["mesh"].split(" ", 1)[1:]]))


def two_meshes(text):
    return beside_peers(text, lambda row: row["work"] + (" small" if row["mesh"].startswith("small_") else ""))


def markdown(text):
    """The lines of a table that the program itself prints."""
    return "\n".join(line for line in text.split("\n") if line.startswith("|"))


def cliffs(text):
    summary = module("cliffs/summary.py")
    rows = json.loads(text)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        summary.print_causes(
            [row for row in rows if row["reference"] == "general"],
            [row for row in rows if row["reference"] != "general"],
        )
    head, line, *causes = printed.getvalue().strip().split("\n")
    # The second cell is the number of rows above 3.
    many = [cause for cause in causes if int(cause.split("|")[2]) >= 10]
    return "\n".join([head, line, *many])


def python(text):
    rows = json.loads(text)
    works = list(dict.fromkeys(row["work"] for row in rows))
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    out = []
    for work in works:
        cells = []
        for peer in peers:
            ratios = [row["ratio"] for row in rows if (row["work"], row["peer"]) == (work, peer)]
            cells.append(f"{mean(ratios):.2g} ({min(ratios):.2g} - {max(ratios):.2g})" if ratios else "")
        out.append([work, *cells])
    return table(["work", *peers], out)


def plot_peers(text):
    script = module("plot_peers.py")
    return BENCH / "peers.svg", script.draw(script.grouped(json.loads(text)))


def plot_by(name):
    """A plot that a script draws of all rows, and its file next to the script."""

    def plot(text):
        script = next(BENCH.rglob(f"plot_{name}.py"))
        return script.with_name(f"{name}.svg"), module(script.relative_to(BENCH)).draw(json.loads(text))

    return plot


# The program of a topic, its options, its table and its plot.
TOPICS = {
    "one_mesh": (
        "peers_bench",
        "--json --meshes {meshes} --min_triangles 10000 --work build_sah,build_fast,closest_far,closest_near,"
        "closest_batch,k_nearest,k_nearest_batch,range_sphere,ray,any_hit,all_hits,ray_batch,contains "
        "--peer embree,cgal,boost_rtree,nanoflann,orbox_compact",
        one_mesh,
        plot_peers,
    ),
    "two_meshes": (
        "peers_bench",
        "--json --meshes {meshes} --work overlap_any,overlap_all,distance,within,pairs_within "
        f"--peer fcl,embree --pair {PAIRS}",
        two_meshes,
        None,
    ),
    "exactness": ("exactness", "--cost --meshes {meshes}", markdown, None),
    "growth": ("growth", "", None, plot_by("growth")),
    "broad_phases": ("broad_phase_bench", "--limit 0.25 --turns 2 --json", None, plot_by("broad_phase")),
    "cliffs": ("cliffs_bench", "--quick --seconds 0.02 --json", cliffs, None),
    "python": (
        BENCH / "python/peers.py",
        "--json --meshes {meshes} --names turbineblade,bunny,horse --queries 50000 --poses 300 "
        "--works closest,contains,ray_first,overlap",
        python,
        None,
    ),
}


def machine():
    """The processor's name and the newest of its sets of vectors."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    words = flags.group(1).split() if flags else []
    sets = [label for flag, label in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse4_1", "SSE4")) if flag in words]
    return f"{name.group(1).strip() if name else 'unknown'}, {sets[0] if sets else 'no vectors'}"


def run(name, options, keep):
    """Runs a topic's program; keeps and returns its output."""
    program, arguments, _, _ = TOPICS[name]
    if isinstance(program, str):
        found = [p for p in options.build.rglob(program) if p.is_file()]
        if not found:
            sys.exit(f"report.py: no {program} in {options.build}; build it, or leave out {name} (--only)")
        command = [str(found[0])]
    else:
        command = [sys.executable, str(program)]
    command += arguments.format(meshes=options.meshes).split()
    print(f"{name}: {' '.join(command)}", flush=True)
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    (keep / f"{name}.txt").write_text(text, encoding="utf-8")
    (keep / f"{name}.machine").write_text(machine(), encoding="utf-8")
    return text


def put(page, name, content):
    """The page with the table between its markers replaced."""
    begin, end = f"<!-- table {name} -->\n", "<!-- end -->"
    at = page.find(begin)
    until = page.find(end, at)
    if at < 0 or until < 0:
        sys.exit(f"report.py: bench/README.md has no markers of a table {name}")
    return page[: at + len(begin)] + content + "\n" + page[until:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="the folder with the programs")
    parser.add_argument("--meshes", type=pathlib.Path, help="the folder of the meshes")
    parser.add_argument("--only", default="", help="topics, by name: " + ", ".join(TOPICS))
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/report"))
    parser.add_argument("--from", type=pathlib.Path, dest="kept", help="renders what an earlier run kept")
    parser.add_argument("--page", type=pathlib.Path, default=BENCH / "README.md")
    options = parser.parse_args()
    names = [name for name in options.only.split(",") if name] or list(TOPICS)
    unknown = [name for name in names if name not in TOPICS]
    if unknown:
        parser.error(f"no topic {', '.join(unknown)}; there are {', '.join(TOPICS)}")
    if not options.kept and not (options.build and options.meshes):
        parser.error("give --build and --meshes, or --from")
    keep = options.kept or options.keep
    keep.mkdir(parents=True, exist_ok=True)
    page = options.page.read_text(encoding="utf-8")
    for name in names:
        if options.kept:
            file = keep / f"{name}.txt"
            if not file.exists():
                print(f"{name}: not in {keep}, left as it is")
                continue
            text = file.read_text(encoding="utf-8")
        else:
            text = run(name, options, keep)
        _, _, tabulate, plot = TOPICS[name]
        # A run takes hours, so each finished topic is kept.
        if plot:
            file, drawing = plot(text)
            file.write_text(drawing + "\n", encoding="utf-8")
        if tabulate:
            on = (keep / f"{name}.machine").read_text(encoding="utf-8")
            page = put(page, name, f"On {on}:\n\n{tabulate(text)}")
            options.page.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
