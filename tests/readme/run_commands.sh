#!/bin/sh
# Runs command lines one by one, and compares what they print.
#
#   run_commands.sh COMMANDS EXPECTED TRANSCRIPT
#
# EXPECTED holds each line behind "$ ", followed by its output. The times of
# `orbox explain` differ from run to run, and the counts of --stats with each
# change to the trees. Only their presence is checked. To accept a change, copy
# TRANSCRIPT to EXPECTED.

# SPDX-License-Identifier: Apache-2.0

set -eu
commands=$1 expected=$2 transcript=$3

while IFS= read -r line; do
  printf '$ %s\n' "$line"
  case $line in
    'orbox explain '*) sh -euc "$line" | grep -o '^recommendation: ' ;;
    *)
      sh -euc "$line" 2>&1 | sed 's/,"statistics":{.*/,"statistics":.../' |
        awk '!cut; /^cost$/ { cut = 1 }'
      ;;
  esac
done <"$commands" >"$transcript"

# An orbox without libpng makes no pictures, and has no lines about them.
if ! grep -q '^orbox picture ' "$commands"; then
  awk '/^[$] / { keep = !/^[$] orbox picture / } keep' "$expected" \
    >"$transcript.expected"
  expected=$transcript.expected
fi
diff -u "$expected" "$transcript"
