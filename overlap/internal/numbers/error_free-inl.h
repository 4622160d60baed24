// SPDX-License-Identifier: Apache-2.0

// The error-free sums and products of error_free.h, in each lane
// (arithmetic-inl.h).
//
//   LongOf<D> p = TwoProduct(a, b);        // a b == p.hi + p.lo in each lane
//
// Private; compiled once per instruction set.
#if defined(ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_INL_H_
#endif

#include "hwy/highway.h"
#include "orbox/overlap/internal/numbers/error_free.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

#define ORBOX_NUMBERS_INLINE HWY_INLINE
#include "orbox/overlap/internal/numbers/error_free.inc"
#undef ORBOX_NUMBERS_INLINE

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_ERROR_FREE_INL_H_
