#!/bin/sh
# Runs the command lines of a page's console blocks, and compares what they print
# with the blocks.
#
#   run_page.sh PAGE RUN_COMMANDS
#
# RUN_COMMANDS is tests/readme/run_commands.sh. Works in the current folder.

# SPDX-License-Identifier: Apache-2.0

set -eu
page=$1 run_commands=$2

awk '/^```console$/ { inside = 1; next }
     /^```$/ { inside = 0 }
     inside' "$page" >page.expected
sed -n 's/^[$] //p' page.expected >page.sh
if [ ! -s page.sh ]; then
  echo "run_page.sh: $page has no command line in a console block" >&2
  exit 1
fi
sh "$run_commands" page.sh page.expected page.transcript
