#!/usr/bin/env bash
# Measures how much of overlap/ and bvh/ the tests run.
#
#   tools/coverage.sh
#
# Installs what is missing, builds the preset coverage (Clang, one instruction
# set), runs every test, and prints lines, functions and branches for each file.
# Fails where less than 95 % of the lines were run. The lines that were not are
# shown in build/coverage/report.txt.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

if (($# > 0)); then
  sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  if [[ "$1" == -h || "$1" == --help ]]; then exit 0; fi
  exit 2
fi

readonly BUILD="$ORBOX_ROOT/build/coverage"
readonly LEAST_PERCENT=95

ensure_dependencies coverage
build_preset coverage
rm -rf "$BUILD/profiles"

# The processes of one program add to one file.
export LLVM_PROFILE_FILE="$BUILD/profiles/%m.profraw"
step "Running the tests"
(cd "$ORBOX_ROOT" && ctest --test-dir build/coverage --output-on-failure \
  --parallel "$(compile_jobs)")

step "Adding up"
llvm-profdata merge -sparse -o "$BUILD/all.profdata" "$BUILD"/profiles/*.profraw
arguments=(-instr-profile "$BUILD/all.profdata" "$BUILD/tools/orbox")
for program in "$BUILD"/tests/*_test "$BUILD"/tests/*_tests; do
  arguments+=(-object "$program")
done
# Headers are known by the folder that they are included from.
sources=("$ORBOX_ROOT/overlap" "$ORBOX_ROOT/bvh" "$BUILD/include/orbox")
llvm-cov show "${arguments[@]}" -show-branches=count \
  -show-instantiations=false "${sources[@]}" >"$BUILD/report.txt"
llvm-cov report "${arguments[@]}" -show-region-summary=false "${sources[@]}" |
  tee "$BUILD/summary.txt"

# The table's columns: functions, missed, %, lines, missed, %, branches, ...
lines="$(awk '$1 == "TOTAL" {print $7}' "$BUILD/summary.txt")"
branches="$(awk '$1 == "TOTAL" {print $10}' "$BUILD/summary.txt")"
printf '\ntools/coverage.sh: %s of the lines, %s of the branches, in %s\n' \
  "$lines" "$branches" "$(elapsed)"
awk -v have="${lines%\%}" -v least="$LEAST_PERCENT" \
  'BEGIN {exit !(have >= least)}' ||
  die "less than $LEAST_PERCENT % of the lines; see $BUILD/report.txt"
