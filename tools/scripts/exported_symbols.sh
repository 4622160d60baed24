#!/usr/bin/env bash
# Compares what the shared libraries let out with tests/install/exported_symbols.txt.
#
#   tools/scripts/exported_symbols.sh FOLDER [--update]
#
# FOLDER holds liborbox_overlap.so and liborbox_bvh.so (or folders that do). What
# templates and inline functions leave there is the compiler's choice, and not
# compared. --update writes the list anew.

set -euo pipefail
export LC_ALL=C

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
list="$root/tests/install/exported_symbols.txt"
folder="${1:?usage: exported_symbols.sh FOLDER [--update]}"

libraries="$(find "$folder" -name 'liborbox_*.so' | sort)"
if [[ "$(wc -l <<<"$libraries")" != 2 ]]; then
  printf 'exported_symbols.sh: %s has not two libraries liborbox_*.so\n' \
    "$folder" >&2
  exit 2
fi

exported() {
  local library
  for library in $libraries; do
    printf '# %s\n' "$(basename "$library")"
    nm --dynamic --defined-only --demangle "$library" |
      sed -nE 's/^[0-9a-f]+ [TBDR] //p' | sed -E 's/\[abi:cxx11\]//g' | sort -u
  done
}

if [[ "${2:-}" == --update ]]; then
  exported >"$list"
elif ! diff -u "$list" <(exported); then
  printf 'exported_symbols.sh: the shared libraries let out something else than %s says.\n' \
    "tests/install/exported_symbols.txt" >&2
  printf 'If that is meant: tools/scripts/exported_symbols.sh %s --update\n' \
    "$folder" >&2
  exit 1
else
  printf 'Exported symbols: as in tests/install/exported_symbols.txt (%s).\n' \
    "$(grep -vc '^#' "$list")"
fi
