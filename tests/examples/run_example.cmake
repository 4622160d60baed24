# SPDX-License-Identifier: Apache-2.0

# Runs the example NAME (PROGRAM, with ARGUMENT): its output has to be that of
# NAME.expected, and the section "## NAME" of README.md has to show lines that
# are in NAME.cc (except for their indentation), and this output.

include("${CMAKE_CURRENT_LIST_DIR}/../support/run.cmake")

# Makes the test fail where `part` is not in `whole`.
function(expect_in whole part message)
  string(FIND "${whole}" "${part}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${message}:\n${part}")
  endif()
endfunction()

set(folder "${CMAKE_CURRENT_LIST_DIR}")
run_and_compare("${folder}/${NAME}.expected" "${PROGRAM}" "${ARGUMENT}")

file(READ "${folder}/README.md" readme)
set(heading "\n## ${NAME}\n")
string(FIND "${readme}" "${heading}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md has no section ${NAME}")
endif()
string(SUBSTRING "${readme}" ${place} -1 section)
string(LENGTH "${heading}" length)
string(SUBSTRING "${section}" ${length} -1 section)
string(FIND "${section}" "\n## " end)
string(SUBSTRING "${section}" 0 ${end} section)
expect_in("${section}" "\n```text\n${output}```\n"
          "README.md, ${NAME}, does not show what it prints")

if(NOT section MATCHES "\n```cpp\n([^`]*)```\n")
  message(FATAL_ERROR "README.md, ${NAME}, shows no C++")
endif()
set(gist "${CMAKE_MATCH_1}")
file(READ "${folder}/${NAME}.cc" source)
string(REGEX REPLACE "\n  " "\n" unindented "${source}")
expect_in("${source}${unindented}" "${gist}"
          "${NAME}.cc does not have the lines that README.md shows")
