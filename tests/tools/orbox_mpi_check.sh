#!/usr/bin/env bash
# Holds what orbox-mpi prints to what orbox prints, byte for byte.
#
#   orbox_mpi_check.sh ORBOX ORBOX_MPI MPIRUN RANKS WORK_DIR

# SPDX-License-Identifier: Apache-2.0

set -euo pipefail

orbox="$1" orbox_mpi="$2" mpirun="$3" ranks="$4" work="$5"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

"$orbox" gen --shape torus_knot --triangles 4000 -o a.ply
"$orbox" gen --shape linked_knot --triangles 3000 -o b.ply
for name in a b; do
  "$orbox" build "$name.ply" -o "$name.orboxd" --chunk 300 >/dev/null
done
"$orbox" gen --shape plane --triangles 800 -o c.ply
"$orbox" build c.ply -o c.orboxd --chunk 300 >/dev/null # open
# A ball, and a smaller one in it.
"$orbox" gen --shape sphere --triangles 600 -o ball.ply
"$orbox" build ball.ply -o ball.orboxd --chunk 100 >/dev/null
inside=0.1,0,0,0,0,0.1,0,0,0,0,0.1,0
printf '0,0,0\n1,1,0\n-2,0.5,0.3\n40,0,0\n' >points.csv
printf '0,0,0,1\n1,1,0,0.5\n9,9,9,0.1\n' >balls.csv
printf '3,0,0,-1,0,0\n0,0,3,0.1,0,-1\n0,0,3,0,0,1\n' >rays.csv
printf '1,0,0,0,0,1,0,0,0,0,1,0\n1,0,0,2,0,1,0,0,0,0,1,0\n' >poses.csv

# same WORD...: runs both with these arguments.
same() {
  local status=0 status_mpi=0
  "$orbox" "$@" >one.txt || status=$?
  "$mpirun" -n "$ranks" "$orbox_mpi" "$@" >all.txt || status_mpi=$?
  if ((status != status_mpi)) || ! cmp one.txt all.txt; then
    printf 'orbox_mpi_check.sh: differs on %s ranks (%s, %s): %s\n' "$ranks" \
      "$status" "$status_mpi" "$*" >&2
    exit 1
  fi
  [[ -s one.txt ]] || {
    printf 'orbox_mpi_check.sh: nothing is printed: %s\n' "$*" >&2
    exit 1
  }
}

# Formats do not depend on the number of ranks, so one number tests them all.
formats=(json)
if ((ranks == 3)); then formats=(text json csv); fi
for format in "${formats[@]}"; do
  same nearest a.orboxd --points points.csv --format "$format"
  same nearest a.orboxd --points points.csv --k 5 --format "$format"
  same nearest a.orboxd --points points.csv --signed --format "$format"
  same nearest a.orboxd --points points.csv --winding --format "$format"
  same range a.orboxd --spheres balls.csv --format "$format"
  same ray a.orboxd --rays rays.csv --format "$format"
  same intersect a.orboxd b.orboxd --format "$format"
  same clearance a.orboxd b.ply --within 0.05 --format "$format"
  same clearance a.orboxd b.orboxd --pose @poses.csv --format "$format"
  same hausdorff a.orboxd b.ply --format "$format"
  same hausdorff a.orboxd b.orboxd --pose @poses.csv --format "$format"
  same hausdorff a.orboxd b.ply --field --format "$format"
  same self-intersect a.orboxd --within 0.01 --format "$format"
done
same clearance a.orboxd b.orboxd --within 0.5 --exit-code --format csv
for command in intersect clearance; do
  same "$command" ball.orboxd ball.orboxd --pose "$inside" --exit-code
  same "$command" ball.orboxd ball.ply --pose "$inside" --inside parity
  same "$command" ball.orboxd c.orboxd --pose "$inside"
done

# Errors end, on all ranks.
for words in "nearest none.orboxd --point 0,0,0" "nearest a.ply --point 0,0,0" \
  "info a.orboxd" "nearest a.orboxd --points none.csv" \
  "nearest c.orboxd --points points.csv --signed" \
  "nearest a.orboxd --points points.csv --bounds"; do
  # shellcheck disable=SC2086  # words
  if timeout 600 "$mpirun" -n "$ranks" "$orbox_mpi" $words >all.txt 2>errors.txt; then
    printf 'orbox_mpi_check.sh: should have failed: %s\n' "$words" >&2
    exit 1
  fi
  grep -q '^orbox: ' errors.txt
done

"$orbox_mpi" plan a.orboxd --within 0.01 --ranks 1,64 --format csv >plan.csv
[[ "$(wc -l <plan.csv)" == 3 ]]
echo "orbox-mpi prints what orbox prints, on $ranks ranks."
