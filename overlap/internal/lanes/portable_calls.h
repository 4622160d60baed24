// SPDX-License-Identifier: Apache-2.0

// For the portable target only, where eight lanes are eight numbers: lets the
// compiler choose what it inlines. With all operations inlined, loops over
// trees are eight times as large there, and took four fifths of the time to
// compile them for all instruction sets. Private.
//
// Include it after hwy/highway.h, whose own operations stay inlined, and before
// any use of HWY_INLINE. Highway compiles the portable target last, so no other
// target is affected.
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SCALAR
#undef HWY_INLINE
#define HWY_INLINE inline
#endif
