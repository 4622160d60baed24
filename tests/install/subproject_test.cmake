# Builds and runs a user's project that has Orbox's sources as a part of itself.
#
#   cmake -D SOURCE_DIR=... -D WORK_DIR=... -D GENERATOR=... -D COMPILER=...
#         -D LAUNCHER=... -D TOOLCHAIN=... -D JOBS=... -P THIS_FILE

cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "Failed (${result}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
# Without optimisation, for one instruction set: this is about names and flags,
# and has to be quick.
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package" -B "${WORK_DIR}"
    -G "${GENERATOR}" "-DORBOX_SOURCE_DIR=${SOURCE_DIR}"
    "-DCMAKE_CXX_FLAGS=-O0 -DHWY_COMPILE_ONLY_STATIC" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}"
    "-DCMAKE_PROJECT_orbox_INCLUDE=${CMAKE_CURRENT_LIST_DIR}/subproject_precompiled.cmake")

# A guest leaves its host's build type, tests, tools and install rules alone.
file(STRINGS "${WORK_DIR}/CMakeCache.txt" lines
     REGEX "^(CMAKE_BUILD_TYPE|ORBOX_(BUILD_TESTS|BUILD_TOOLS|INSTALL)):")
foreach(line IN LISTS lines)
  if(line MATCHES "=(ON|Release)$")
    message(FATAL_ERROR "As a subproject Orbox sets ${line}")
  endif()
endforeach()

run("${CMAKE_COMMAND}" --build "${WORK_DIR}" --parallel "${JOBS}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${WORK_DIR}" --no-tests=error)
message(STATUS "${output}")
