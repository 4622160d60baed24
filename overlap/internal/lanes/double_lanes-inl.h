// A few doubles side by side, and sums and products of two that lose nothing.
//
//   LongD p = DTwoProduct(a, b);         // a b == p.hi + p.lo in each lane
//
// Private; compiled once per instruction set (lanes-inl.h). Fused multiply-add
// is used for errors of products only, which are exact, so that all sets give
// the same bits.
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_DOUBLE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_DOUBLE_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_DOUBLE_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_DOUBLE_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// As many doubles as a register has, up to four.
using DoubleTag = hn::CappedTag<double, 4>;
using D = hn::Vec<DoubleTag>;
using DMask = hn::Mask<DoubleTag>;

inline constexpr size_t kDoubleLanes = hn::MaxLanes(DoubleTag());

struct D3 {
  D x, y, z;
};

// The unevaluated sum hi + lo.
struct LongD {
  D hi, lo;
};

HWY_INLINE D DSet(double x) { return hn::Set(DoubleTag(), x); }
HWY_INLINE D DSelect(DMask m, D yes, D no) {
  return hn::IfThenElse(m, yes, no);
}
HWY_INLINE D3 DSelect(DMask m, const D3& yes, const D3& no) {
  return {DSelect(m, yes.x, no.x), DSelect(m, yes.y, no.y),
          DSelect(m, yes.z, no.z)};
}
HWY_INLINE D3 operator-(const D3& a, const D3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE D DAdd3(D a, D b, D c) { return hn::Add(hn::Add(a, b), c); }
HWY_INLINE D DDot(const D3& a, const D3& b) {
  return DAdd3(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y), hn::Mul(a.z, b.z));
}
HWY_INLINE D3 DCross(const D3& a, const D3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE D3 DAbs(const D3& a) {
  return {hn::Abs(a.x), hn::Abs(a.y), hn::Abs(a.z)};
}

HWY_INLINE LongD DTwoSum(D a, D b) {
  const D sum = hn::Add(a, b);
  const D part = hn::Sub(sum, a);
  return {sum, hn::Add(hn::Sub(a, hn::Sub(sum, part)), hn::Sub(b, part))};
}
HWY_INLINE LongD DFastTwoSum(D a, D b) {
  const D sum = hn::Add(a, b);
  return {sum, hn::Sub(b, hn::Sub(sum, a))};
}
HWY_INLINE LongD DTwoDifference(D a, D b) {
  const D difference = hn::Sub(a, b);
  const D part = hn::Sub(a, difference);
  return {difference,
          hn::Add(hn::Sub(a, hn::Add(difference, part)), hn::Sub(part, b))};
}
// Exact under the conditions of TwoProduct (error_free.h).
HWY_INLINE LongD DTwoProduct(D a, D b) {
  const D product = hn::Mul(a, b);
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || HWY_ARCH_ARM_A64
  return {product, hn::MulSub(a, b, product)};
#else
  const auto split = [](D v) HWY_ATTR -> LongD {
    const D scaled = hn::Mul(DSet(134217729.0), v);
    const D hi = hn::Sub(scaled, hn::Sub(scaled, v));
    return {hi, hn::Sub(v, hi)};
  };
  const LongD x = split(a);
  const LongD y = split(b);
  const D rest = hn::Add(
      hn::Add(hn::Sub(hn::Mul(x.hi, y.hi), product), hn::Mul(x.hi, y.lo)),
      hn::Mul(x.lo, y.hi));
  return {product, hn::Add(rest, hn::Mul(x.lo, y.lo))};
#endif
}

// Lane i as bit i.
HWY_INLINE uint32_t DBits(DMask mask) {
  uint8_t bytes[8] = {0};
  hn::StoreMaskBits(DoubleTag(), mask, bytes);
  return bytes[0];
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_DOUBLE_LANES_INL_H_
