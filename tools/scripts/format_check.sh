#!/usr/bin/env bash
# Checks that every source names its licence, that no sentence opens with "Of",
# that every C++ file is formatted as .clang-format says, and that every shell
# script is clean to shellcheck. Installs the two by apt where it can.
#
#   tools/scripts/format_check.sh

# SPDX-License-Identifier: Apache-2.0

# shellcheck source=tools/scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Other versions lay out some lines differently.
readonly WANTED_VERSION=14

missing=()
command -v clang-format >/dev/null || missing+=(clang-format)
command -v shellcheck >/dev/null || missing+=(shellcheck)
if ((${#missing[@]} > 0)) && command -v apt-get >/dev/null; then
  apt_install "${missing[@]}" || echo "Could not install ${missing[*]}."
fi

cd "$ORBOX_ROOT"

step "Looking for licences"
tools/scripts/spdx_check.sh

step "Looking for sentences that open with Of"
# Subject, verb, object: house style (CONTRIBUTING.md).
if find . \( -path ./build -o -path ./.git -o -name node_modules \) -prune -o -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.inc' -o -name '*.md' -o -name '*.py' \
  -o -name '*.sh' -o -name '*.js' -o -name '*.cmake' -o -name CMakeLists.txt \) \
  -print0 | xargs -0 grep -nE '^Of [a-z]|(//|#|[.!?]) +Of [a-z0-9`]'; then
  die "say who does what"
fi
echo "None."

# sources NAME NAME: the files of these names. Does not call Git, which a
# machine need not have.
sources() {
  find . \( -path ./build -o -path ./.git \) -prune -o \
    -type f \( -name "$1" -o -name "$2" \) -print0
}

if command -v clang-format >/dev/null &&
  [[ "$(clang-format --version)" =~ version\ $WANTED_VERSION\. ]]; then
  step "Checking the format of the C++ files"
  sources '*.h' '*.cc' | xargs -0 clang-format --dry-run -Werror
  echo "All formatted."
else
  step "Format not checked: clang-format $WANTED_VERSION is not here"
fi

if command -v shellcheck >/dev/null; then
  step "Checking the shell scripts"
  sources '*.sh' run | xargs -0 shellcheck --external-sources
  echo "All clean."
else
  step "Shell scripts not checked: shellcheck is not here"
fi
