// SPDX-License-Identifier: Apache-2.0

// Marks what a shared library of Orbox exports. Everything else is hidden, so
// that loading is quick and no program relies on functions that may change.
//
//   ORBOX_EXPORT bool Overlaps(...);
//   class ORBOX_EXPORT Tree { ... };
//
// Internal functions that the other library or the command calls are also
// marked; they are no part of the interface. Windows exports everything
// (WINDOWS_EXPORT_ALL_SYMBOLS).
#ifndef ORBOX_OVERLAP_BASE_EXPORT_H_
#define ORBOX_OVERLAP_BASE_EXPORT_H_

#include "orbox/overlap/base/language.h"

#if defined(__GNUC__) && !defined(_WIN32)
#define ORBOX_EXPORT __attribute__((visibility("default")))
#else
#define ORBOX_EXPORT
#endif

// Checks at link time that a program and the library agree on _GLIBCXX_DEBUG,
// which changes the layout of std::vector. Without the check, a program
// compiled with it would link with a library compiled without it, and read
// wrong numbers. The library defines one of these two names, and code that
// includes this header refers to one of them. If the two differ, linking fails.
#if defined(__GNUC__) && !defined(_WIN32)
namespace orbox::link_check {
#if defined(_GLIBCXX_DEBUG)
ORBOX_EXPORT extern const char kLibraryIsBuiltWithGlibcxxDebug;
[[gnu::used]] inline const char* const kUsed = &kLibraryIsBuiltWithGlibcxxDebug;
#else
ORBOX_EXPORT extern const char kLibraryIsBuiltWithoutGlibcxxDebug;
[[gnu::used]] inline const char* const kUsed =
    &kLibraryIsBuiltWithoutGlibcxxDebug;
#endif
}  // namespace orbox::link_check
#endif

#endif  // ORBOX_OVERLAP_BASE_EXPORT_H_
