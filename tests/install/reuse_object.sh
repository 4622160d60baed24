#!/bin/sh
# A compiler launcher for subproject_test.cmake: takes a library's object from
# the build in $ORBOX_BUILT, which compiled the same source, and calls the
# compiler for all else. The sources below are compiled even so: each needs a
# different one of the libraries that the build has to find.
#
#   ORBOX_BUILT=build/release reuse_object.sh COMPILER ARGUMENT...

# SPDX-License-Identifier: Apache-2.0

set -eu

source=""
object=""
dependencies=""
previous=""
for argument in "$@"; do
  case "$previous" in
    -c) source="$argument" ;;
    -o) object="$argument" ;;
    -MF) dependencies="$argument" ;;
  esac
  previous="$argument"
done

# The folder of the library's objects in the build.
path="$PWD/$object"
case "$path" in
  */orbox_overlap.dir/*) built="overlap/CMakeFiles/orbox_overlap.dir" ;;
  */orbox_bvh.dir/*) built="bvh/CMakeFiles/orbox_bvh.dir" ;;
  */bvh/*/CMakeFiles/orbox_*.dir/*)
    name="${path##*/CMakeFiles/orbox_}"
    name="${name%%.dir/*}"
    built="bvh/$name/CMakeFiles/orbox_$name.dir"
    ;;
  *) exec "$@" ;;
esac
built="$ORBOX_BUILT/$built/${path#*/"${built##*/}"/}"
# The host project's flags must not remove these.
case " $* " in
  *" -std=c++20 "*) ;;
  *)
    echo "reuse_object.sh: $source is not compiled as C++20" >&2
    exit 1
    ;;
esac
case " $* " in
  *" -ffp-contract=off "*) ;;
  *)
    echo "reuse_object.sh: $source is compiled without -ffp-contract=off" >&2
    exit 1
    ;;
esac
# A source that stands for several (ORBOX_UNITY_BUILD) names them.
names="$source"
case "$source" in
  */Unity/*) names="$(cat "$source")" ;;
esac
case "$names" in
  */overlap/base/instruction_set.cc*) exec "$@" ;;  # Highway
  */overlap/triangles/internal/exact_triangles.cc*) exec "$@" ;;  # Boost
  */bvh/base/internal/workers.cc*) exec "$@" ;;  # oneTBB
  */bvh/mesh/mesh.cc*) exec "$@" ;;  # Abseil
esac

if [ ! -f "$built" ]; then exec "$@"; fi
cp "$built" "$object"
if [ -n "$dependencies" ]; then
  printf '%s: %s\n' "$object" "$source" >"$dependencies"
fi
