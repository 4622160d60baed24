#!/usr/bin/env bash
# Compiles what may be compiled for Windows, by MinGW: each public header of
# overlap/ alone, and the sources of overlap/, with Highway's and Boost's headers
# from this machine. Nothing is linked and nothing runs. bvh/ is left out:
# it needs Abseil, which no package has for Windows.
#
#   tools/scripts/mingw_check.sh
#
# Installs the compiler by apt where it can.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readonly COMPILER=x86_64-w64-mingw32-g++-posix

command -v "$COMPILER" >/dev/null ||
  apt_install g++-mingw-w64-x86-64-posix || die "could not install $COMPILER"
ensure_dependencies release

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/include/orbox"
ln -s "$ORBOX_ROOT/overlap" "$work/include/orbox/overlap"
# The machine's own headers would hide those of Windows.
for library in boost hwy; do ln -s "/usr/include/$library" "$work/include/"; done

# The warnings are the build's (cmake/OrboxTarget.cmake).
flags=(-std=c++20 -O1 -ffp-contract=off -Wall -Wextra -Wno-unknown-pragmas
  -Wno-missing-field-initializers -Wno-restrict -Werror
  -isystem "$work/include" -I "$work/include" -c -o /dev/null -x c++)
cd "$ORBOX_ROOT"

# compile_each CODE: for each name on standard input, ended by a zero, CODE in
# which {} is the name.
compile_each() {
  # shellcheck disable=SC2016  # expanded by the inner shell
  xargs -0 -P "$(compile_jobs)" -I{} bash -c \
    'printf "%s\n" "$0" | "$@" - || { echo "in {}" >&2; exit 255; }' "$1" \
    "$COMPILER" "${flags[@]}"
}

step "Compiling the headers of overlap/"
find overlap -name '*.h' -not -path '*/internal/*' -print0 |
  compile_each '#include "orbox/{}"'
step "Compiling the sources of overlap/"
find overlap -name '*.cc' -print0 | compile_each '#include "orbox/{}"'
echo "All compile."
