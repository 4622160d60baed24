#!/usr/bin/env bash
# Makes a Debian package, installs it, uses it and removes it.
#
#   tools/scripts/deb_check.sh
#
# Needs root. Builds the release preset without tests. The system is afterwards
# as it was: not a file of the package stays.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v dpkg >/dev/null || die "there is no dpkg here"
prefix="$(root_prefix)" || die "installing needs root"
as_root() {
  # shellcheck disable=SC2086  # the prefix is no word or some
  $prefix "$@"
}

work="$(mktemp -d)"
cleanup() {
  local status=$?
  as_root dpkg --purge orbox >/dev/null 2>&1 || true
  rm -rf "$work"
  if ((status == 0)); then
    printf '\ntools/scripts/deb_check.sh: PASSED in %s\n' "$(elapsed)"
  else
    printf '\ntools/scripts/deb_check.sh: FAILED after %s; see above\n' "$(elapsed)"
  fi
}

dpkg --status orbox >/dev/null 2>&1 && die "orbox is installed; remove it first"
trap cleanup EXIT

ORBOX_BUILD_TESTS=OFF
ensure_dependencies release
# CPack calls `file` to find the programs whose libraries the package needs.
if ! command -v dpkg-shlibdeps >/dev/null || ! command -v file >/dev/null; then
  apt_install dpkg-dev file
fi
build_preset release

step "Making the package"
(cd "$ORBOX_ROOT/build/release" && cpack -G DEB -B "$work/package")
package="$(find "$work/package" -maxdepth 1 -name 'orbox_*.deb')"
dpkg --info "$package"

step "Installing it"
as_root dpkg --install "$package"
dpkg --listfiles orbox >"$work/files"
grep -q '^/usr/bin/orbox$' "$work/files"
grep -q '^/usr/share/man/man1/orbox.1' "$work/files"

step "Using it"
cd "$work"
/usr/bin/orbox --version
/usr/bin/orbox gen --triangles 1000 -o knot.ply
/usr/bin/orbox nearest knot.ply --point 0,0,0 --format json
# A project finds the installed libraries by Orbox's CMake package.
cp "$ORBOX_ROOT"/tests/package/{CMakeLists.txt,*.h,*.cc} .
cmake -S . -B build -D CMAKE_BUILD_TYPE=Release >/dev/null
cmake --build build
ctest --test-dir build --no-tests=error --output-on-failure

step "Removing it"
as_root dpkg --purge orbox
while IFS= read -r file; do
  if [[ -e "$file" && ! -d "$file" ]]; then die "$file is still there"; fi
done <"$work/files"
if [[ -d /usr/include/orbox ]]; then die "/usr/include/orbox is still there"; fi
