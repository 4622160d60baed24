#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   tools/test.sh [PRESET] [--brief]
#
# PRESET is release (the default), dev, asan-ubsan, tsan or arm64; the build goes
# to build/PRESET. arm64 compiles for AArch64 by Debian's cross compiler, with
# libraries of that architecture, which it lets dpkg install, and runs the tests
# under qemu. --brief builds and runs the golden hashes and the tests of vector
# code alone. Ends with one line that says whether all tests passed.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

preset=""
tests="all tests"
programs=()
for word in "$@"; do
  case "$word" in
    release | dev | asan-ubsan | tsan | arm64) preset="$word" ;;
    --brief)
      tests="golden hashes and vector code"
      programs=(golden_tests overlap_base_tests overlap_lanes_tests)
      ;;
    -h | --help)
      sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit 0
      ;;
    *)
      printf 'test.sh: unknown preset "%s"; use release, dev, asan-ubsan, tsan or arm64\n' \
        "$word" >&2
      exit 2
      ;;
  esac
done
preset="${preset:-release}"

conclude() {
  local status=$?
  if ((status == 0)); then
    printf '\ntools/test.sh %s: PASSED, %s, in %s\n' "$preset" "$tests" \
      "$(elapsed)"
  else
    printf '\ntools/test.sh %s: FAILED after %s; the reason stands above\n' \
      "$preset" "$(elapsed)"
  fi
}
trap conclude EXIT

# run_programs PROGRAM...: runs all tests of the programs, except two kinds.
# Tests that build trees in every way take long under an emulator. Tests that
# start themselves again cannot run under one.
run_programs() {
  local emulator=() folder="$ORBOX_ROOT/build/$preset/tests" program
  if [[ "$preset" == arm64 ]]; then emulator=(qemu-aarch64); fi
  for program in "$@"; do
    step "Running $program"
    ${emulator[@]+"${emulator[@]}"} "$folder/$program" --gtest_brief=1 \
      --gtest_filter='-*Golden*.*However*:*DeathTest.*' \
      --gtest_output="xml:$folder/reports/$program.xml"
  done
}

ensure_dependencies "$preset"
if ((${#programs[@]} == 0)); then
  # An interpreter without a sanitizer cannot load a module with one.
  case "$preset" in
    release | dev)
      ensure_python
      [[ -n "$ORBOX_PYTHON" ]] ||
        tests="all tests but those of the Python package"
      ;;
  esac
  # The thread sanitizer does not know the locks of MPI's libraries.
  case "$preset" in
    release | dev | asan-ubsan)
      ensure_mpi
      [[ -n "$ORBOX_WITH_MPI" ]] || tests="$tests, without MPI"
      ;;
  esac
fi
build_preset "$preset" ${programs[@]+"${programs[@]}"}
cd "$ORBOX_ROOT"
if ((${#programs[@]} > 0)); then
  run_programs "${programs[@]}"
else
  step "Running the tests"
  ctest --preset "$preset" --parallel "$(compile_jobs)"
fi
report="build/$preset/tests/reports/golden_tests.xml"
if [[ -f "$report" ]]; then tools/scripts/golden_hash.sh "$report"; fi
