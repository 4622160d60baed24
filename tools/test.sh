#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   tools/test.sh [PRESET]
#
# PRESET is release (the default), dev, asan-ubsan or tsan; the build goes to
# build/PRESET. Ends with one line that says whether all tests passed.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

preset="${1:-release}"
case "$preset" in
  release | dev | asan-ubsan | tsan) ;;
  -h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  *)
    printf 'test.sh: unknown preset "%s"; use release, dev, asan-ubsan or tsan\n' \
      "$preset" >&2
    exit 2
    ;;
esac

tests="all tests"
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

ensure_dependencies "$preset"
# An interpreter without a sanitizer cannot load a module with one.
case "$preset" in
  release | dev)
    ensure_python
    [[ -n "$ORBOX_PYTHON" ]] || tests="all tests but those of the Python package"
    ;;
esac
build_preset "$preset"
step "Running the tests"
cd "$ORBOX_ROOT"
ctest --preset "$preset" --parallel "$(compile_jobs)"
