#!/usr/bin/env bash
# Builds and tests the whole tree with other compilers.
#
#   tools/scripts/compilers_check.sh [COMPILER...]
#
# COMPILER is as g++-12, clang++-16 or clang++-16:libc++; without any, those that
# CONTRIBUTING.md names. Installs the ones that are missing by apt. The builds go to
# build/COMPILER, where a colon becomes a hyphen. libc++ has a std::string of its
# own, which Debian's Abseil and GoogleTest do not know: both are built from
# Debian's sources, in build/libc++-packages. TBB is left out there for the same
# reason.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

compilers=("$@")
if ((${#compilers[@]} == 0)); then
  compilers=(g++-12 clang++-14 clang++-16 clang++-16:libc++)
fi

packages="$ORBOX_ROOT/build/libc++-packages"
# Boost 1.74 names a base class that C++17 has removed.
libcxx_flags="-stdlib=libc++ -D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION"

# build_package COMPILER SOURCE FOLDER [ARGUMENT...]
build_package() {
  local compiler="$1" source="$2" folder="$3"
  cmake -S "$source" -B "$folder" -D CMAKE_BUILD_TYPE=Release \
    -D "CMAKE_CXX_COMPILER=$compiler" -D "CMAKE_CXX_FLAGS=$libcxx_flags" \
    -D CMAKE_CXX_STANDARD=20 -D CMAKE_POSITION_INDEPENDENT_CODE=ON \
    -D "CMAKE_INSTALL_PREFIX=$packages" "${@:4}"
  cmake --build "$folder" --parallel "$(compile_jobs)" --target install
}

# ensure_libcxx COMPILER: installs libc++ of its version, and builds the libraries
# that have to be built with it.
ensure_libcxx() {
  local compiler="$1" version="${1##*-}" sources
  apt_install "libc++-$version-dev" "libc++abi-$version-dev" googletest dpkg-dev ||
    die "could not install libc++"
  if [[ -e "$packages/done" ]]; then return; fi
  step "Building Abseil and GoogleTest with libc++"
  sources="$(mktemp -d)"
  mkdir -p "$sources/lists/partial"
  # Sources from where the machine has its packages, without a change to its lists.
  # shellcheck disable=SC2016  # apt's own variables
  apt-get indextargets 'Created-By: Packages' 'Component: main' --format \
    'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) main' |
    sort -u >"$sources/list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$sources/list"
    -o Dir::Etc::sourceparts=/nonexistent -o "Dir::State::lists=$sources/lists")
  (cd "$sources" && "${apt[@]}" update && "${apt[@]}" source abseil)
  build_package "$compiler" "$(echo "$sources"/abseil-*/)" "$sources/abseil" \
    -D ABSL_PROPAGATE_CXX_STD=ON
  build_package "$compiler" /usr/src/googletest "$sources/googletest"
  rm -rf "$sources"
  touch "$packages/done"
}

ensure_dependencies release
# The generator of the presets: Ninja if it is installed.
if command -v ninja >/dev/null; then export CMAKE_GENERATOR=Ninja; fi
for name in "${compilers[@]}"; do
  compiler="${name%%:*}"
  if ! command -v "$compiler" >/dev/null; then
    # clang++-16 is in the package clang-16.
    apt_install "${compiler/clang++/clang}" || die "could not install $compiler"
  fi
  # A colon would end a path in lists of them.
  folder="$ORBOX_ROOT/build/${name/:/-}"
  arguments=()
  if [[ "$name" == *:libc++ ]]; then
    ensure_libcxx "$compiler"
    arguments=(-D "CMAKE_CXX_FLAGS=$libcxx_flags" -D ORBOX_WITH_TBB=OFF
      -D "CMAKE_PREFIX_PATH=$packages")
  fi
  step "Building with $name"
  cmake -S "$ORBOX_ROOT" -B "$folder" -D CMAKE_BUILD_TYPE=Release \
    -D ORBOX_PRECOMPILE_HEADERS=ON -D ORBOX_UNITY_BUILD=ON \
    -D "CMAKE_CXX_COMPILER=$compiler" -D ORBOX_WARNINGS_AS_ERRORS=ON \
    ${arguments[@]+"${arguments[@]}"}
  cmake --build "$folder" --parallel "$(compile_jobs)"
  step "Testing what $name has built"
  ctest --test-dir "$folder" --output-on-failure --parallel "$(compile_jobs)"
done
