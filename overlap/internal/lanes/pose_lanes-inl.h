// Moves triangles as their pose does, to the last bit, a corner's three
// coordinates at once.
//
//   PoseLanes lanes(pose);                     // once per query
//   Triangle moved = lanes.Apply(triangle);    // pose.Apply(triangle)
//
// `pose` must outlive it. Private; compiled once per instruction set
// (lanes-inl.h).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/double_lanes-inl.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class PoseLanes {
 public:
  explicit PoseLanes(const Pose& pose);

  Triangle Apply(const Triangle& t) const;

 private:
  // Three coordinates, and one more to fill registers.
  static constexpr size_t kRoom = 4;

  const Pose& pose_;
  // The rotation's columns and the translation.
  alignas(32) double columns_[4][kRoom] = {};
  bool is_in_range_ = true;
};

// Implementation.

// Where coordinates, entries and translation are zero or in these ranges, no
// step underflows or overflows (pose.cc).
inline constexpr double kLeastFactor = 0x1p-300;
inline constexpr double kMostFactor = 0x1p300;
inline constexpr double kLeastOffset = 0x1p-600;
inline constexpr double kMostOffset = 0x1p600;

inline PoseLanes::PoseLanes(const Pose& pose) : pose_(pose) {
  const auto is_between = [](double value, double least, double most) {
    const double magnitude = std::abs(value);
    return magnitude == 0 || (magnitude >= least && magnitude <= most);
  };
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      columns_[k][i] = pose.rows[i][k];
      is_in_range_ = is_in_range_ &&
                     is_between(pose.rows[i][k], kLeastFactor, kMostFactor);
    }
    columns_[3][i] = pose.translation[i];
    is_in_range_ = is_in_range_ &&
                   is_between(pose.translation[i], kLeastOffset, kMostOffset);
  }
}

// Whether all nine coordinates are zero or in the range.
HWY_INLINE bool AreFactors(const double (&coordinates)[12]) {
  const DoubleTag d;
  DMask in_range = hn::FirstN(d, kDoubleLanes);
  for (size_t i = 0; i < 9; i += kDoubleLanes) {
    // The last register begins early, within the nine.
    const D v = hn::Abs(
        hn::LoadU(d, coordinates + std::min<size_t>(i, 9 - kDoubleLanes)));
    in_range = hn::And(in_range, hn::Or(hn::Eq(v, hn::Zero(d)),
                                        hn::And(hn::Ge(v, DSet(kLeastFactor)),
                                                hn::Le(v, DSet(kMostFactor)))));
  }
  return hn::AllTrue(d, in_range);
}

// RoundedInDouble of pose.cc, whose bound this is. The correctly rounded value
// is one and the same, however it is found.
HWY_NOINLINE inline Triangle PoseLanes::Apply(const Triangle& t) const {
  static_assert(sizeof(Triangle) == 9 * sizeof(double));
  const DoubleTag d;
  alignas(32) double from[12];
  std::memcpy(from, &t, sizeof(Triangle));
  if (!is_in_range_ || !AreFactors(from)) return pose_.Apply(t);
  alignas(32) double to[12];
  DMask certified = hn::FirstN(d, kDoubleLanes);
  for (size_t corner = 0; corner < 3; ++corner) {
    const double* const p = from + 3 * corner;
    for (size_t i = 0; i < 3; i += kDoubleLanes) {
      const LongD x = DTwoProduct(hn::Load(d, columns_[0] + i), DSet(p[0]));
      const LongD y = DTwoProduct(hn::Load(d, columns_[1] + i), DSet(p[1]));
      const LongD z = DTwoProduct(hn::Load(d, columns_[2] + i), DSet(p[2]));
      const LongD xy = DTwoSum(x.hi, y.hi);
      const LongD xyz = DTwoSum(xy.hi, z.hi);
      const LongD all = DTwoSum(xyz.hi, hn::Load(d, columns_[3] + i));
      const D rest =
          hn::Add(DAdd3(x.lo, y.lo, z.lo), DAdd3(xy.lo, xyz.lo, all.lo));
      const D magnitude =
          hn::Add(DAdd3(hn::Abs(x.lo), hn::Abs(y.lo), hn::Abs(z.lo)),
                  DAdd3(hn::Abs(xy.lo), hn::Abs(xyz.lo), hn::Abs(all.lo)));
      const D error = hn::Mul(DSet(16 * 0x1p-53), magnitude);
      const LongD rounded = DTwoSum(all.hi, rest);
      certified = hn::And(
          certified,
          hn::And(hn::Eq(hn::Add(rounded.hi, hn::Add(rounded.lo, error)),
                         rounded.hi),
                  hn::Eq(hn::Add(rounded.hi, hn::Sub(rounded.lo, error)),
                         rounded.hi)));
      // One zero, +0. A register's fourth number is overwritten by what
      // follows.
      hn::StoreU(hn::Add(rounded.hi, hn::Zero(d)), d, to + 3 * corner + i);
    }
  }
  if (!hn::AllTrue(d, certified)) return pose_.Apply(t);
  Triangle moved;
  std::memcpy(&moved, to, sizeof(Triangle));
  return moved;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
