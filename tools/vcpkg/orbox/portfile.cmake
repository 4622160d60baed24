# SPDX-License-Identifier: Apache-2.0

# An overlay port: vcpkg install orbox --overlay-ports=ORBOX/tools/vcpkg
# builds the sources that contain it.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
  FEATURES
    3mf ORBOX_WITH_3MF
    gltf ORBOX_WITH_GLTF
    tbb ORBOX_WITH_TBB
    tools ORBOX_BUILD_TOOLS
    tools ORBOX_WITH_PNG
)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${features}
    -DORBOX_BUILD_TESTS=OFF
    -DORBOX_WITH_VIEWER=OFF
    -DORBOX_BUILD_BENCHMARKS=OFF
    -DORBOX_INSTALL=ON
    -DORBOX_PRECOMPILE_HEADERS=ON
)
vcpkg_cmake_install()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES orbox AUTO_CLEAN)
endif()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/orbox)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include"
     "${CURRENT_PACKAGES_DIR}/debug/share"
     "${CURRENT_PACKAGES_DIR}/share/licenses")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage"
     DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
