#!/usr/bin/env bash
# Compares the symbols that the shared libraries export with
# tests/install/exported_symbols.txt.
#
#   tools/scripts/exported_symbols.sh FOLDER [--update]
#
# FOLDER contains, at any depth, liborbox_overlap.so, liborbox_bvh.so and the libraries that use it, or else
# the static libraries: their visible symbols are those that shared ones would export, and they need no
# build of their own. Symbols of templates and inline functions are the compiler's choice, and not compared.
# --update rewrites the list. For static libraries it also finds symbols that one of them, or the command,
# uses of another that does not export them: as shared libraries they would not link.

# SPDX-License-Identifier: Apache-2.0

set -euo pipefail
export LC_ALL=C

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
list="$root/tests/install/exported_symbols.txt"
folder="${1:?usage: exported_symbols.sh FOLDER [--update]}"
folder="${folder%/}"
shared=(broad_phases bvh io large motion overlap solids)

# defined_in FILE...: names, in C++'s spelling, of the symbols that are visible
# to all.
defined_in() {
  readelf --symbols --wide "$@" |
    awk '$5 == "GLOBAL" && ($6 == "DEFAULT" || $6 == "PROTECTED") &&
         $7 != "UND" && $7 != "ABS" {print $8}' |
    c++filt | sed -E 's/\[abi:cxx11\]//g' | sort -u
}

# libraries NAME: those of the build. Below `tests` and `bench` of a build folder
# are probes, and copies of any age that an install test has made.
libraries() {
  find "$folder" -name "$1" -not -path "$folder/tests/*" \
    -not -path "$folder/bench/*"
}

exported() {
  local name library
  for name in "${shared[@]}"; do
    printf '# liborbox_%s\n' "$name"
    library="$(libraries "liborbox_$name.so" | head -n 1)"
    if [[ -n "$library" ]]; then
      # Its dynamic symbols alone.
      nm --dynamic --defined-only "$library" |
        sed -nE 's/^[0-9a-f]+ [TBDR] //p' | c++filt |
        sed -E 's/\[abi:cxx11\]//g' | sort -u
      continue
    fi
    # Reads the library, not the object files: a build folder keeps those of
    # deleted sources.
    library="$(libraries "liborbox_$name.a" | head -n 1)"
    if [[ -z "$library" ]]; then
      printf 'exported_symbols.sh: %s has neither liborbox_%s.so nor .a\n' \
        "$folder" "$name" >&2
      exit 2
    fi
    defined_in "$library"
  done
}

# names_of NM_OPTION FILE...: names of ours, with C++'s spelling.
names_of() {
  nm "$@" 2>/dev/null | awk '{print $NF}' | c++filt | grep '^orbox::' |
    sed -E 's/\[abi:cxx11\]//g' | sort -u
}

# templates: instantiations that the shared libraries let out.
templates() {
  local name library
  for name in "${shared[@]}"; do
    library="$(libraries "liborbox_$name.a" | head -n 1)"
    [[ -n "$library" ]] || continue
    readelf --symbols --wide "$library" |
      awk '$5 == "WEAK" && $6 == "DEFAULT" && $7 != "UND" {print $8}'
  done | c++filt | sed -E 's/\[abi:cxx11\]//g'
}

# unreachable: names that static libraries use of others that do not export
# them.
unreachable() {
  local all=() tools=() library
  mapfile -t all < <(libraries 'liborbox_*.a')
  local pattern="${shared[*]}"
  mapfile -t tools < <(printf '%s\n' ${all[@]+"${all[@]}"} |
    grep -vE "liborbox_(${pattern// /|})\.a\$")
  for library in ${all[@]+"${all[@]}"}; do
    # Tools are linked into one program.
    local own=("$library")
    if [[ " ${tools[*]-} " == *" $library "* ]]; then own=("${tools[@]}"); fi
    comm -23 <(names_of --undefined-only "$library") \
      <({
        names_of --defined-only "${own[@]}"
        grep -v '^#' <<<"$found"
        templates
      } | sort -u) | sed "s|^|${library##*/} calls |"
  done
}

found="$(exported)"
if [[ "${2:-}" == --update ]]; then
  printf '%s\n' "$found" >"$list"
elif hidden="$(unreachable)" && [[ -n "$hidden" ]]; then
  printf '%s, which is not exported\n' "${hidden//$'\n'/, which is not exported$'\n'}" >&2
  exit 1
elif ! diff -u "$list" <(printf '%s\n' "$found"); then
  printf 'exported_symbols.sh: the shared libraries let out something else than %s says.\n' \
    "tests/install/exported_symbols.txt" >&2
  printf 'If that is meant: tools/scripts/exported_symbols.sh %s --update\n' \
    "$folder" >&2
  exit 1
else
  printf 'Exported symbols: as in tests/install/exported_symbols.txt (%s).\n' \
    "$(grep -vc '^#' "$list")"
fi
