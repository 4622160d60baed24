// SPDX-License-Identifier: Apache-2.0

// The arithmetic of bounded.h in lanes (arithmetic-inl.h), without its
// shortcuts. The error bound of each lane is as reliable as there.
//
//   LongBoundedOf<D> z = BoundedSum(x, BoundedProduct(y, y, lost));
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

#define ORBOX_NUMBERS_INLINE HWY_INLINE
#include "orbox/overlap/internal/numbers/long_bounded.inc"
#undef ORBOX_NUMBERS_INLINE

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_LONG_BOUNDED_INL_H_
