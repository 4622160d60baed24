// SPDX-License-Identifier: Apache-2.0

// The vector operations of batches, on float lanes.
//
//   const ops::Tag<16> d;                       // up to 16 lanes
//   auto e = ops::Sub(ops::LoadU(d, p), c);
//   ops::StoreMaskBits(d, ops::Le(e, r), bytes);
//
// Private; compiled once per instruction set. Include it between hwy/highway.h
// and HWY_BEFORE_NAMESPACE of a file that dispatches. `ops` is Highway's
// namespace. If Highway has only scalar code or an emulation but the machine
// has SSE2, `ops` is four lanes of SSE2 (Highway before 1.0.5 has no target for
// it). Each operation rounds once.
#if defined(ORBOX_OVERLAP_BOXES_INTERNAL_FLOAT_OPS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_BOXES_INTERNAL_FLOAT_OPS_INL_H_
#undef ORBOX_OVERLAP_BOXES_INTERNAL_FLOAT_OPS_INL_H_
#else
#define ORBOX_OVERLAP_BOXES_INTERNAL_FLOAT_OPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

#undef ORBOX_IS_FALLBACK_TARGET
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define ORBOX_IS_FALLBACK_TARGET 1
#else
#define ORBOX_IS_FALLBACK_TARGET 0
#endif

#if ORBOX_IS_FALLBACK_TARGET && defined(__SSE2__)
#include <emmintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE::ops {

#if ORBOX_IS_FALLBACK_TARGET && defined(__SSE2__)

struct Sse2Tag {};
template <size_t>
using Tag = Sse2Tag;

struct Vec4 {
  __m128 raw;
};
struct Mask4 {
  __m128 raw;
};

constexpr size_t MaxLanes(Sse2Tag) { return 4; }
HWY_INLINE Vec4 LoadU(Sse2Tag, const float* p) { return {_mm_loadu_ps(p)}; }
HWY_INLINE Vec4 Set(Sse2Tag, float x) { return {_mm_set1_ps(x)}; }
HWY_INLINE Vec4 Add(Vec4 a, Vec4 b) { return {_mm_add_ps(a.raw, b.raw)}; }
HWY_INLINE Vec4 Sub(Vec4 a, Vec4 b) { return {_mm_sub_ps(a.raw, b.raw)}; }
HWY_INLINE Vec4 Mul(Vec4 a, Vec4 b) { return {_mm_mul_ps(a.raw, b.raw)}; }
HWY_INLINE Vec4 Min(Vec4 a, Vec4 b) { return {_mm_min_ps(a.raw, b.raw)}; }
HWY_INLINE Vec4 Max(Vec4 a, Vec4 b) { return {_mm_max_ps(a.raw, b.raw)}; }
HWY_INLINE Vec4 Abs(Vec4 a) {
  return {_mm_andnot_ps(_mm_set1_ps(-0.0f), a.raw)};
}
HWY_INLINE Mask4 Le(Vec4 a, Vec4 b) { return {_mm_cmple_ps(a.raw, b.raw)}; }
HWY_INLINE Mask4 Gt(Vec4 a, Vec4 b) { return {_mm_cmpgt_ps(a.raw, b.raw)}; }
HWY_INLINE Mask4 Not(Mask4 a) {
  const __m128i ones = _mm_set1_epi32(-1);
  return {_mm_xor_ps(a.raw, _mm_castsi128_ps(ones))};
}
HWY_INLINE void StoreMaskBits(Sse2Tag, Mask4 m, uint8_t* bits) {
  *bits = static_cast<uint8_t>(_mm_movemask_ps(m.raw));
}

#else

namespace hn = hwy::HWY_NAMESPACE;

template <size_t limit>
using Tag = hn::CappedTag<float, limit>;
template <typename D>
constexpr size_t MaxLanes(D d) {
  return hn::MaxLanes(d);
}
using hn::Abs;
using hn::Add;
using hn::Gt;
using hn::Le;
using hn::LoadU;
using hn::Max;
using hn::Min;
using hn::Mul;
using hn::Not;
using hn::Set;
using hn::StoreMaskBits;
using hn::Sub;

#endif

// Returns max(0, v), and NaN if v is NaN. The maximum of x86 does so if zero is
// its first operand. Highway's maximum for NEON (FMAXNM) and its fallbacks
// would return zero for NaN.
template <typename D, typename V>
HWY_INLINE V PositivePart(D d, V v) {
#if !HWY_ARCH_X86 || (ORBOX_IS_FALLBACK_TARGET && !defined(__SSE2__))
  return hn::IfThenZeroElse(Le(v, Set(d, 0.0f)), v);
#else
  return Max(Set(d, 0.0f), v);
#endif
}

}  // namespace orbox::HWY_NAMESPACE::ops
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_BOXES_INTERNAL_FLOAT_OPS_INL_H_
