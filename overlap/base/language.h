// SPDX-License-Identifier: Apache-2.0

// Requires C++20 or later. Reports an older language in one line at the top of
// the compiler's output, instead of a hundred errors. All public headers
// include this one.
#ifndef ORBOX_OVERLAP_BASE_LANGUAGE_H_
#define ORBOX_OVERLAP_BASE_LANGUAGE_H_

// Microsoft's compiler defines __cplusplus as 199711 by default, so its own
// macro is read.
#if defined(_MSVC_LANG)
#if _MSVC_LANG < 202002L
#error "Orbox needs C++20 or later: compile with /std:c++20"
#endif
#elif __cplusplus < 202002L
#error "Orbox needs C++20 or later: compile with -std=c++20"
#endif

#endif  // ORBOX_OVERLAP_BASE_LANGUAGE_H_
