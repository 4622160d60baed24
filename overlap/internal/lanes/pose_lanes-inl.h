// SPDX-License-Identifier: Apache-2.0

// Moves triangles as Pose::Apply does, with equal results bit for bit. Works on
// the three coordinates of a corner at once.
//
//   PoseLanes lanes(pose);                     // once per query
//   Triangle moved = lanes.Apply(triangle);    // pose.Apply(triangle)
//
// `pose` must outlive this object. Requires a pose and triangles in the range
// of models (shapes/range.h). Private; compiled once per instruction set
// (lanes-inl.h).
#if defined(ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#undef ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#else
#define ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hwy/highway.h"
#include "orbox/overlap/internal/lanes/arithmetic-inl.h"
#include "orbox/overlap/internal/numbers/error_free-inl.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class PoseLanes {
 public:
  explicit PoseLanes(const Pose& pose);

  Triangle Apply(const Triangle& t) const;

 private:
  // Apply for a pose without rotation. As in Pose::Apply, each coordinate is
  // one sum.
  HWY_INLINE Triangle Shift(const Triangle& t) const;

  // Writes the moved point, and possibly one more number. Returns the mask of
  // the coordinates that are certainly rounded correctly.
  DMask ApplyTo(const double* HWY_RESTRICT p, double* HWY_RESTRICT to) const;

  // Three coordinates, and one more to fill registers.
  static constexpr size_t kRoom = 4;

  const Pose& pose_;
  // The rotation's columns and the translation.
  alignas(32) double columns_[4][kRoom] = {};
  // The translation twice, because a register may begin with any coordinate.
  double shifts_[6];
  bool is_turned_ = false;
};

// Implementation.

inline PoseLanes::PoseLanes(const Pose& pose) : pose_(pose) {
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      columns_[k][i] = pose.rows[i][k];
      is_turned_ = is_turned_ || pose.rows[i][k] != (i == k ? 1 : 0);
    }
    columns_[3][i] = pose.translation[i];
    shifts_[i] = shifts_[i + 3] = pose.translation[i];
  }
}

HWY_INLINE DMask PoseLanes::ApplyTo(const double* HWY_RESTRICT p,
                                    double* HWY_RESTRICT to) const {
  DMask certified = D(0) <= 0;
  for (size_t i = 0; i < 3; i += kDoubleLanes) {
    const BoundedLong<D> sum = SumOfProducts(
        D::Load(columns_[0] + i), D(p[0]), D::Load(columns_[1] + i), D(p[1]),
        D::Load(columns_[2] + i), D(p[2]), D::Load(columns_[3] + i));
    certified = certified & IsRounded(sum);
    (sum.value.hi + 0).StoreU(to + i);  // -0 becomes +0
  }
  return certified;
}

HWY_INLINE Triangle PoseLanes::Shift(const Triangle& t) const {
  Triangle moved;
  const auto* const from = reinterpret_cast<const double*>(&t);
  auto* const to = reinterpret_cast<double*>(&moved);
  for (size_t i = 0; i < 9; i += kDoubleLanes) {
    // The last register starts earlier, so that it ends within the nine
    // coordinates.
    const size_t at = std::min<size_t>(i, 9 - kDoubleLanes);
    const D sum = D::LoadU(from + at) + D::LoadU(shifts_ + at % 3);
    (sum + 0).StoreU(to + at);  // -0 becomes +0
  }
  return moved;
}

HWY_NOINLINE inline Triangle PoseLanes::Apply(const Triangle& t) const {
  static_assert(sizeof(Triangle) == 9 * sizeof(double));
  if (!is_turned_) return Shift(t);
  alignas(32) double from[12];
  std::memcpy(from, &t, sizeof(Triangle));
  alignas(32) double to[12];
  const DMask a = ApplyTo(from, to);
  const DMask b = ApplyTo(from + 3, to + 3);
  const DMask c = ApplyTo(from + 6, to + 6);
  if (!AllTrue(a & b & c)) return pose_.Apply(t);
  Triangle moved;
  std::memcpy(&moved, to, sizeof(Triangle));
  return moved;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_OVERLAP_INTERNAL_LANES_POSE_LANES_INL_H_
