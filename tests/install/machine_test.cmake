# SPDX-License-Identifier: Apache-2.0

# Configures for machines that Orbox does not serve, by a Clang that knows them:
# each has to be refused by name. No library of theirs is needed.
#
#   cmake -D SOURCE_DIR=... -D WORK_DIR=... -D GENERATOR=... -D CLANG=... -P THIS_FILE

foreach(machine IN ITEMS "s390x;big-endian" "powerpc64;big-endian" "i686;32-bit")
  list(GET machine 0 processor)
  list(GET machine 1 reason)
  file(REMOVE_RECURSE "${WORK_DIR}")
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}" -G "${GENERATOR}"
      -D CMAKE_SYSTEM_NAME=Linux -D "CMAKE_SYSTEM_PROCESSOR=${processor}" -D
      "CMAKE_CXX_COMPILER=${CLANG}" -D
      "CMAKE_CXX_COMPILER_TARGET=${processor}-linux-gnu" -D
      CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(result EQUAL 0 OR NOT output MATCHES
                           "not supported on ${reason} machines \\(${processor}\\)")
    message(FATAL_ERROR "${processor} was not refused:\n${output}")
  endif()
endforeach()
