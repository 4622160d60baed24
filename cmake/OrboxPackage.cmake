# SPDX-License-Identifier: Apache-2.0

# Debian packages: `cpack -G DEB` in a build folder. tools/scripts/deb_check.sh
# makes one, installs it, uses it and removes it.

set(CPACK_PACKAGE_NAME orbox)
set(CPACK_PACKAGE_VENDOR "The Orbox authors")
set(CPACK_PACKAGE_CONTACT "The Orbox authors <orbox@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
# Packages that the command needs, found by its libraries, and those that the
# headers need.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libabsl-dev, libhwy-dev, libtbb-dev")
set(CPACK_GENERATOR TGZ CACHE STRING "What cpack makes")

include(CPack)
