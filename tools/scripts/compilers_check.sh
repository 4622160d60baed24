#!/usr/bin/env bash
# Builds and tests the whole tree with other compilers.
#
#   tools/scripts/compilers_check.sh [COMPILER...]
#
# COMPILER is as g++-12 or clang++-16; without any, those that CONTRIBUTING.md names.
# Installs the ones that are missing by apt. The builds go to build/COMPILER.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

compilers=("$@")
if ((${#compilers[@]} == 0)); then compilers=(g++-12 clang++-14 clang++-16); fi

ensure_dependencies release
# As the presets have it: Ninja where it is installed.
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
for compiler in "${compilers[@]}"; do
  if ! command -v "$compiler" >/dev/null; then
    # clang++-16 is in the package clang-16.
    apt_install "${compiler/clang++/clang}" || die "could not install $compiler"
  fi
  step "Building with $compiler"
  folder="$ORBOX_ROOT/build/$compiler"
  cmake -S "$ORBOX_ROOT" -B "$folder" -D CMAKE_BUILD_TYPE=Release \
    -D ORBOX_PRECOMPILE_HEADERS=ON -D ORBOX_UNITY_BUILD=ON \
    -D "CMAKE_CXX_COMPILER=$compiler" -D ORBOX_WARNINGS_AS_ERRORS=ON
  cmake --build "$folder" --parallel "$(compile_jobs)"
  step "Testing what $compiler has built"
  ctest --test-dir "$folder" --output-on-failure --parallel "$(compile_jobs)"
done
