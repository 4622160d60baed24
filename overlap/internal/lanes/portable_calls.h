// SPDX-License-Identifier: Apache-2.0

// For the portable target only, on which eight lanes are eight numbers: lets
// the compiler choose which functions it inlines. If all operations were
// inlined, loops over trees would be eight times as large on this target, and
// would take four fifths of the time to compile them for all instruction sets.
// Private.
//
// Include it after hwy/highway.h, whose operations remain inlined, and before
// any use of HWY_INLINE. Highway compiles the portable target last, so no other
// target is affected.
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SCALAR
#undef HWY_INLINE
#define HWY_INLINE inline
#endif
