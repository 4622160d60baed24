# SPDX-License-Identifier: Apache-2.0

# Settings that all our targets share, and the include tree that makes
# "orbox/overlap/..." and "orbox/bvh/..." work from the source folders.

set(ORBOX_INCLUDE_DIR "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${ORBOX_INCLUDE_DIR}/orbox")
foreach(folder overlap bvh)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}"
       "${ORBOX_INCLUDE_DIR}/orbox/${folder}" SYMBOLIC)
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/orbox.h"
               "${ORBOX_INCLUDE_DIR}/orbox/orbox.h" COPYONLY)

# The libraries that use orbox::bvh, the core, each in the folder bvh/NAME and
# after those that it needs. bvh/mpi is one more, which few machines can build.
set(ORBOX_SIBLINGS io solids motion large broad_phases boost_geometry)

# orbox_public_headers(FOLDER VARIABLE): the headers that users may include: all
# that are not in a folder called internal. They are installed, and each has to
# compile alone. tests/architecture checks that they include no private one.
# Headers of siblings are not the core's.
function(orbox_public_headers folder variable)
  file(GLOB_RECURSE headers RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
       "${PROJECT_SOURCE_DIR}/${folder}/*.h")
  list(FILTER headers EXCLUDE REGEX "/internal/")
  if(folder STREQUAL "bvh")
    list(JOIN ORBOX_SIBLINGS "|" siblings)
    list(FILTER headers EXCLUDE REGEX "^bvh/(${siblings}|mpi)/")
  endif()
  set(${variable} "${headers}" PARENT_SCOPE)
endfunction()

# orbox_header_set(NAME SCOPE HEADER...): the headers of a library, as they are
# included and installed.
function(orbox_header_set name scope)
  list(TRANSFORM ARGN PREPEND "${ORBOX_INCLUDE_DIR}/orbox/"
       OUTPUT_VARIABLE headers)
  target_sources(${name} ${scope} FILE_SET HEADERS BASE_DIRS
                         "${ORBOX_INCLUDE_DIR}" FILES ${headers})
  target_include_directories(
    ${name} ${scope} "$<BUILD_INTERFACE:${ORBOX_INCLUDE_DIR}>"
                     "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endfunction()

# orbox_target(NAME): C++20, our warnings, reproducible floating point.
function(orbox_target name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Contraction to fused multiply-add would change results with the
    # instruction set; error bounds assume each operation rounds once.
    # Options structs are filled by name; fields that are not named have their
    # defaults.
    target_compile_options(
      ${name} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                      -Wno-missing-field-initializers -ffp-contract=off)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 drops the rounding of (double)(float)x if it vectorizes two of
      # them together; rounding_to_float_test finds compilers that do.
      target_compile_options(${name} PRIVATE -fno-tree-slp-vectorize)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # GCC 12 takes "text" + std::string for overlapping copies (its PR105651),
      # std::string for larger than memory, and cpp_int's union of limbs for one
      # that is not set. Clang and the sanitizers look for all three.
      target_compile_options(
        ${name} PRIVATE -Wno-restrict -Wno-stringop-overflow
                        -Wno-maybe-uninitialized)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ORBOX_PRECOMPILE_HEADERS)
      # Garbage collection is a tenth of GCC's time. It does not run below this
      # many kilobytes. No source takes half of them.
      target_compile_options(${name} PRIVATE --param=ggc-min-heapsize=2000000)
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64")
      # NEON belongs to every AArch64. Highway marks its code with more than that
      # (AES) all the same, and so constructors that the compiler writes, which
      # have no such mark, cannot inline it. The first stops newer versions, the
      # second those before 1.0.5.
      target_compile_definitions(${name} PRIVATE HWY_HAVE_RUNTIME_DISPATCH=0
                                                 TOOLCHAIN_MISS_SYS_AUXV_H)
    endif()
    if(ORBOX_WARNINGS_AS_ERRORS)
      target_compile_options(${name} PRIVATE -Werror)
    endif()
  endif()
  if(ORBOX_SANITIZE)
    target_compile_options(
      ${name} PRIVATE -fsanitize=${ORBOX_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
    if(ORBOX_SANITIZE MATCHES "fuzzer")
      target_compile_options(
        ${name}
        PRIVATE
          "-fsanitize-coverage-ignorelist=${PROJECT_SOURCE_DIR}/tests/fuzz/coverage_ignored.txt"
      )
    endif()
    if(ORBOX_SANITIZE MATCHES "address" AND ORBOX_SANITIZE MATCHES "undefined")
      # The address sanitizer finds these too where memory is read, and a check at
      # each access, or for each address, makes the vector code up to six times as
      # slow to compile.
      target_compile_options(
        ${name} PRIVATE -fno-sanitize=null,object-size,pointer-overflow)
      if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/(tests|tools)")
        # Checks by calls, not inlined, and without alignment, which only memory
        # of the libraries requires: a fifth of the time to compile.
        target_compile_options(
          ${name}
          PRIVATE -fno-sanitize=alignment
                  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -asan-instrumentation-with-call-threshold=0>"
        )
      endif()
      if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/tools")
        # Optimising the command takes as long as all else in compiling it, and
        # its tests spend their time in the libraries.
        target_compile_options(${name} PRIVATE -O0)
      endif()
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
      # One instruction set, which all machines since 2015 have: vector code
      # takes minutes to compile with checks in it. AES and carry-less products
      # belong to what Highway calls AVX2.
      target_compile_options(${name} PRIVATE -march=x86-64-v3 -maes -mpclmul)
      target_compile_definitions(${name} PRIVATE HWY_COMPILE_ONLY_STATIC)
    endif()
    target_link_options(${name} PUBLIC -fsanitize=${ORBOX_SANITIZE})
  endif()
endfunction()

# orbox_precompile_headers(NAME [HEADER...]): for a target whose sources take
# longer to read headers than for all else. Without HEADER, those of sources that
# return absl::Status. tests/architecture/standard_includes_test.cc sees that
# sources include them nevertheless.
function(orbox_precompile_headers name)
  if(NOT ARGN)
    set(ARGN
        <algorithm>
        <cmath>
        <functional>
        <memory>
        <optional>
        <ostream>
        <span>
        <string>
        <vector>
        <absl/status/statusor.h>
        <absl/strings/str_cat.h>)
  endif()
  if(ORBOX_PRECOMPILE_HEADERS)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# orbox_unity_build(NAME): compiles sources of the target some at a time, which
# reads their headers once. Not those with loops for each instruction set, which
# take long enough alone. Names in unnamed namespaces have to differ in a target.
function(orbox_unity_build name)
  if(NOT ORBOX_UNITY_BUILD)
    return()
  endif()
  get_target_property(folder ${name} SOURCE_DIR)
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source IN LISTS sources)
    file(STRINGS "${folder}/${source}" alone REGEX "hwy/foreach_target.h")
    if(alone)
      set_property(SOURCE "${source}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON
                                           UNITY_BUILD_BATCH_SIZE 8)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC treats the sources that a unity source includes as headers.
    target_compile_options(${name} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# orbox_library(NAME [FOLDER]): a library of ours, orbox_NAME, known as
# orbox::NAME, with the headers of the folder of that name, or of FOLDER.
function(orbox_library name)
  set(folder ${name} ${ARGN})
  list(GET folder -1 folder)
  add_library(orbox_${name})
  add_library(orbox::${name} ALIAS orbox_${name})
  orbox_target(orbox_${name})
  # Users compile functions of our headers as well, and the linker uses one of
  # several copies, also in the library. So theirs must not contract, which
  # compilers for AArch64 do by default.
  target_compile_options(
    orbox_${name}
    INTERFACE
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>")
  # Before 1.0 each minor version may change the ABI, so it is in the SONAME.
  set_target_properties(
    orbox_${name}
    PROPERTIES EXPORT_NAME ${name}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               VERSION ${PROJECT_VERSION}
               POSITION_INDEPENDENT_CODE ON
               WINDOWS_EXPORT_ALL_SYMBOLS ON)
  # A library finds the others in its own folder, wherever the prefix is moved
  # to.
  if(APPLE)
    set_target_properties(orbox_${name} PROPERTIES INSTALL_RPATH "@loader_path")
  else()
    set_target_properties(orbox_${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
  # Tests use private functions, too, so the libraries that they link export
  # these.
  if(NOT (BUILD_SHARED_LIBS AND ORBOX_BUILD_TESTS))
    set_target_properties(
      orbox_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden
                               VISIBILITY_INLINES_HIDDEN ON)
  endif()

  orbox_public_headers(${folder} headers)
  orbox_header_set(orbox_${name} PUBLIC ${headers})
endfunction()
