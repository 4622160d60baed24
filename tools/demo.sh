#!/usr/bin/env bash
# Installs what is missing, builds Release, and runs the main job: the clearance
# of two linked trefoil knots of about 100,000 triangles each, once apart, once
# touching and once penetrating.
#
#   tools/demo.sh
#
# Prints for each whether they meet, the smallest distance with its witness
# points, how many pairs of triangles are within the tolerance, and what the
# query cost. Draws a picture, build/demo.png, and makes a report on a scene,
# build/demo.html. Ends with one line that says whether the answers are right.

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/scripts/common.sh"

if (($# > 0)); then
  sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
  if [[ "$1" == -h || "$1" == --help ]]; then exit 0; fi
  exit 2
fi

work=""
conclude() {
  local status=$?
  if [[ -n "$work" ]]; then rm -rf "$work"; fi
  if ((status == 0)); then
    printf '\ntools/demo.sh: PASSED, all answers are right, in %s\n' \
      "$(elapsed)"
  else
    printf '\ntools/demo.sh: FAILED after %s; the reason stands above\n' \
      "$(elapsed)"
  fi
}
trap conclude EXIT

# tools/test.sh goes on with this build.
# shellcheck disable=SC2034  # common.sh reads it
ORBOX_BUILD_TESTS=OFF
ensure_dependencies release
build_preset release orbox_cli

orbox="$(find "$ORBOX_ROOT/build/release/tools" -name orbox -type f -perm -u+x)"
work="$(mktemp -d)"
cd "$work"

step "Making two trefoil knots, linked like a chain"
readonly TRIANGLES=100000
"$orbox" gen --shape linked_knot --triangles "$TRIANGLES" -o moving.ply
"$orbox" gen --shape torus_knot --triangles "$TRIANGLES" -o fixed.ply
"$orbox" info moving.ply
"$orbox" info fixed.ply

# along_x X: the pose that moves by X along the x axis.
along_x() { echo "1,0,0,$1,0,1,0,0,0,0,1,0"; }

# About one and a half edges of the meshes.
readonly TOLERANCE=0.02

# clearance TITLE X EXPECTED: shows the answer for the first knot moved by X, and
# checks whether the knots meet (EXPECTED is true or false).
clearance() {
  step "$1: the first knot moved by $2 along x"
  local command begin end
  command=(clearance moving.ply fixed.ply --pose "$(along_x "$2")")
  printf '$ orbox %s --within %s --stats\n' "${command[*]}" "$TOLERANCE"
  begin="$(date +%s%N)"
  "$orbox" "${command[@]}" --within "$TOLERANCE" --stats
  end="$(date +%s%N)"
  printf 'Reading both files, building both trees and the query: %d ms.\n' \
    $(((end - begin) / 1000000))
  summarise "$1" "$2" "$3"
}

# summarise TITLE X EXPECTED: adds a line to the summary.
summarise() {
  local answer meets pairs
  answer="$("$orbox" clearance moving.ply fixed.ply --pose "$(along_x "$2")" \
    --format csv | tail -n 1)"
  pairs="$("$orbox" clearance moving.ply fixed.ply --pose "$(along_x "$2")" \
    --within "$TOLERANCE" --format csv | tail -n +2 | wc -l)"
  meets="${answer%%,*}"
  awk -F, -v title="$1" -v pairs="$pairs" '{
    printf "%-14s %-5s %-22s (%.9g, %.9g, %.9g)", title,
        $1 == "true" ? "yes" : "no", $2, $4, $5, $6
    printf "  (%.9g, %.9g, %.9g)  %d\n", $8, $9, $10, pairs
  }' <<<"$answer" >>summary.txt
  [[ "$meets" == "$3" ]] ||
    die "moved by $2, \"intersects\" should be $3, and it is $meets"
}

# The strands that face each other are exactly 0.25 apart before the move, so
# that they have one point in common after it.
clearance "apart" 0.24 false
summarise "one bit apart" 0.2499999999999999 false
clearance "touching" 0.25 true
clearance "penetrating" 0.26 true

if "$orbox" picture moving.ply fixed.ply --pose "$(along_x 0.24)" \
  --within 0.2 --size 800x600 -o "$ORBOX_ROOT/build/demo.png"; then
  step "A picture of the knots, apart, and what is close: build/demo.png"
fi

step "Five bodies of a scene, in motion: what begins to meet, and what no longer does"
"$orbox" clash "$ORBOX_ROOT/data/scenes/gears.json" --within 0.1 \
  --motion "$ORBOX_ROOT/data/scenes/gears.csv" \
  --report "$ORBOX_ROOT/build/demo.html" >scene.txt
awk '/^frame/ {frame = $1 " " $2}
     /begin to meet$|no longer meet$/ {print frame $0}' scene.txt
echo "The same as a page for a browser: build/demo.html"

step "Summary"
printf '%-14s %-5s %-22s %s\n' "" meet "smallest distance" \
  "witness on A, witness on B, pairs within $TOLERANCE"
cat summary.txt
