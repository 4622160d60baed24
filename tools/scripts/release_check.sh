#!/usr/bin/env bash
# Checks that the last commit can be released.
#
#   tools/scripts/release_check.sh [--quick] [FOLDER]    # default: build/release_check
#
# The version is the same in all places and CHANGELOG.md has a date for it; the
# archive of the sources comes out the same bit for bit when it is made twice;
# from it, the documents are built, all tests run, and the packages are made and
# used. --quick stops before these, which take half an hour. FOLDER gets the
# archive, whose SHA-256 recipes want.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

quick=false
if [[ "${1:-}" == --quick ]]; then
  quick=true
  shift
fi
folder="$(realpath -m "${1:-$ORBOX_ROOT/build/release_check}")"
cd "$ORBOX_ROOT"

faults=0
fault() {
  printf 'release_check.sh: %s\n' "$*" >&2
  faults=$((faults + 1))
}

step "One version in all places"
version="$(awk '$1 == "VERSION" {print $2; exit}' CMakeLists.txt)"
echo "CMakeLists.txt has $version."
# expect FILE PATTERN: FILE has the version where it names one.
expect() {
  grep -qE "$2" "$1" || fault "$1 does not have version $version ($2)"
}
dots="${version//./\\.}"
expect tools/vcpkg/orbox/vcpkg.json "\"version-semver\": \"$dots\""
expect CITATION.cff "^version: $dots\$"
expect README.md "orbox/$dots"
expect tools/orbox/commands/man_page.cc 'ORBOX_VERSION'
expect conanfile.py 'load\(self, os.path.join\(self.recipe_folder, "CMakeLists.txt"\)\)'
if [[ -f pyproject.toml ]]; then
  grep -qE "^version = \"$dots\"|dynamic" pyproject.toml ||
    fault "pyproject.toml does not have version $version"
fi

step "CHANGELOG.md"
grep -E "^## $dots" CHANGELOG.md || fault "CHANGELOG.md has no part on $version"
grep -qE "^## $dots, [0-9]{4}-[0-9]{2}-[0-9]{2}\$" CHANGELOG.md ||
  fault "CHANGELOG.md does not date $version"

step "Where the project lives"
# Recipes in public collections need the project's address, which the sources
# do not know before it is published.
for place in 'conanfile.py:^    homepage = ' 'tools/vcpkg/orbox/vcpkg.json:"homepage":' \
  'CITATION.cff:^repository-code:' 'pyproject.toml:^\[project.urls\]'; do
  grep -qE "${place#*:}" "${place%%:*}" ||
    printf 'To do where it is published: %s says no address.\n' "${place%%:*}"
done

step "The archive"
[[ -z "$(git status --porcelain --untracked-files=no)" ]] ||
  fault "there are changes that are not committed"
mkdir -p "$folder"
archive="$folder/orbox-$version.tar.gz"
# make_archive FILE: gzip without a name or a time.
make_archive() {
  git archive --format=tar --prefix="orbox-$version/" HEAD | gzip -n9 >"$1"
}
make_archive "$archive"
# From another clone, at another time.
clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone --quiet --no-local "$ORBOX_ROOT" "$clone/orbox"
(cd "$clone/orbox" && git checkout --quiet "$(git -C "$ORBOX_ROOT" rev-parse HEAD)" &&
  make_archive "$clone/again.tar.gz")
cmp "$archive" "$clone/again.tar.gz" ||
  fault "the archive is another one when it is made again"
(cd "$folder" && sha256sum "$(basename "$archive")")
tar -xzf "$archive" -C "$clone"
source="$clone/orbox-$version"
grep -q 'ARCHIVED_COMMIT "[0-9a-f]' "$source/cmake/OrboxCommit.cmake" ||
  fault "the archive does not know its commit"

if [[ "$quick" == false ]]; then
  # try WHAT SCRIPT ARGUMENT...: runs a script from the archive alone, so that
  # missing files are found.
  try() {
    local what="$1" command="$2"
    shift 2
    step "$what"
    "$source/$command" "$@" || fault "$what: failed"
  }
  try "The documents" tools/docs.sh "$folder/docs"
  try "All tests" tools/test.sh
  try "Debian's package" tools/scripts/deb_check.sh
  try "Conan's package" tools/conan_check.sh
  try "Python's package" tools/wheel.sh check
fi

if ((faults > 0)); then
  printf '\ntools/scripts/release_check.sh: %s is not ready: %s faults, named above\n' \
    "$version" "$faults" >&2
  exit 1
fi
printf '\ntools/scripts/release_check.sh: %s is ready, %s\n' "$version" "$archive"
