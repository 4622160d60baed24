#!/usr/bin/env bash
# Installs what is missing, builds the fuzzers with Clang, and runs them.
#
#   tools/fuzz.sh [SECONDS | --brief] [FUZZER...]
#
# Each fuzzer runs for SECONDS (120 by default), ten at a time for each core, so
# that two cores run all of them at once: all of them, unless some are named
# (read_obj, mesh_queries, ...: the programs of tests/fuzz). They start from
# their seeds and from what earlier runs have found to be of interest, in
# build/asan-ubsan/corpus. Inputs that fail are kept in build/asan-ubsan/found.
# --brief runs a fixed number of inputs of each instead, from its seeds and a
# fixed random seed, and measures no time. Ends with a table and one line that
# says whether any failed.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

readonly PRESET=asan-ubsan
readonly BUILD="$ORBOX_ROOT/build/$PRESET"
readonly FOUND="$BUILD/found" LOGS="$BUILD/logs"

# Longer inputs find no other errors, and are slower.
readonly LONGEST=4096
# A second is long for any of them; sanitizers and a busy machine make it more.
readonly HANGS_AFTER=1200
readonly MOST_MEMORY_MB=2048
# The whole stack of each allocation would take half the time of the fuzzers of
# meshes. A failed input, run by itself, shows it. Checks for reads of a returned
# function's stack would cost tests a third of their time, so only the fuzzers
# make them.
export ASAN_OPTIONS="malloc_context_size=1:detect_stack_use_after_return=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# Inputs of --brief: queries of meshes take a hundred times as long as readers.
readonly BRIEF_QUERIES=200 BRIEF_READERS=5000

seconds="${1:-120}"
case "$seconds" in
  --brief) ;;
  -h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  '' | *[!0-9]*)
    printf 'fuzz.sh: "%s" is no number of seconds\n' "$seconds" >&2
    exit 2
    ;;
esac
shift $(($# > 0 ? 1 : 0))

all_fuzzers() {
  local source
  for source in "$ORBOX_ROOT"/tests/fuzz/*_fuzz.cc; do
    basename "$source" _fuzz.cc
  done
}

if (($# > 0)); then fuzzers=("$@"); else mapfile -t fuzzers < <(all_fuzzers); fi
for fuzzer in "${fuzzers[@]}"; do
  if [[ ! -f "$ORBOX_ROOT/tests/fuzz/${fuzzer}_fuzz.cc" ]]; then
    printf 'fuzz.sh: there is no fuzzer "%s"; there are:\n' "$fuzzer" >&2
    all_fuzzers >&2
    exit 2
  fi
done

# run_fuzzer NAME: one run, with its output in a log.
run_fuzzer() {
  local name="$1" corpus="$BUILD/corpus/$1" seeds status=0 limits
  seeds="$ORBOX_ROOT/tests/fuzz/corpus/$name"
  if [[ "$seconds" == --brief ]]; then
    corpus="$BUILD/corpus-brief/$name"
    rm -rf "$corpus"
    case "$name" in
      mesh_pairs | mesh_queries | motions | scenes) limits="$BRIEF_QUERIES" ;;
      *) limits="$BRIEF_READERS" ;;
    esac
    limits="-seed=1 -runs=$limits"
  else
    # By the fuzzer's own time only: all it finds is to be written.
    limits="-max_total_time=$seconds"
    export ORBOX_FUZZ_COSTS=1
  fi
  mkdir -p "$corpus"
  cp "$seeds"/* "$corpus"/
  # shellcheck disable=SC2086  # words
  "$BUILD/tests/fuzz/${name}_fuzz" $limits \
    -max_len="$LONGEST" -timeout="$HANGS_AFTER" -rss_limit_mb="$MOST_MEMORY_MB" \
    -artifact_prefix="$FOUND/$name-" -print_final_stats=1 "$corpus" \
    >"$LOGS/$name.log" 2>&1 || status=$?
  echo "$status" >"$LOGS/$name.status"
}

# field NAME PATTERN: the last number that follows PATTERN in the log.
field() {
  grep -oE "$2 *[0-9]+" "$LOGS/$1.log" | tail -n 1 | grep -oE '[0-9]+$' ||
    echo '-'
}

# Prints the table; fails where a fuzzer did.
report() {
  local fuzzer result=0 verdict
  printf '\n%-14s %12s %10s %10s  %s\n' fuzzer runs coverage 'new inputs' result
  for fuzzer in "${fuzzers[@]}"; do
    verdict=fine
    if [[ "$(cat "$LOGS/$fuzzer.status" 2>/dev/null)" != 0 ]]; then
      verdict="FAILED, see $LOGS/$fuzzer.log"
      result=1
    fi
    printf '%-14s %12s %10s %10s  %s\n' "$fuzzer" \
      "$(field "$fuzzer" 'number_of_executed_units:')" \
      "$(field "$fuzzer" ' cov:')" \
      "$(field "$fuzzer" 'new_units_added:')" "$verdict"
  done
  show_failures
  return "$result"
}

# The end of each failed log has the input, in base64: on other machines the
# build is deleted before anybody can read it.
show_failures() {
  local fuzzer
  for fuzzer in "${fuzzers[@]}"; do
    if [[ "$(cat "$LOGS/$fuzzer.status" 2>/dev/null)" == 0 ]]; then continue; fi
    printf '\n==> The end of %s.log\n' "$fuzzer"
    tail -n 40 "$LOGS/$fuzzer.log"
  done
}

conclude() {
  local status=$?
  if ((status == 0)); then
    printf '\ntools/fuzz.sh: PASSED, no input failed, in %s\n' "$(elapsed)"
  else
    printf '\ntools/fuzz.sh: FAILED after %s; inputs are in %s\n' \
      "$(elapsed)" "$FOUND"
  fi
}
trap conclude EXIT

ensure_dependencies "$PRESET"
build_preset "$PRESET" "${fuzzers[@]/%/_fuzz}"

mkdir -p "$FOUND" "$LOGS"
for fuzzer in "${fuzzers[@]}"; do rm -f "$LOGS/$fuzzer".{log,status}; done
amount="$seconds s"
if [[ "$seconds" == --brief ]]; then amount="some inputs"; fi
step "Running ${#fuzzers[@]} fuzzers, $amount each"
export -f run_fuzzer
export BUILD FOUND LOGS ORBOX_ROOT LONGEST HANGS_AFTER MOST_MEMORY_MB seconds
export BRIEF_QUERIES BRIEF_READERS
# shellcheck disable=SC2016  # expanded by the shell that xargs runs
printf '%s\n' "${fuzzers[@]}" |
  xargs -P "$((10 * $(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)))" -I '{}' \
    bash -c 'run_fuzzer "$1"' run_fuzzer '{}'
report
