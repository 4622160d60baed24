#!/usr/bin/env bash
# Checks that each source names its licence.
#
#   tools/scripts/spdx_check.sh [--fix]
#
# --fix adds what is missing, as a paragraph of its own: on top, or below the
# comment that opens a script, which is what its --help shows.

# SPDX-License-Identifier: Apache-2.0

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly LINE="SPDX-License-Identifier: Apache-2.0"

# The sources. Does not call Git, which a machine need not have.
sources() {
  find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f \
    \( -name '*.h' -o -name '*.cc' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.in' \
    -o -name '*.css' -o -path ./.ci/run \) -print0 |
    sort -z
}

# add_line FILE: the line in the file's own kind of comment.
add_line() {
  local comment="# $LINE"
  case "$1" in
    *.h | *.cc) comment="// $LINE" ;;
    *.css) comment="/* $LINE */" ;;
  esac
  if [[ "$(head -c 2 "$1")" != "#!" ]]; then
    sed -i "1i $comment\n" "$1"
    return
  fi
  # In place, which keeps the file's mode.
  local text
  text="$(awk -v comment="$comment" '
    !done && !/^#/ {print "\n" comment; if ($0 != "") print ""; done = 1}
    {print}' "$1")"
  printf '%s\n' "$text" >"$1"
}

missing=()
# grep fails where no file lacks the line.
mapfile -t missing < <(sources | xargs -0 grep -LE "^(//|#|/\*) $LINE" || true)

if [[ "${1:-}" == --fix ]]; then
  for file in ${missing[@]+"${missing[@]}"}; do add_line "$file"; done
  printf 'spdx_check.sh: added the line to %s files\n' "${#missing[@]}"
elif ((${#missing[@]} > 0)); then
  printf '%s\n' "${missing[@]}"
  printf 'spdx_check.sh: %s files without "%s"; spdx_check.sh --fix adds it\n' \
    "${#missing[@]}" "$LINE" >&2
  exit 1
else
  echo "All sources name their licence."
fi
