# SPDX-License-Identifier: Apache-2.0

# Installs the build, moves the prefix elsewhere, and builds and runs a user's
# project against it.
#
#   cmake -D SOURCE_DIR=... -D BUILD_DIR=... -D WORK_DIR=... -D GENERATOR=...
#         -D COMPILER=... -D FLAGS=... -D TOOLCHAIN=... -D PREFIX_PATH=...
#         -D WITH_TBB=... -D BUILD_TYPE=... -P THIS_FILE

cmake_minimum_required(VERSION 3.25)

include("${SOURCE_DIR}/tests/support/run.cmake")

file(REMOVE_RECURSE "${WORK_DIR}")
file(MAKE_DIRECTORY "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/stage")
set(prefix "${WORK_DIR}/moved")
file(RENAME "${WORK_DIR}/stage" "${prefix}")
# By the environment: an argument that is a list would not pass through run().
cmake_path(CONVERT "${prefix};${PREFIX_PATH}" TO_NATIVE_PATH_LIST native_paths)
set(ENV{CMAKE_PREFIX_PATH} "${native_paths}")

# Nothing that is installed may lead back to where it was built.
file(GLOB_RECURSE package_files "${prefix}/*.cmake")
foreach(file IN LISTS package_files)
  file(READ "${file}" text)
  foreach(path "${SOURCE_DIR}" "${BUILD_DIR}" "${WORK_DIR}/stage")
    string(FIND "${text}" "${path}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} mentions ${path}")
    endif()
  endforeach()
endforeach()

# Public headers include public headers only.
file(GLOB_RECURSE headers RELATIVE "${prefix}/include"
     "${prefix}/include/orbox/*.h")
if(NOT headers)
  message(FATAL_ERROR "No headers were installed in ${prefix}/include")
endif()
set(all_headers "")
foreach(header IN LISTS headers)
  # Those for users of Boost, or of MPI, include it; nobody else has to have it.
  if(NOT header MATCHES "/boost_geometry(\\.h|/)|/mpi/")
    string(APPEND all_headers "#include \"${header}\"\n")
  endif()
  file(STRINGS "${prefix}/include/${header}" includes
       REGEX "^[ ]*#[ ]*include")
  foreach(line IN LISTS includes)
    string(REGEX MATCH "[<\"]([^>\"]+)[>\"]" unused "${line}")
    set(included "${CMAKE_MATCH_1}")
    if(included MATCHES "^orbox/" AND NOT EXISTS "${prefix}/include/${included}")
      message(FATAL_ERROR
              "${header} is public and includes ${included}, which is private "
              "or missing (see orbox_public_headers in cmake/)")
    elseif(included MATCHES "/boost_geometry"
           AND NOT header MATCHES "/boost_geometry(\\.h|/)")
      message(FATAL_ERROR
              "${header} includes ${included}, which needs Boost: only headers "
              "of that name may")
    elseif(included MATCHES "^(hwy|boost)/"
           AND NOT (included MATCHES "^boost/"
                    AND header MATCHES "/boost_geometry(\\.h|/)"))
      message(FATAL_ERROR
              "${header} is public and includes ${included}, of a library that "
              "users need not have (see orbox_public_headers in cmake/)")
    endif()
  endforeach()
endforeach()
file(WRITE "${WORK_DIR}/all_headers.cc" "${all_headers}")

set(configure
    "${CMAKE_COMMAND}" -S "${SOURCE_DIR}/tests/package" -G "${GENERATOR}"
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
    "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}"
    "-DALL_HEADERS=${WORK_DIR}/all_headers.cc")
set(consumer "${WORK_DIR}/consumer")
run(${configure} -B "${consumer}")
run("${CMAKE_COMMAND}" --build "${consumer}")
run("${CMAKE_CTEST_COMMAND}" --test-dir "${consumer}" --no-tests=error)
message(STATUS "${output}")

# Programs that cannot work report why: those in an older C++, in one line, and
# those with other containers than the library's, before they run.
function(fails_with text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  list(JOIN ARGN " " command)
  if(result EQUAL 0)
    message(FATAL_ERROR "Should have failed: ${command}")
  elseif(NOT output MATCHES "${text}")
    message(FATAL_ERROR "Does not say '${text}': ${command}\n${output}")
  endif()
endfunction()
file(STRINGS "${consumer}/CMakeCache.txt" gnu_like
     REGEX "^CMAKE_CXX_COMPILER:.*(g\\+\\+|c\\+\\+|clang\\+\\+)[^/]*$")
if(gnu_like AND NOT CMAKE_HOST_WIN32)
  file(WRITE "${WORK_DIR}/cxx17.cc" "#include \"orbox/overlap/shapes/vec3.h\"\n")
  fails_with("Orbox needs C\\+\\+20 or later" "${COMPILER}" -std=c++17
             -fsyntax-only "-I${prefix}/include" "${WORK_DIR}/cxx17.cc")
  set(debug "${WORK_DIR}/debug_containers")
  run(${configure} -B "${debug}" "-DCMAKE_CXX_FLAGS=${FLAGS} -D_GLIBCXX_DEBUG")
  foreach(target IN ITEMS use_overlap use_bvh use_io)
    fails_with("kLibraryIsBuiltWithGlibcxxDebug" "${CMAKE_COMMAND}" --build
               "${debug}" --target ${target})
  endforeach()
endif()

# The installed files are exactly those of installed_files.txt. The platform
# chooses the folder and kind of libraries. A question mark in the list marks an
# optional file.
file(GLOB_RECURSE installed RELATIVE "${prefix}" "${prefix}/*")
set(found "")
foreach(file IN LISTS installed)
  string(REGEX REPLACE "^lib(64|/[a-z0-9_]+-[a-z0-9_-]+)?/" "lib/" file "${file}")
  string(REGEX REPLACE "\\.(a|lib|so|so\\.[0-9.]+|dylib)$" ".LIBRARY" file "${file}")
  string(REGEX REPLACE "-targets-[a-z]+\\.cmake$" "-targets-CONFIG.cmake" file "${file}")
  list(APPEND found "${file}")
endforeach()
list(REMOVE_DUPLICATES found)
file(STRINGS "${SOURCE_DIR}/tests/install/installed_files.txt" expected
     REGEX "^[^#]")
foreach(file IN LISTS expected)
  string(REGEX REPLACE "^\\? " "" name "${file}")
  if(NOT name IN_LIST found AND NOT file MATCHES "^\\? ")
    message(SEND_ERROR "${name} was not installed, though "
                       "tests/install/installed_files.txt has it")
  endif()
  list(REMOVE_ITEM found "${name}")
endforeach()
if(found)
  list(JOIN found "\n  " text)
  message(SEND_ERROR "Installed, and not in tests/install/installed_files.txt:"
                     "\n  ${text}")
endif()

# Builds the project by pkg-config alone, if it is installed.
find_program(PKG_CONFIG NAMES pkg-config pkgconf)
file(GLOB_RECURSE pc_file "${prefix}/*/orbox-bvh.pc")
get_filename_component(pc_dir "${pc_file}" DIRECTORY)
file(GLOB_RECURSE static_library "${prefix}/liborbox_bvh.a")
if(PKG_CONFIG)
  set(pc_dirs "${pc_dir}")
  foreach(path IN LISTS PREFIX_PATH)
    string(APPEND pc_dirs ":${path}/lib/pkgconfig")
  endforeach()
  set(ENV{PKG_CONFIG_PATH} "${pc_dirs}:$ENV{PKG_CONFIG_PATH}")
  set(static "")
  if(static_library)
    set(static --static)
  endif()
  foreach(package IN ITEMS overlap bvh io solids motion large broad_phases)
    # A machine that has Highway or Abseil from elsewhere has no files of
    # theirs for pkg-config.
    execute_process(COMMAND "${PKG_CONFIG}" --exists --print-errors ${static}
                            "orbox-${package}"
                    RESULT_VARIABLE result ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
      if(output MATCHES "required by 'orbox-")
        message(STATUS "pkg-config lacks what orbox-${package} needs: ${output}")
        continue()
      endif()
      message(FATAL_ERROR "pkg-config does not find orbox-${package}: ${output}")
    endif()
    run("${PKG_CONFIG}" --cflags --libs ${static} "orbox-${package}")
    separate_arguments(flags UNIX_COMMAND "${output}")
    set(program "${WORK_DIR}/pkg_config_${package}")
    separate_arguments(own_flags UNIX_COMMAND "${FLAGS}")
    run("${COMPILER}" ${own_flags} -std=c++20
        "${SOURCE_DIR}/tests/package/use_${package}.cc" -o "${program}" ${flags}
        "-Wl,-rpath,${pc_dir}/..")
    run("${program}")
    message(STATUS "pkg-config orbox-${package}: ${output}")
  endforeach()
endif()

# The component tools is the command, for custom commands of others.
if(EXISTS "${prefix}/bin/orbox")
  file(WRITE "${WORK_DIR}/tools/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(tools LANGUAGES CXX)
find_package(orbox 0.1 REQUIRED CONFIG COMPONENTS tools)
add_custom_command(OUTPUT ball.ply
  COMMAND orbox::command gen --shape sphere --triangles 100 -o ball.ply)
add_custom_target(ball ALL DEPENDS ball.ply)
]])
  run("${CMAKE_COMMAND}" -S "${WORK_DIR}/tools" -B "${WORK_DIR}/tools/build"
      -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
      "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}")
  run("${CMAKE_COMMAND}" --build "${WORK_DIR}/tools/build")
  if(NOT EXISTS "${WORK_DIR}/tools/build/ball.ply")
    message(FATAL_ERROR "orbox::command made no mesh")
  endif()
endif()

# The extension module of the Python package is kept for pip, which compiles it
# only where the sources have changed.
file(GLOB_RECURSE kept "${prefix}/*/orbox/python/sources.sha256")
if(kept)
  set(pip "${WORK_DIR}/pip")
  set(as_pip
      "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${pip}" -G "${GENERATOR}" -D
      SKBUILD=2 -D CMAKE_BUILD_TYPE=Release -D ORBOX_BUILD_PYTHON=ON -D
      ORBOX_BUILD_TESTS=OFF -D ORBOX_BUILD_TOOLS=OFF -D ORBOX_INSTALL=OFF
      "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}"
      -D ORBOX_WITH_PNG=OFF "-DORBOX_WITH_TBB=${WITH_TBB}")
  run(${as_pip})
  run("${CMAKE_COMMAND}" --build "${pip}" --target orbox_python_stub)
  run("${CMAKE_COMMAND}" --install "${pip}" --component python --prefix
      "${pip}/site")
  get_filename_component(kept "${kept}" DIRECTORY)
  foreach(file IN ITEMS _core.abi3.so _core.pyi)
    run("${CMAKE_COMMAND}" -E compare_files "${kept}/${file}"
        "${pip}/site/orbox/${file}")
  endforeach()
  file(WRITE "${kept}/sources.sha256" "of other sources\n")
  execute_process(COMMAND ${as_pip} -D nanobind_ROOT=none OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT output MATCHES "is of other sources")
    message(FATAL_ERROR "A module of other sources was taken:\n${output}")
  endif()
endif()

# A component that is not there is refused by name.
file(WRITE "${WORK_DIR}/unknown/CMakeLists.txt"
     "cmake_minimum_required(VERSION 3.25)\nproject(unknown LANGUAGES CXX)\n"
     "find_package(orbox 0.1 REQUIRED CONFIG COMPONENTS bvh gpu)\n")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${WORK_DIR}/unknown" -B
          "${WORK_DIR}/unknown/build" -G "${GENERATOR}"
          "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
          "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}"
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "orbox has no component 'gpu'")
  message(FATAL_ERROR "The component 'gpu' was not refused:\n${output}")
endif()

# The command works from where it was moved to.
if(EXISTS "${prefix}/bin/orbox")
  run("${prefix}/bin/orbox" --version)
  message(STATUS "${output}")
  foreach(file IN ITEMS man/man1/orbox.1 bash-completion/completions/orbox
                        zsh/site-functions/_orbox)
    if(NOT EXISTS "${prefix}/share/${file}")
      message(FATAL_ERROR "share/${file} was not installed")
    endif()
  endforeach()
endif()
