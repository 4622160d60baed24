#!/usr/bin/env bash
# Prints one hash of all golden hashes that a run of golden_tests has found: the
# same number on every machine, by every compiler.
#
#   tools/scripts/golden_hash.sh REPORT
#
# REPORT is the file that golden_tests --gtest_output=xml:REPORT wrote. Fails if
# a test in it failed.

# SPDX-License-Identifier: Apache-2.0

set -euo pipefail

report="${1:?usage: golden_hash.sh REPORT}"
if grep -q '<failure' "$report"; then
  printf 'golden_hash.sh: tests in %s failed\n' "$report" >&2
  exit 1
fi
# The hashes in the order of their values: the order of tests does not matter.
hashes="$(grep -o 'name="golden" value="[0-9a-f]\{16\}"' "$report" | sort)"
count="$(wc -l <<<"$hashes")"
printf '%s golden hashes, together %s\n' "$count" \
  "$(sha256sum <<<"$hashes" | cut -c 1-16)"
