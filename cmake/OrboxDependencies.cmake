# SPDX-License-Identifier: Apache-2.0

# The oldest versions that Orbox is built and tested with: Debian 12's. Read by
# the build and by tools/scripts/probe.
set(ORBOX_BOOST_MINIMUM 1.74)
set(ORBOX_HWY_MINIMUM 1.0.3)
set(ORBOX_GTEST_MINIMUM 1.12)
set(ORBOX_TBB_MINIMUM 2021)
set(ORBOX_PNG_MINIMUM 1.6)
set(ORBOX_JSON_MINIMUM 3.11)
# The standard's version, not an implementation's.
set(ORBOX_MPI_MINIMUM 3.0)
set(ORBOX_EXPAT_MINIMUM 2.4)
set(ORBOX_ZLIB_MINIMUM 1.2.11)
