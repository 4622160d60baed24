# SPDX-License-Identifier: Apache-2.0

# orbox_sources_hash(ROOT OUT): a hash of all that the Python package's extension
# module is compiled from. A module that was installed with the same hash is the
# one that these sources make. As a script, writes it to a file:
#
#   cmake -D ROOT=... -D FILE=... -P cmake/OrboxSourcesHash.cmake
function(orbox_sources_hash root out)
  set(patterns "")
  foreach(folder IN ITEMS overlap bvh tools/base tools/orbox tools/picture tools/report
                          tools/python tools/viewer)
    foreach(kind IN ITEMS cc h inc js)
      list(APPEND patterns "${root}/${folder}/*.${kind}")
    endforeach()
  endforeach()
  file(GLOB_RECURSE files RELATIVE "${root}" ${patterns})
  list(FILTER files EXCLUDE REGEX "/node_modules/|_bench\\.cc$")
  list(SORT files)
  set(hashes "")
  foreach(file IN LISTS files)
    file(SHA256 "${root}/${file}" hash)
    string(APPEND hashes "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${hashes}")
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  orbox_sources_hash("${ROOT}" hash)
  file(WRITE "${FILE}" "${hash}\n")
endif()
