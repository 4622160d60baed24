#!/usr/bin/env bash
# Checks the public headers with clang-tidy, by the rules of .clang-tidy: orbox.h and
# all that it includes. Installs clang-tidy by apt where it can.
#
#   tools/scripts/tidy_check.sh BUILD [SOURCE...]
#
# BUILD is a folder that CMake has configured, such as build/release: the headers
# are found through it. With SOURCE, checks these sources and the headers that
# they include instead; a source takes from 10 to 40 seconds.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Other versions know other checks.
readonly WANTED_VERSION=14

(($# > 0)) || die "usage: tidy_check.sh BUILD [SOURCE...]"
build="$(realpath "$1")"
shift
[[ -d "$build/include/orbox" ]] || die "$build/include/orbox is missing; configure $build first"

tidy="clang-tidy-$WANTED_VERSION"
if ! command -v "$tidy" >/dev/null && command -v apt-get >/dev/null; then
  apt_install "$tidy" || echo "Could not install $tidy."
fi
if ! command -v "$tidy" >/dev/null; then
  step "Headers not checked: $tidy is not here"
  exit 0
fi

cd "$ORBOX_ROOT"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
if (($# == 0)); then set -- "$scratch/headers.cc"; fi
echo '#include "orbox/orbox.h"' >"$scratch/headers.cc"
step "Checking with $tidy: $*"
flags=(-std=c++20 "-I$build/include")
if [[ "$(uname -m)" == x86_64 ]]; then
  # One instruction set in sources of vector code, as under sanitizers.
  flags+=(-march=x86-64-v3 -maes -mpclmul -DHWY_COMPILE_ONLY_STATIC)
fi
"$tidy" --quiet --config-file=.clang-tidy "$@" -- "${flags[@]}" 2>/dev/null
echo "All clean."
