# SPDX-License-Identifier: Apache-2.0

# Install rules: libraries, headers, and the package files for find_package.

include(CMakePackageConfigHelpers)

set(ORBOX_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/orbox")

# orbox_install(TARGET COMPONENT): with its headers. An export set for each
# component, so that a user of one needs the dependencies of no other.
function(orbox_install target component)
  install(
    TARGETS ${target}
    EXPORT orbox-${component}-targets
    FILE_SET HEADERS)
  install(EXPORT orbox-${component}-targets NAMESPACE orbox::
          DESTINATION "${ORBOX_CMAKE_DIR}")
endfunction()
set(components overlap bvh ${ORBOX_SIBLINGS})
foreach(component IN LISTS components)
  orbox_install(orbox_${component} ${component})
endforeach()
orbox_install(orbox_all orbox)
if(TARGET orbox_mpi)
  orbox_install(orbox_mpi mpi)
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/orboxConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/orboxConfig.cmake"
  INSTALL_DESTINATION "${ORBOX_CMAKE_DIR}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/orboxConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/orboxConfig.cmake"
              "${PROJECT_BINARY_DIR}/orboxConfigVersion.cmake"
        DESTINATION "${ORBOX_CMAKE_DIR}")

# Files for pkg-config. Their paths are relative to the files, so that the
# prefix may be moved.
set(ORBOX_PC_DIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH ORBOX_PC_PREFIX "/prefix/${ORBOX_PC_DIR}" "/prefix")
set(tbb "")
if(ORBOX_WITH_TBB)
  set(tbb " tbb >= ${ORBOX_TBB_MINIMUM}")
endif()
set(readers "")
if(ORBOX_WITH_3MF)
  set(readers " expat >= ${ORBOX_EXPAT_MINIMUM} zlib >= ${ORBOX_ZLIB_MINIMUM}")
endif()

# orbox_pkg_config(NAME LIBRARIES DESCRIPTION REQUIRES REQUIRES_PRIVATE)
function(orbox_pkg_config name ORBOX_PC_LIBS description requires private)
  set(ORBOX_PC_NAME "${name}")
  set(ORBOX_PC_DESCRIPTION "${description}")
  set(ORBOX_PC_REQUIRES "${requires}")
  set(ORBOX_PC_PRIVATE "${private}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/orbox.pc.in"
                 "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${ORBOX_PC_DIR}")
endfunction()
set(same "= ${PROJECT_VERSION}")
set(highway "libhwy >= ${ORBOX_HWY_MINIMUM}")
orbox_pkg_config(
  orbox-overlap "-lorbox_overlap"
  "Exact overlap tests and distances of spheres, boxes and triangles" ""
  "${highway}")
orbox_pkg_config(
  orbox-bvh "-lorbox_bvh" "${PROJECT_DESCRIPTION}"
  "orbox-overlap ${same} absl_function_ref absl_status absl_statusor"
  "absl_strings ${highway}${tbb}")
orbox_pkg_config(
  orbox-io "-lorbox_io" "Meshes from files and formulas, and to files"
  "orbox-bvh ${same}" "absl_strings${readers}")
orbox_pkg_config(
  orbox-solids "-lorbox_solids" "Clashes and shared regions of solids"
  "orbox-bvh ${same}" "absl_strings")
orbox_pkg_config(
  orbox-motion "-lorbox_motion" "First contact of moving meshes"
  "orbox-bvh ${same}" "absl_strings")
orbox_pkg_config(
  orbox-large "-lorbox_large" "Queries of meshes larger than memory"
  "orbox-bvh ${same}" "orbox-io ${same} absl_strings ${highway}")
orbox_pkg_config(
  orbox-broad_phases "-lorbox_broad_phases" "Broad phases, for comparison"
  "orbox-bvh ${same}" "${highway}")
set(all "")
foreach(component IN LISTS components)
  if(NOT component STREQUAL "boost_geometry")
    string(APPEND all "orbox-${component} ${same} ")
  endif()
endforeach()
orbox_pkg_config(orbox "" "${PROJECT_DESCRIPTION}" "${all}" "")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/orbox")

if(ORBOX_BUILD_TOOLS AND TARGET orbox_cli)
  # The component tools: the command as orbox::command, for custom commands.
  install(
    TARGETS orbox_cli
    EXPORT orbox-tools-targets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(TARGET orbox_mpi_cli)
    install(TARGETS orbox_mpi_cli
            RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
  install(EXPORT orbox-tools-targets NAMESPACE orbox::
          DESTINATION "${ORBOX_CMAKE_DIR}")

  # The schemas of the command's JSON.
  install(
    DIRECTORY "${PROJECT_BINARY_DIR}/share/schemas/"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/orbox/schemas"
    FILES_MATCHING
    PATTERN "*.schema.json")

  # The command writes its manual page and completions.
  if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    set(share "${PROJECT_BINARY_DIR}/share")
    file(MAKE_DIRECTORY "${share}")
    add_custom_command(
      OUTPUT "${share}/orbox.1" "${share}/orbox" "${share}/_orbox"
      COMMAND orbox_cli help --man -o "${share}/orbox.1"
      COMMAND orbox_cli completion bash -o "${share}/orbox"
      COMMAND orbox_cli completion zsh -o "${share}/_orbox"
      DEPENDS orbox_cli
      VERBATIM)
    add_custom_target(orbox_share ALL DEPENDS "${share}/orbox.1")
    install(FILES "${share}/orbox.1"
            DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${share}/orbox"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${share}/_orbox"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  endif()
endif()
