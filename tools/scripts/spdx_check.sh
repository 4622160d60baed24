#!/usr/bin/env bash
# Checks that each source says what its licence is, near its first line.
#
#   tools/scripts/spdx_check.sh [--fix]
#
# --fix adds what is missing, as a paragraph of its own: on top, or below the
# first paragraph of a script, which is what its --help shows.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

readonly LINE="SPDX-License-Identifier: Apache-2.0"

# The sources, without asking Git, which a checkout need not have.
sources() {
  find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f \
    \( -name '*.h' -o -name '*.cc' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.cmake' -o -name CMakeLists.txt -o -path ./.ci/run \) -print0 |
    sort -z
}

missing=0
while IFS= read -r -d "" file; do
  if head -n 60 "$file" | grep -qF "$LINE"; then continue; fi
  missing=$((missing + 1))
  case "$file" in
    *.h | *.cc) mark="//" ;;
    *) mark="#" ;;
  esac
  if [[ "${1:-}" != --fix ]]; then
    printf '%s\n' "$file"
  elif [[ "$(head -c 2 "$file")" == "#!" ]]; then
    sed -i "0,/^\$/s|^\$|\n$mark $LINE\n|" "$file"
  else
    sed -i "1i $mark $LINE\n" "$file"
  fi
done < <(sources)

if [[ "${1:-}" == --fix ]]; then
  printf 'spdx_check.sh: added the line to %s files\n' "$missing"
elif ((missing > 0)); then
  printf 'spdx_check.sh: %s files without "%s"; spdx_check.sh --fix adds it\n' \
    "$missing" "$LINE" >&2
  exit 1
else
  echo "All sources name their licence."
fi
