#!/usr/bin/env bash
# Proves the Conan recipe from end to end, without ConanCenter.
#
#   tools/conan_check.sh [static] [shared]  # both, where none is named
#
# For each kind: conan create with the test package; then the package is saved,
# restored into an empty Conan home, and used from there by a project outside.
# The libraries that Orbox needs are the system's (tools/scripts/conan_system):
# this tests recipe, components and install tree, not ConanCenter's binaries.
# Leaves nothing behind.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

work="$(mktemp -d)"
conclude() {
  local status=$?
  rm -rf "$work"
  if ((status == 0)); then
    printf '\ntools/conan_check.sh: PASSED in %s\n' "$(elapsed)"
  else
    printf '\ntools/conan_check.sh: FAILED after %s; see above\n' "$(elapsed)"
  fi
}
trap conclude EXIT

kinds=("$@")
if ((${#kinds[@]} == 0)); then kinds=(static shared); fi
for kind in "${kinds[@]}"; do
  [[ "$kind" == static || "$kind" == shared ]] ||
    die "unknown kind \"$kind\"; use static or shared"
done

ensure_dependencies release

# Conan of its own, unless there is one.
if ! command -v conan >/dev/null; then
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    apt_install python3-venv || die "python3 with venv is needed"
  fi
  step "Installing Conan in a virtual environment"
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check 'conan>=2.9'
  PATH="$work/venv/bin:$PATH"
fi
conan --version

# upstream_version DEBIAN_PACKAGE: its first three numbers.
upstream_version() {
  # shellcheck disable=SC2016  # dpkg's own variable
  dpkg-query -W -f '${source:Upstream-Version}' "$1" | grep -oE '^[0-9]+(\.[0-9]+){0,2}'
}

# prepare_home HOME: an empty Conan home with the stand-ins, no remotes, and a
# profile called orbox.
prepare_home() {
  export CONAN_HOME="$1"
  conan profile detect >/dev/null 2>&1
  conan remote disable '*' >/dev/null
  local profile="$CONAN_HOME/profiles/orbox"
  {
    echo 'include(default)'
    echo '[settings]'
    echo 'compiler.cppstd=gnu20'
    echo 'build_type=Release'
    echo '[conf]'
    echo "tools.build:jobs=$(compile_jobs)"
    # Tests the package, not its speed. Without optimisation it compiles in a
    # third of the time, and in half of that if headers of other libraries are
    # read once. Each source is still compiled by itself.
    local variables='"CMAKE_CXX_FLAGS_RELEASE": "-O0 -DNDEBUG", "ORBOX_PRECOMPILE_HEADERS": "ON"'
    if command -v ccache >/dev/null; then
      variables+=', "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"'
    fi
    echo "tools.cmake.cmaketoolchain:extra_variables={$variables}"
    # One instruction set: vector code for several takes minutes to compile.
    if [[ "$(uname -m)" == x86_64 ]]; then
      echo 'tools.build:cxxflags=["-march=x86-64-v3", "-maes", "-mpclmul", "-DHWY_COMPILE_ONLY_STATIC"]'
    fi
    if command -v ninja >/dev/null; then
      echo 'tools.cmake.cmaketoolchain:generator=Ninja'
    fi
    echo '[platform_tool_requires]'
    echo "cmake/$(cmake --version | awk 'NR == 1 {print $3}')"
    echo '[replace_requires]'
  } >"$profile"
  local pair name version
  for pair in abseil:libabsl-dev boost:libboost-dev gtest:libgtest-dev \
    highway:libhwy-dev onetbb:libtbb-dev libpng:libpng-dev \
    nlohmann_json:nlohmann-json3-dev expat:libexpat1-dev zlib:zlib1g-dev; do
    name="${pair%%:*}"
    version="$(upstream_version "${pair##*:}")"
    conan export "$ORBOX_ROOT/tools/scripts/conan_system" --name "$name" \
      --version "$version" --user system >/dev/null 2>&1 ||
      die "conan export of the stand-in for $name failed"
    echo "$name/*: $name/$version@system" >>"$profile"
  done
}

# A build folder is not copied.
step "Copying the sources"
mkdir "$work/source"
tar -C "$ORBOX_ROOT" --exclude=./build --exclude=./out --exclude=./.git -cf - . |
  tar -xf - -C "$work/source"

for kind in "${kinds[@]}"; do
  options=(-pr:a orbox -o "orbox/*:shared=$([[ "$kind" == shared ]] && echo True || echo False)"
    -o "orbox/*:with_tools=True")
  # Once with all readers, once without those that need libraries.
  if [[ "$kind" == shared ]]; then
    options+=(-o "orbox/*:with_gltf=False" -o "orbox/*:with_3mf=False")
  fi

  step "conan create, $kind"
  prepare_home "$work/$kind/home"
  # The other one, for later, while there is nothing but stand-ins in it.
  cp -r "$work/$kind/home" "$work/$kind/second_home"
  conan create "$work/source" "${options[@]}" --build missing -nr

  if [[ "$kind" == shared ]]; then
    step "What the shared libraries let out"
    "$ORBOX_ROOT/tools/scripts/exported_symbols.sh" \
      "$(conan cache path "$(conan list 'orbox/*:*' --format=compact |
        grep -oE 'orbox/[^ ]*' | tail -n 1)")"
  fi

  step "Saving the package, restoring it in an empty home, $kind"
  conan cache save 'orbox/*:*' --file "$work/$kind/orbox.tgz"
  export CONAN_HOME="$work/$kind/second_home"
  conan cache restore "$work/$kind/orbox.tgz"
  rm -rf "${work:?}/$kind/home"

  step "A project outside, $kind"
  mkdir "$work/$kind/consumer"
  cp "$ORBOX_ROOT"/tests/package/{CMakeLists.txt,*.h,*.cc} \
    "$work/$kind/consumer"
  cat >"$work/$kind/consumer/conanfile.txt" <<'TEXT'
[requires]
orbox/[>=0.1]
[generators]
CMakeDeps
CMakeToolchain
[layout]
cmake_layout
TEXT
  (
    cd "$work/$kind/consumer"
    conan install . "${options[@]}" --build missing -nr
    cmake --preset conan-release
    cmake --build --preset conan-release
    # shellcheck source=/dev/null
    source build/Release/generators/conanrun.sh
    ctest --test-dir build/Release --no-tests=error --output-on-failure
  )
done
