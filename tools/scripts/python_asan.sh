#!/usr/bin/env bash
# Runs the tests of the Python package, its fuzzer among them, on an extension
# with the address and undefined behaviour sanitizers.
#
#   tools/scripts/python_asan.sh [PYTEST ARGUMENTS...]
#
# Builds it in build/asan-python, by Clang. The interpreter has no sanitizer: the
# sanitizer's library is loaded before it. Leaks are not looked for, since the
# interpreter leaves memory behind.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ "${1:-}" == -h || "${1:-}" == --help ]]; then
  sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  exit 0
fi
ORBOX_BUILD_TESTS=OFF
ensure_dependencies asan-ubsan
ensure_python
[[ -n "$ORBOX_PYTHON" ]] || die "Python or its packages cannot be had"
folder="$ORBOX_ROOT/build/asan-python"

step "Building the extension with sanitizers in $folder"
arguments=(--preset asan-ubsan -B "$folder" -D ORBOX_BUILD_TESTS=OFF
  -D ORBOX_BUILD_FUZZERS=OFF -D ORBOX_BUILD_TOOLS=OFF
  -D ORBOX_BUILD_PYTHON=ON -D "Python_EXECUTABLE=$ORBOX_PYTHON")
if [[ ! -f "$folder/CMakeCache.txt" ]] && command -v ninja >/dev/null; then
  arguments+=(-G Ninja)
fi
if command -v ccache >/dev/null; then
  arguments+=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
(cd "$ORBOX_ROOT" && cmake "${arguments[@]}" >/dev/null)
cmake --build "$folder" --parallel "$(compile_jobs)" --target orbox_python

step "Running the tests of the Python package"
runtime="$(clang++ -print-file-name=libclang_rt.asan-x86_64.so)"
[[ -f "$runtime" ]] || runtime="$(clang++ -print-file-name=libclang_rt.asan.so)"
[[ -f "$runtime" ]] || die "Clang has no shared library of its address sanitizer"
# Type checkers and stubs have nothing to do with it; notebooks take long.
cd "$folder"
PYTHONPATH="$folder/python" PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc \
  ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=1" \
  UBSAN_OPTIONS=print_stacktrace=1 LD_PRELOAD="$runtime" \
  "$ORBOX_PYTHON" -m pytest -p no:cacheprovider "$ORBOX_ROOT/tests/python" \
  --ignore "$ORBOX_ROOT/tests/python/types_test.py" \
  --ignore "$ORBOX_ROOT/tests/python/examples_test.py" "$@"
printf '\npython_asan.sh: PASSED in %s\n' "$(elapsed)"
