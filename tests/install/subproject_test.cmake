# SPDX-License-Identifier: Apache-2.0

# Builds and runs a user's project that has Orbox's sources as a part of itself.
# Most of the library is not compiled again: the objects of BUILD_DIR take the
# place of its own (reuse_object.sh), as this is about names and flags.
#
#   cmake -D SOURCE_DIR=... -D BUILD_DIR=... -D WORK_DIR=... -D GENERATOR=...
#         -D COMPILER=... -D FLAGS=... -D TOOLCHAIN=... -D PREFIX_PATH=...
#         -D WITH_TBB=... -D UNITY_BUILD=... -D JOBS=... -P THIS_FILE

cmake_minimum_required(VERSION 3.25)
include("${SOURCE_DIR}/tests/support/run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
set(launcher "")
if(NOT WIN32)
  set(ENV{ORBOX_BUILT} "${BUILD_DIR}")
  set(launcher "${SOURCE_DIR}/tests/install/reuse_object.sh")
endif()
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package" -B "${WORK_DIR}"
    -G "${GENERATOR}" "-DORBOX_SOURCE_DIR=${SOURCE_DIR}"
    "-DCMAKE_CXX_FLAGS=${FLAGS} -O0 -DHWY_COMPILE_ONLY_STATIC"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DORBOX_UNITY_BUILD=${UNITY_BUILD}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${launcher}"
    "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}" "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}"
    "-DORBOX_WITH_TBB=${WITH_TBB}")

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
