# SPDX-License-Identifier: Apache-2.0

# Install rules: libraries, headers, and the package files for find_package.

include(CMakePackageConfigHelpers)

set(ORBOX_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/orbox")

# One export set per component, so that a user of orbox::overlap alone needs no
# dependency of orbox::bvh.
install(
  TARGETS orbox_overlap
  EXPORT orboxOverlapTargets
  FILE_SET HEADERS)
install(
  TARGETS orbox_bvh orbox_all
  EXPORT orboxBvhTargets
  FILE_SET HEADERS)
set(exports orboxOverlapTargets orboxBvhTargets)
if(TARGET orbox_mpi)
  install(
    TARGETS orbox_mpi
    EXPORT orboxMpiTargets
    FILE_SET HEADERS)
  list(APPEND exports orboxMpiTargets)
endif()
foreach(export IN LISTS exports)
  install(EXPORT ${export} NAMESPACE orbox:: DESTINATION "${ORBOX_CMAKE_DIR}")
endforeach()

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

# The same for pkg-config. Paths start from where the files lie, so that the
# prefix may be moved.
set(ORBOX_PC_DIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH ORBOX_PC_PREFIX "/prefix/${ORBOX_PC_DIR}" "/prefix")
set(ORBOX_PC_TBB "")
if(ORBOX_WITH_TBB)
  set(ORBOX_PC_TBB " tbb >= ${ORBOX_TBB_MINIMUM}")
endif()
set(ORBOX_PC_3MF "")
if(ORBOX_WITH_3MF)
  set(ORBOX_PC_3MF
      " expat >= ${ORBOX_EXPAT_MINIMUM} zlib >= ${ORBOX_ZLIB_MINIMUM}")
endif()
foreach(library IN ITEMS overlap bvh)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/orbox-${library}.pc.in"
                 "${PROJECT_BINARY_DIR}/orbox-${library}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/orbox-${library}.pc"
          DESTINATION "${ORBOX_PC_DIR}")
endforeach()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/orbox")

if(ORBOX_BUILD_TOOLS AND TARGET orbox_cli)
  # The component tools: the command as orbox::command, for custom commands.
  install(
    TARGETS orbox_cli
    EXPORT orboxToolsTargets
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  if(TARGET orbox_mpi_cli)
    install(TARGETS orbox_mpi_cli
            RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
  install(EXPORT orboxToolsTargets NAMESPACE orbox::
          DESTINATION "${ORBOX_CMAKE_DIR}")

  # What its JSON looks like.
  install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/tools/orbox/schemas/"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/orbox/schemas"
    FILES_MATCHING
    PATTERN "*.schema.json")

  # The command tells its own manual page and completions.
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
