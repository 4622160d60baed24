#!/usr/bin/env bash
# Builds the documentation: the guide and the reference, as a site of HTML pages.
#
#   tools/docs.sh [FOLDER]
#
# Installs Doxygen and Python by apt where they are missing. FOLDER is where the
# site goes (build/docs); index.html is its first page. Any warning is an error,
# and so is a page that no link leads to, or a link that leads nowhere. Ends
# with one line that says how it went.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

case "${1:-}" in
  -h | --help)
    sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac
site="$(realpath -m "${1:-$ORBOX_ROOT/build/docs}")"

conclude() {
  local status=$?
  if ((status == 0)); then
    printf '\ntools/docs.sh: PASSED, %s/index.html, in %s\n' "$site" "$(elapsed)"
  else
    printf '\ntools/docs.sh: FAILED after %s; the reason stands above\n' \
      "$(elapsed)"
  fi
}
trap conclude EXIT

missing=()
command -v doxygen >/dev/null || missing+=(doxygen)
command -v python3 >/dev/null || missing+=(python3)
if ((${#missing[@]} > 0)); then
  command -v apt-get >/dev/null ||
    die "install Doxygen (1.9.4 is tested) and Python 3, then run this again"
  apt_install "${missing[@]}" || die "could not install: ${missing[*]}"
fi

cd "$ORBOX_ROOT"
step "Building the site with Doxygen $(doxygen --version)"
# A new folder: Doxygen does not remove files of earlier runs.
export PYTHONDONTWRITEBYTECODE=1
work="$(mktemp -d)"
trap 'conclude; rm -rf "$work"' EXIT
inputs="$(python3 tools/docs/site.py inputs "$work/pages")"
export ORBOX_DOCS_INPUTS="$inputs"
version="$(awk '$1 == "VERSION" {print $2; exit}' CMakeLists.txt)"
doxygen - <<SETTINGS
@INCLUDE = tools/docs/Doxyfile
OUTPUT_DIRECTORY = $work
PROJECT_NUMBER = $version
INPUT = ${inputs//$'\n'/ }
SETTINGS
# Lists of members once more, and pages about the guide's files.
rm -f "$work"/html/*-members.html "$work"/html/*_8md.html \
  "$work"/html/*_8dox.html
cat tools/docs/search.css >>"$work/html/search/search.css"
cp bench/growth/*.svg bench/peers.svg bench/bvh/broad_phases/*.svg \
  bench/paper_tables/*.svg data/pictures/*.png "$work/html/"
python3 tools/docs/site.py check "$work/html"
rm -rf "$site"
mkdir -p "$(dirname "$site")"
mv "$work/html" "$site"
