# SPDX-License-Identifier: Apache-2.0

# Runs PROGRAM with ARGUMENT: it has to print what is in the file EXPECTED.
include("${CMAKE_CURRENT_LIST_DIR}/../support/run.cmake")
run_and_compare("${EXPECTED}" "${PROGRAM}" "${ARGUMENT}")
