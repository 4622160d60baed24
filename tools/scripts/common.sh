# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=bash
# Functions for tools/demo.sh, tools/test.sh and .ci/run: find or install the
# packages that the build needs, configure and build a preset. Sourced, not run.
# The scripts never prompt and read no input.

set -euo pipefail

# A script that is interrupted fails, even if the last command succeeded: its
# last line must not say that all passed.
trap 'exit 130' INT
trap 'exit 143' TERM

ORBOX_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# Set by ensure_dependencies where the libraries come from Conan.
ORBOX_TOOLCHAIN=""

ORBOX_APT_UPDATED=""

# Set by ensure_python: the Python that the package is built for and tested with.
ORBOX_PYTHON=""

# Set by ensure_mpi: ON where orbox::mpi is to be built and tested.
ORBOX_WITH_MPI=""

# ON if tests are to be built. A script that sets it to OFF needs neither
# GoogleTest nor the time to configure tests. One build folder serves both.
ORBOX_BUILD_TESTS=ON

# The toolchain of preset arm64 in CMakePresets.json.
readonly ARM64_TOOLCHAIN=cmake/toolchains/aarch64-linux-gnu.cmake

# All that the build needs, for messages.
readonly DEBIAN_PACKAGES="g++ cmake ninja-build libboost-dev libabsl-dev \
libhwy-dev libtbb-dev libpng-dev nlohmann-json3-dev libexpat1-dev zlib1g-dev \
libgtest-dev libgmock-dev"

step() { printf '\n==> %s\n' "$*"; }

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

elapsed() { printf '%d min %02d s' $((SECONDS / 60)) $((SECONDS % 60)); }

# Prints the number of compilers that may run at once: one per core, but no more
# than fit the free memory or a container's limit. A compilation of vector code
# for several instruction sets takes up to about 1.5 GB.
compile_jobs() {
  local cores memory_kb limit
  cores="$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"
  memory_kb="$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null ||
    true)"
  limit="$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)"
  if [[ "$limit" =~ ^[0-9]+$ ]] &&
    { [[ -z "$memory_kb" ]] || ((limit / 1024 < memory_kb)); }; then
    memory_kb=$((limit / 1024))
  fi
  if [[ -n "$memory_kb" ]] && ((memory_kb / 1500000 < cores)); then
    cores=$((memory_kb / 1500000))
  fi
  echo $((cores > 0 ? cores : 1))
}

# version_at_least HAVE WANT
version_at_least() {
  [[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" == "$2" ]]
}

have_compiler() {
  command -v "${CXX:-c++}" >/dev/null || command -v g++ >/dev/null ||
    command -v clang++ >/dev/null
}

have_cmake() {
  command -v cmake >/dev/null &&
    version_at_least "$(cmake --version | awk 'NR == 1 {print $3}')" 3.25
}

# The presets with sanitizers, and that of coverage, name clang++; its run-time
# libraries are packages of their own.
have_sanitizers() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, long);
int LLVMFuzzerTestOneInput(const char*, long) { return 0; }\n' |
    clang++ -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - \
      2>/dev/null
}

# missing_tools PRESET: the Debian packages of the build tools that are missing,
# one per line.
missing_tools() {
  have_compiler || echo g++
  case "$1" in
    asan-ubsan | tsan | coverage) have_sanitizers || echo clang libclang-rt-dev llvm ;;
    arm64)
      command -v aarch64-linux-gnu-g++ >/dev/null || echo g++-aarch64-linux-gnu
      command -v qemu-aarch64 >/dev/null || echo qemu-user
      ;;
  esac
  have_cmake || echo cmake
  command -v ninja >/dev/null || command -v make >/dev/null || echo ninja-build
}

# missing_libraries PRESET: the Debian packages of the libraries that are
# missing, one per line. Requires the build tools.
missing_libraries() {
  local build output architecture=""
  build="$(mktemp -d)"
  local arguments=(-S "$ORBOX_ROOT/tools/scripts/probe" -B "$build")
  if [[ "$1" == arm64 ]]; then
    architecture=":arm64"
    arguments+=(-D "CMAKE_TOOLCHAIN_FILE=$ORBOX_ROOT/$ARM64_TOOLCHAIN")
  fi
  if command -v ninja >/dev/null; then arguments+=(-G Ninja); fi
  if ! output="$(cmake "${arguments[@]}" 2>&1)"; then
    rm -rf "$build"
    printf '%s\n' "$output" >&2
    return 1
  fi
  rm -rf "$build"
  local name
  while read -r name; do
    case "$name" in
      compiler) echo g++ ;;
      Boost::headers) echo "libboost-dev$architecture" ;;
      absl::status) echo "libabsl-dev$architecture" ;;
      hwy::hwy) echo "libhwy-dev$architecture" ;;
      TBB::tbb) echo "libtbb-dev$architecture" ;;
      PNG::PNG) echo "libpng-dev$architecture" ;;
      nlohmann_json::nlohmann_json) echo nlohmann-json3-dev ;;
      EXPAT::EXPAT) echo "libexpat1-dev$architecture" ;;
      ZLIB::ZLIB) echo "zlib1g-dev$architecture" ;;
      GTest::gtest) [[ "$ORBOX_BUILD_TESTS" == OFF ]] || echo "libgtest-dev$architecture" ;;
      GTest::gmock) [[ "$ORBOX_BUILD_TESTS" == OFF ]] || echo "libgmock-dev$architecture" ;;
    esac
  done < <(printf '%s\n' "$output" | sed -n 's/^-- missing: //p')
}

# Prints the prefix that runs a command as root: nothing for root, else sudo if
# it needs no password or can prompt for one at a terminal. Fails if there is no
# way.
root_prefix() {
  if [[ "$(id -u)" == 0 ]]; then
    echo ""
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    echo "sudo -n"
  elif command -v sudo >/dev/null && [[ -t 0 && -z "${CI:-}" ]]; then
    echo "sudo"
  else
    return 1
  fi
}

apt_install() {
  local prefix
  if ! prefix="$(root_prefix)"; then
    printf 'Missing: %s\n' "$*" >&2
    printf 'Installing needs root, and there is no sudo that works. As root:\n' \
      >&2
    printf '  apt-get update && apt-get install -y %s\n' "$DEBIAN_PACKAGES" >&2
    return 1
  fi
  step "Installing $*"
  # shellcheck disable=SC2086  # the prefix is no word or some
  if [[ "$*" == *:arm64* ]] &&
    ! dpkg --print-foreign-architectures | grep -qx arm64; then
    $prefix dpkg --add-architecture arm64
    ORBOX_APT_UPDATED=""
  fi
  # A failed update may be one broken source of many: the install decides.
  # shellcheck disable=SC2086
  if [[ -z "$ORBOX_APT_UPDATED" ]]; then
    $prefix apt-get -q -o DPkg::Lock::Timeout=300 update ||
      printf 'apt-get update failed; trying with the lists there are.\n' >&2
    ORBOX_APT_UPDATED=yes
  fi
  # shellcheck disable=SC2086
  $prefix env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
    install --no-install-recommends "$@" </dev/null
}

say_what_to_install() {
  cat >&2 <<TEXT
Orbox needs, and this machine lacks some of it (named above by their Debian
packages):
  a C++20 compiler (GCC 12 and Clang 14 are tested), CMake 3.25, Ninja or make,
  Boost 1.74 (headers), Abseil 20220623, Highway 1.0.3, oneTBB 2021,
  libpng 1.6, nlohmann-json 3.11, Expat 2.4, zlib 1.2.11, GoogleTest 1.12
or newer of each. Ways to get them:
  Debian, Ubuntu  apt-get install $DEBIAN_PACKAGES
  Fedora          dnf install gcc-c++ cmake ninja-build boost-devel
                  abseil-cpp-devel highway-devel tbb-devel libpng-devel
                  json-devel expat-devel zlib-devel gtest-devel gmock-devel
  Arch            pacman -S gcc cmake ninja boost abseil-cpp highway onetbb libpng
                  nlohmann-json expat zlib gtest
  macOS           brew install cmake ninja boost abseil highway tbb libpng
                  nlohmann-json expat zlib googletest
  anywhere        pip install 'conan>=2' cmake ninja, then run this again: the
                  libraries then come from Conan
TEXT
}

# conan_install BUILD_TYPE: lets Conan bring the libraries. Requires the build
# tools.
conan_install() {
  step "Getting the libraries from Conan"
  local folder="$ORBOX_ROOT/build/conan/$1"
  if [[ ! -f "$(conan profile path default 2>/dev/null)" ]]; then
    conan profile detect
  fi
  conan install "$ORBOX_ROOT" --output-folder "$folder" --build missing \
    -s "build_type=$1" -s compiler.cppstd=gnu20 \
    -c tools.build:skip_test=False
  ORBOX_TOOLCHAIN="$(find "$folder" -name conan_toolchain.cmake | head -n 1)"
  [[ -n "$ORBOX_TOOLCHAIN" ]] || die "Conan left no toolchain in $folder"
}

# ensure_dependencies PRESET: makes sure that the packages for the build of
# PRESET are there; installs only missing ones.
ensure_dependencies() {
  step "Looking for a compiler, CMake and the libraries"
  local missing
  missing="$(missing_tools "$1" | xargs)"
  if [[ -n "$missing" ]]; then
    if ! command -v apt-get >/dev/null; then
      printf 'Missing: %s\n' "$missing" >&2
      say_what_to_install
      exit 1
    fi
    # shellcheck disable=SC2086  # one word per package
    apt_install $missing || die "could not install: $missing"
    missing="$(missing_tools "$1" | xargs)"
    [[ -z "$missing" ]] ||
      die "installed, and still too old or missing: $missing (CMake 3.25 is" \
        "needed; 'pip install cmake' brings a new one)"
  fi

  missing="$(missing_libraries "$1" | xargs)" || die "the compiler does not work"
  if [[ -n "$missing" ]]; then
    if command -v apt-get >/dev/null; then
      # shellcheck disable=SC2086
      apt_install $missing || die "could not install: $missing"
      missing="$(missing_libraries "$1" | xargs)"
      if [[ -n "$missing" ]]; then
        printf 'Installed, and still too old or missing: %s\n' "$missing" >&2
        say_what_to_install
        exit 1
      fi
    elif command -v conan >/dev/null && [[ "$1" != arm64 ]]; then
      # Conan's packages serve one build type: that of CMakePresets.json.
      if [[ "$1" == release ]]; then
        conan_install Release
      else
        conan_install Debug
      fi
    else
      printf 'Missing: %s\n' "$missing" >&2
      say_what_to_install
      exit 1
    fi
  fi
  echo "Found all."
  ensure_test_tools
}

# Installs the Python module that a test needs, but not the build. Without it
# the test is skipped, with a message.
ensure_test_tools() {
  if [[ "$ORBOX_BUILD_TESTS" == OFF ]] ||
    python3 -c 'import jsonschema' 2>/dev/null; then
    return
  fi
  if command -v apt-get >/dev/null && apt_install python3 python3-jsonschema; then
    return
  fi
  printf 'No jsonschema for python3: the test command_schemas is skipped.\n' >&2
}

# ensure_python: makes a virtual environment, build/venv, for the Python package
# and its tests, and sets ORBOX_PYTHON. If its packages cannot be installed,
# prints a message and leaves ORBOX_PYTHON empty: then the package is neither
# built nor tested.
ensure_python() {
  step "Looking for Python and what its tests need"
  local venv="$ORBOX_ROOT/build/venv"
  local wanted="$ORBOX_ROOT/tools/python/requirements.txt"
  if ! python3 -c 'import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 10) or not os.path.exists(header))' 2>/dev/null
  then
    if ! command -v apt-get >/dev/null ||
      ! apt_install python3 python3-dev python3-venv; then
      printf 'No Python 3.10 with its headers: its package is left out.\n' >&2
      return
    fi
  fi
  if ! cmp -s "$wanted" "$venv/requirements.txt"; then
    rm -rf "$venv"
    if ! python3 -m venv "$venv" ||
      ! "$venv/bin/python" -m pip --disable-pip-version-check install -q \
        -r "$wanted"; then
      printf 'pip cannot install %s: the Python package is left out.\n' \
        "$(xargs <"$wanted")" >&2
      return
    fi
    cp "$wanted" "$venv/requirements.txt"
  fi
  # Not there for every Python; without it, the tests of orbox.ifc are skipped.
  local more="$ORBOX_ROOT/tools/python/requirements-optional.txt"
  if ! cmp -s "$more" "$venv/requirements-optional.txt"; then
    if "$venv/bin/python" -m pip --disable-pip-version-check install -q \
      --only-binary :all: -r "$more"; then
      cp "$more" "$venv/requirements-optional.txt"
    else
      printf 'pip cannot install %s: its tests are skipped.\n' \
        "$(xargs <"$more")" >&2
    fi
  fi
  ORBOX_PYTHON="$venv/bin/python"
  echo "Found all."
}

# ensure_mpi: makes sure that MPI is there, and sets ORBOX_WITH_MPI. If MPI cannot
# be installed, prints a message and leaves ORBOX_WITH_MPI empty: then orbox::mpi
# is neither built nor tested. MPICH, which Debian has in addition to Open MPI, is
# tested if it is installed.
ensure_mpi() {
  step "Looking for MPI"
  if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
    if ! command -v apt-get >/dev/null ||
      ! apt_install libopenmpi-dev openmpi-bin libmpich-dev mpich; then
      printf 'No MPI: orbox::mpi is left out, and its tests are skipped.\n' >&2
      return
    fi
  fi
  ORBOX_WITH_MPI=ON
  echo "Found all."
}

# build_preset PRESET [TARGET...]: configures build/PRESET and builds it.
build_preset() {
  local preset="$1" jobs
  shift
  jobs="$(compile_jobs)"
  step "Configuring build/$preset"
  local arguments=(--preset "$preset" -D "ORBOX_BUILD_TESTS=$ORBOX_BUILD_TESTS")
  # A build folder keeps the generator it was made with.
  if [[ ! -f "$ORBOX_ROOT/build/$preset/CMakeCache.txt" ]] &&
    command -v ninja >/dev/null; then
    arguments+=(-G Ninja)
  fi
  if command -v ccache >/dev/null; then
    # Without it ccache keeps nothing that includes precompiled headers.
    export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
    arguments+=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  if [[ -n "$ORBOX_TOOLCHAIN" ]]; then
    arguments+=(-D "CMAKE_TOOLCHAIN_FILE=$ORBOX_TOOLCHAIN")
  fi
  if [[ -n "$ORBOX_PYTHON" ]]; then
    arguments+=(-D ORBOX_BUILD_PYTHON=ON -D "Python_EXECUTABLE=$ORBOX_PYTHON")
  fi
  if [[ -n "$ORBOX_WITH_MPI" ]]; then
    arguments+=(-D ORBOX_WITH_MPI=ON)
  fi
  (cd "$ORBOX_ROOT" && cmake "${arguments[@]}")
  step "Building build/$preset with $jobs jobs"
  local targets=()
  if (($# > 0)); then targets=(--target "$@"); fi
  (cd "$ORBOX_ROOT" && cmake --build --preset "$preset" --parallel "$jobs" \
    ${targets[@]+"${targets[@]}"})
}
