# SPDX-License-Identifier: Apache-2.0

# The model to turn on pages of clashes: three.js and viewer.js as one script,
# which the command holds. Needs Node 18 or later and, once, npm's registry.
# On unless either is missing; asked for, it has to be made.

set(viewer_source "${PROJECT_SOURCE_DIR}/tools/viewer")
set(viewer_build "${CMAKE_CURRENT_BINARY_DIR}/viewer")

# Installs what the lock file names, unless it is there already.
function(orbox_install_viewer result)
  find_program(ORBOX_NODE node)
  find_program(ORBOX_NPM npm)
  mark_as_advanced(ORBOX_NODE ORBOX_NPM)
  if(NOT ORBOX_NODE OR NOT ORBOX_NPM)
    set(${result} "there is no Node" PARENT_SCOPE)
    return()
  endif()
  set(stamp "${viewer_build}/installed")
  file(SHA256 "${viewer_source}/package-lock.json" wanted)
  if(EXISTS "${stamp}")
    file(READ "${stamp}" installed)
  endif()
  if("${installed}" STREQUAL "${wanted}")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  file(COPY "${viewer_source}/package.json" "${viewer_source}/package-lock.json"
       DESTINATION "${viewer_build}")
  execute_process(
    COMMAND "${ORBOX_NPM}" ci --ignore-scripts --no-audit --no-fund
            --fetch-retries=0 --prefer-offline --loglevel=error
    WORKING_DIRECTORY "${viewer_build}"
    RESULT_VARIABLE failure
    OUTPUT_QUIET
    ERROR_VARIABLE message
    TIMEOUT 600)
  if(failure)
    string(REGEX REPLACE "\n.*" "" message "${message}")
    set(${result} "npm ci failed: ${message}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE "${stamp}" "${wanted}")
  set(${result} "" PARENT_SCOPE)
endfunction()

if(DEFINED ORBOX_WITH_VIEWER AND NOT ORBOX_WITH_VIEWER)
  set(viewer_failure "ORBOX_WITH_VIEWER is off")
else()
  orbox_install_viewer(viewer_failure)
endif()
if(viewer_failure AND ORBOX_WITH_VIEWER)
  message(FATAL_ERROR "No viewer for reports: ${viewer_failure}. "
                      "Without it: -D ORBOX_WITH_VIEWER=OFF")
endif()
if(viewer_failure)
  message(STATUS "Reports have pictures, but no model to turn: ${viewer_failure}")
  set(viewer_default OFF)
else()
  set(viewer_default ON)
endif()
option(ORBOX_WITH_VIEWER "Let reports hold a model to turn, by three.js"
       ${viewer_default})

if(ORBOX_WITH_VIEWER)
  set(viewer_bundle "${viewer_build}/viewer_bundle.cc")
  # Node finds packages beside the script that imports them.
  configure_file("${viewer_source}/build.js" "${viewer_build}/build.js" COPYONLY)
  add_custom_command(
    OUTPUT "${viewer_bundle}"
    COMMAND "${ORBOX_NODE}" "${viewer_build}/build.js" "${viewer_bundle}"
            "${viewer_source}"
    DEPENDS "${viewer_build}/build.js" "${viewer_source}/viewer.js"
            "${viewer_build}/installed"
    COMMENT "Bundling the viewer of reports"
    VERBATIM)
  target_sources(orbox_report PRIVATE "${viewer_bundle}")
  set_source_files_properties("${viewer_bundle}"
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
else()
  target_sources(orbox_report PRIVATE internal/no_viewer.cc)
endif()
