#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of a query by instruction set, also on AArch64.

  bench/instructions/count.py TREE [--questions N] [--only NAME,...]
      PROGRAM[:SET]...

TREE is a tree file, which `orbox build` makes; PROGRAM is `instructions` of a
build, SET the value of ORBOX_INSTRUCTION_SET. An x86-64 program runs under
callgrind, one for AArch64 under qemu, which names each instruction that it
executes: some five million a minute. The count of N queries is a run with them less
a run without. Callgrind counts `main` alone, on one core: Highway measures the clock
at its start, and threads that verify the tree divide the work differently in each run. The
results of all programs have to be equal, or it ends with an error. Prints a table in
Markdown; the last column is the last program over the first.
"""

import argparse
import os
import re
import subprocess
import sys


def is_aarch64(program):
    """True if the ELF header has e_machine 183."""
    with open(program, "rb") as file:
        return file.read(20)[18] == 183


def run_counted(program, instruction_set, arguments):
    """The number of instructions, and the program's output."""
    environment = dict(os.environ)
    if instruction_set:
        environment["ORBOX_INSTRUCTION_SET"] = instruction_set
    if is_aarch64(program):
        # Blocks of one instruction, unchained: a line of the log each.
        command = ["qemu-aarch64", "-singlestep", "-d", "exec,nochain"]
        process = subprocess.Popen(
            command + [program] + arguments,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        count = sum(
            chunk.count(b"\n")
            for chunk in iter(lambda: process.stderr.read(1 << 20), b"")
        )
        answer = process.stdout.read().decode()
        if process.wait() != 0:
            sys.exit(f"count.py: {program} failed under qemu")
        return count, answer
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command.append("--toggle-collect=main")
    done = subprocess.run(
        command + [program] + arguments,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1)), done.stdout


def count_each(program, instruction_set, tree, question, count):
    """Instructions of one query, and the sum of the results."""
    none, _ = run_counted(program, instruction_set, [tree, question, "0"])
    all_of_them, answer = run_counted(
        program, instruction_set, [tree, question, str(count)]
    )
    return (all_of_them - none) / count, answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM[:SET]")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only", default="", help="names of questions")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    programs = [(p.split(":") + [""])[:2] for p in options.programs]
    heads = [s or ("neon" if is_aarch64(p) else "best") for p, s in programs]
    names = subprocess.run(
        ["qemu-aarch64"] * is_aarch64(programs[0][0]) + [programs[0][0], "--list"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    if options.only:
        names = options.only.split(",")
    print("| question | " + " | ".join(heads) + f" | {heads[-1]} / {heads[0]} |")
    print("| --- |" + " ---: |" * (len(heads) + 1))
    for name in names:
        counts, answers = zip(
            *(
                count_each(program, instruction_set, options.tree, name, options.questions)
                for program, instruction_set in programs
            )
        )
        if len(set(answers)) > 1:
            sys.exit(f"count.py: {name}: the answers differ: {answers}")
        row = " | ".join(f"{count:,.0f}" for count in counts)
        print(f"| `{name}` | {row} | {counts[-1] / counts[0]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
