// SPDX-License-Identifier: Apache-2.0

// The three coordinates of a point or a vector in one register of four lanes.
// The last coordinate is repeated.
//
//   D4 p = LoadPoint(point) * D4(scale);
//   double size = LargestLane(Abs(p));
//   F4 q = ToFloat(p);
//   F8 y = Splat<1>(q);
//
// Private; compiled once per instruction set (arithmetic-inl.h).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_POINT_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_POINT_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_POINT_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_POINT_LANES_INL_H_
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/vec3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

using D4 = Lanes<double, 4>;
using F4 = Lanes<float, 4>;

// Returns the lanes x, y, z, z of three numbers or of a point.
D4 ThreeLanes(double x, double y, double z);
D4 LoadPoint(const Vec3& p);

// Returns the largest of the lanes. None may be NaN.
double LargestLane(const D4& a);

// Rounds each lane to float.
F4 ToFloat(const D4& a);

// Returns the lanes of a, then those of b.
F8 Joined(const F4& a, const F4& b);

// Returns one lane in all lanes.
template <size_t kLane>
F8 Splat(const F4& a);

// Returns the columns of a matrix. Each column is followed by an arbitrary
// entry of the matrix.
Vec3Of<F4> ColumnsOf(const Matrix3<float>& m);

// Implementation.

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE D4 ThreeLanes(double x, double y, double z) {
  const double values[4] = {x, y, z, z};
  return D4::LoadU(values);
}
HWY_INLINE D4 LoadPoint(const Vec3& p) { return ThreeLanes(p.x, p.y, p.z); }
HWY_INLINE F4 ToFloat(const D4& a) {
  F4 r;
  for (size_t i = 0; i < F4::kParts; ++i) {
    r.part[i] = hn::DemoteTo(F4::Tag(), a.part[i]);
  }
  return r;
}
HWY_INLINE F8 Joined(const F4& a, const F4& b) {
  F8 r;
  for (size_t i = 0; i < 8; ++i) r.part[i] = (i < 4 ? a : b).part[i % 4];
  return r;
}
template <size_t kLane>
HWY_INLINE F8 Splat(const F4& a) {
  return hn::GetLane(a.part[kLane]);
}
HWY_INLINE Vec3Of<F4> ColumnsOf(const Matrix3<float>& m) {
  const auto column = [&](size_t k) HWY_ATTR {
    const float values[4] = {m[0][k], m[1][k], m[2][k], m[2][k]};
    return F4::LoadU(values);
  };
  return {column(0), column(1), column(2)};
}

#else

// Builds the lanes in registers. Through memory, they would be read in other
// sizes than they were written, which stalls.
HWY_INLINE D4 ThreeLanes(double x, double y, double z) {
  const D4::Tag d;
  D4 r;
  if constexpr (D4::kParts == 1) {
    const hn::Half<D4::Tag> half;
    r.part[0] = hn::Combine(
        d, hn::Set(half, z),
        hn::InterleaveLower(half, hn::Set(half, x), hn::Set(half, y)));
  } else {
    r.part[0] = hn::InterleaveLower(d, hn::Set(d, x), hn::Set(d, y));
    r.part[1] = hn::Set(d, z);
  }
  return r;
}
HWY_INLINE D4 LoadPoint(const Vec3& p) {
  const D4::Tag d;
  D4 r;
  if constexpr (D4::kParts == 1) {
    const hn::Half<D4::Tag> half;
    r.part[0] = hn::Combine(d, hn::Set(half, p.z), hn::LoadU(half, &p.x));
  } else {
    r.part[0] = hn::LoadU(d, &p.x);
    r.part[1] = hn::Set(d, p.z);
  }
  return r;
}
// Selected by the preprocessor, because the register sizes of both sides must
// match. Outside of a template, `if constexpr` would also compile the branch
// that is not taken.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
HWY_INLINE F4 ToFloat(const D4& a) {
  F4 r;
  r.part[0] = hn::DemoteTo(F4::Tag(), a.part[0]);
  return r;
}
HWY_INLINE F8 Joined(const F4& a, const F4& b) {
  F8 r;
  r.part[0] = hn::Combine(Part(), b.part[0], a.part[0]);
  return r;
}
template <size_t kLane>
HWY_INLINE F8 Splat(const F4& a) {
  const auto lane = hn::Broadcast<kLane>(a.part[0]);
  F8 r;
  r.part[0] = hn::Combine(Part(), lane, lane);
  return r;
}
#else
HWY_INLINE F4 ToFloat(const D4& a) {
  const hn::Half<F4::Tag> half;
  F4 r;
  r.part[0] = hn::Combine(F4::Tag(), hn::DemoteTo(half, a.part[1]),
                          hn::DemoteTo(half, a.part[0]));
  return r;
}
HWY_INLINE F8 Joined(const F4& a, const F4& b) {
  F8 r;
  r.part[0] = a.part[0];
  r.part[1] = b.part[0];
  return r;
}
template <size_t kLane>
HWY_INLINE F8 Splat(const F4& a) {
  F8 r;
  for (size_t i = 0; i < kParts; ++i) {
    r.part[i] = hn::Broadcast<kLane>(a.part[0]);
  }
  return r;
}
#endif
HWY_INLINE Vec3Of<F4> ColumnsOf(const Matrix3<float>& m) {
  const F4::Tag d;
  // The three registers: 00 01 02 10, 10 11 12 20 and 12 20 21 22.
  const auto first = hn::LoadU(d, m.entries);
  const auto second = hn::LoadU(d, m.entries + 3);
  const auto third = hn::LoadU(d, m.entries + 5);
  const auto low = hn::InterleaveLower(d, first, second);
  const auto high = hn::InterleaveUpper(d, first, second);
  Vec3Of<F4> r;
  r.x.part[0] =
      hn::ConcatUpperLower(d, hn::InterleaveLower(d, third, third), low);
  r.y.part[0] = hn::ConcatUpperUpper(d, third, low);
  r.z.part[0] =
      hn::ConcatUpperLower(d, hn::InterleaveUpper(d, third, third), high);
  return r;
}

#endif

HWY_INLINE double LargestLane(const D4& a) {
  auto most = a.part[0];
  for (size_t i = 1; i < D4::kParts; ++i) most = hn::Max(most, a.part[i]);
  return hn::GetLane(hn::MaxOfLanes(D4::Tag(), most));
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_POINT_LANES_INL_H_
