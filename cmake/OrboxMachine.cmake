# SPDX-License-Identifier: Apache-2.0

# Refuses machines that Orbox does not serve before anything is compiled: tree
# files, their checksums and the binary meshes are read as little-endian memory,
# and sizes and offsets of 64 bits are one machine word.
if(CMAKE_SIZEOF_VOID_P AND CMAKE_SIZEOF_VOID_P LESS 8)
  message(
    FATAL_ERROR
      "Orbox is not supported on 32-bit machines (${CMAKE_SYSTEM_PROCESSOR}): "
      "it needs pointers of 64 bits")
endif()
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(
    FATAL_ERROR
      "Orbox is not supported on big-endian machines "
      "(${CMAKE_SYSTEM_PROCESSOR}): it needs a little-endian one")
endif()
