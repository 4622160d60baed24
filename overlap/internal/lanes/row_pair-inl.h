// SPDX-License-Identifier: Apache-2.0

// Two rows of eight floats. Each operation applies to both: the operation on
// one row runs while the other row waits for an earlier result.
//
//   const F16 root = Sqrt(Joined(a, b));
//   const F8 root_of_b = RowOf<1>(root);
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_ROW_PAIR_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_ROW_PAIR_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_ROW_PAIR_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_ROW_PAIR_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

using F16 = Lanes<float, 16>;

HWY_INLINE F16 Joined(const F8& a, const F8& b) {
  F16 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = a.part[i];
    r.part[kParts + i] = b.part[i];
  }
  return r;
}
HWY_INLINE Vec3Of<F16> Joined(const V8& a, const V8& b) {
  return {Joined(a.x, b.x), Joined(a.y, b.y), Joined(a.z, b.z)};
}
HWY_INLINE TriangleOf<F16> Joined(const TriangleOf<F8>& a,
                                  const TriangleOf<F8>& b) {
  return {Joined(a.a, b.a), Joined(a.b, b.b), Joined(a.c, b.c)};
}

// Returns row 0 or row 1.
template <size_t kRow>
HWY_INLINE F8 RowOf(const F16& rows) {
  F8 r;
  for (size_t i = 0; i < kParts; ++i) r.part[i] = rows.part[kRow * kParts + i];
  return r;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_ROW_PAIR_INL_H_
