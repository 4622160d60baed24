# SPDX-License-Identifier: Apache-2.0

# For pip, if Orbox is installed. An installed Orbox that was built with
# ORBOX_BUILD_PYTHON includes the extension module, which works with every
# Python from 3.10. If it was compiled from these sources, the package uses it
# and compiles nothing. Otherwise the package builds the libraries of this tree.
# Sets ORBOX_INSTALLED_MODULE to the module's folder, or to nothing.
include(OrboxSourcesHash)

set(ORBOX_INSTALLED_MODULE "")
find_library(ORBOX_KEPT_MODULE NAMES _core.abi3.so PATH_SUFFIXES orbox/python)
if(ORBOX_KEPT_MODULE)
  cmake_path(GET ORBOX_KEPT_MODULE PARENT_PATH module_folder)
  file(STRINGS "${module_folder}/sources.sha256" module_hash LIMIT_COUNT 1)
  orbox_sources_hash("${PROJECT_SOURCE_DIR}" source_hash)
  if("${module_hash}" STREQUAL "${source_hash}")
    set(ORBOX_INSTALLED_MODULE "${module_folder}")
  else()
    message(STATUS "The module in ${module_folder} is of other sources")
  endif()
endif()

if(ORBOX_INSTALLED_MODULE)
  message(STATUS "Using the module in ${ORBOX_INSTALLED_MODULE}")
  add_custom_target(orbox_python)  # what pip has built
  add_custom_target(orbox_python_stub)
  install(
    FILES "${ORBOX_INSTALLED_MODULE}/_core.abi3.so"
          "${ORBOX_INSTALLED_MODULE}/_core.pyi"
    COMPONENT python
    DESTINATION orbox)
endif()
