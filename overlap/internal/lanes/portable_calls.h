// SPDX-License-Identifier: Apache-2.0

// For the portable target alone, where eight lanes are eight numbers: lets the
// compiler choose what it inlines. Loops over trees with all operations inlined
// are eight times as large there, and took four fifths of the time that
// compiling them for all instruction sets takes. Private.
//
// Include it after hwy/highway.h, whose own operations stay inlined, and before
// what says HWY_INLINE. The portable target comes last of all, so that no other
// is compiled like this.
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SCALAR
#undef HWY_INLINE
#define HWY_INLINE inline
#endif
