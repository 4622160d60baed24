// SPDX-License-Identifier: Apache-2.0

// The names by which export.h makes the linker check _GLIBCXX_DEBUG.
#include "orbox/overlap/base/export.h"

#if defined(__GNUC__) && !defined(_WIN32)
namespace orbox::link_check {

#if defined(_GLIBCXX_DEBUG)
const char kLibraryIsBuiltWithGlibcxxDebug = 1;
#else
const char kLibraryIsBuiltWithoutGlibcxxDebug = 1;
#endif

}  // namespace orbox::link_check
#endif
