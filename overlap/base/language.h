// SPDX-License-Identifier: Apache-2.0

// Whether the compiler speaks the C++ that Orbox is written in, in one line at
// the top of what it says rather than in a hundred. All public headers include
// this one.
#ifndef ORBOX_OVERLAP_BASE_LANGUAGE_H_
#define ORBOX_OVERLAP_BASE_LANGUAGE_H_

// Microsoft's compiler says 199711 in __cplusplus unless it is told not to.
#if defined(_MSVC_LANG)
#if _MSVC_LANG < 202002L
#error "Orbox needs C++20 or later: compile with /std:c++20"
#endif
#elif __cplusplus < 202002L
#error "Orbox needs C++20 or later: compile with -std=c++20"
#endif

#endif  // ORBOX_OVERLAP_BASE_LANGUAGE_H_
