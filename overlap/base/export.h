// SPDX-License-Identifier: Apache-2.0

// Marks what a shared library of Orbox exports. Everything else is hidden. So
// loading is quick, and no program can rely on functions that may change.
//
//   ORBOX_EXPORT bool Overlaps(...);
//   class ORBOX_EXPORT Tree { ... };
//
// Internal functions that another library of Orbox or the command calls are
// also marked. They are not part of the public interface. Windows exports
// everything (WINDOWS_EXPORT_ALL_SYMBOLS).
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
// compiled with _GLIBCXX_DEBUG would link with a library compiled without it,
// and would read wrong data. The library defines one of these two names, and
// code that includes this header refers to one of them. If the two differ,
// linking fails.
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
