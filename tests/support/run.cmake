# SPDX-License-Identifier: Apache-2.0

# Functions for scripts of tests that run programs.

# run(COMMAND ARGUMENT...): runs it, sets `output`; the test fails if it does.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "Failed (${result}): ${command}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# run_and_compare(EXPECTED COMMAND ARGUMENT...): the same; what it prints has to
# be the contents of the file EXPECTED.
function(run_and_compare expected_file)
  run(${ARGN})
  file(READ "${expected_file}" expected)
  if(NOT output STREQUAL expected)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command} printed:\n${output}\nexpected:\n${expected}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()
