// SPDX-License-Identifier: Apache-2.0

// Arithmetic of axis-aligned boxes in double, each operation once. Private.
//
//   if (GapOf(a, b) > d) ...          // nothing in a is within d of b
//   const Aabb near = Grown(box, d);  // all points within d of the box
//   const Aabb moved = BoxAround(box, pose);
//
// box_box.h tests boxes for overlap; sphere_aabb.h has the squared distance of
// a point. Lanes of boxes have their own code, for speed (box_lanes-inl.h).
#ifndef ORBOX_OVERLAP_BOXES_INTERNAL_BOX_ARITHMETIC_H_
#define ORBOX_OVERLAP_BOXES_INTERNAL_BOX_ARITHMETIC_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns the largest gap of two boxes along an axis, rounded to nearest; 0 if
// they overlap. A distance of two points in them never rounds to less.
inline double AxisGap(const Aabb& a, const Aabb& b) {
  return std::max(0.0, MaxCoordinate(Max(a.lo - b.hi, b.lo - a.hi)));
}

// Returns a lower bound of the distance of two boxes, within rounding. It is 0
// if and only if they overlap, and finite. Symmetric. Tighter than AxisGap, but
// rounded down: a distance equal to it may be larger.
inline double GapOf(const Aabb& a, const Aabb& b) {
  // Differences, products, sums and the root round six times in all.
  constexpr double kDown = 1 - 0x1p-49;
  constexpr double kMost = std::numeric_limits<double>::max();
  const Vec3 gap = Max(Max(a.lo - b.hi, b.lo - a.hi), Vec3{});
  const double largest = MaxCoordinate(gap);
  // Differences near 0 are exact, and do not become 0.
  if (!(largest > 0x1p-1020)) return largest;
  return kDown * std::min(SafeNorm(gap), kMost);
}

// Returns a box that contains all points whose distance from `box` along each
// axis rounds to at most `distance`. Requires that `distance` is not negative.
// The box is finite: it may end at the end of double's range.
inline Aabb Grown(const Aabb& box, double distance) {
  constexpr double kMost = std::numeric_limits<double>::max();
  // Anything farther away does not round to `distance`.
  const double by = std::nextafter(distance, kInfinity);
  Aabb grown;
  for (size_t i = 0; i < 3; ++i) {
    // Rounded outward.
    grown.lo[i] = std::max(std::nextafter(box.lo[i] - by, -kInfinity), -kMost);
    grown.hi[i] = std::min(std::nextafter(box.hi[i] + by, kInfinity), kMost);
  }
  return grown;
}

// Grown for margins that allow for rounding, of any sign: rounded to nearest,
// and faster.
inline Aabb GrownBy(const Aabb& box, double by) {
  const Vec3 v{by, by, by};
  return {box.lo - v, box.hi + v};
}

// Returns an empty box if the boxes do not overlap.
inline Aabb Intersection(const Aabb& a, const Aabb& b) {
  return {Max(a.lo, b.lo), Min(a.hi, b.hi)};
}

// NaN counts as empty.
inline bool IsEmpty(const Aabb& box) {
  return !(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y &&
           box.lo.z <= box.hi.z);
}

inline bool Contains(const Aabb& box, const Vec3& p) {
  return Min(box.lo, p) == box.lo && Max(box.hi, p) == box.hi;
}

// Returns the largest absolute coordinate of a box.
inline double MagnitudeOf(const Aabb& box) {
  return MaxCoordinate(Max(Abs(box.lo), Abs(box.hi)));
}

// Returns a finite box that contains pose.Apply(p), rounded, for each p in the
// box.
inline Aabb BoxAround(const Aabb& box, const Pose& pose) {
  if (pose.IsIdentity()) return box;
  constexpr double kMost = std::numeric_limits<double>::max();
  Aabb around;
  for (size_t i = 0; i < 3; ++i) {
    double lo = pose.translation[i];
    double hi = lo;
    double size = std::abs(lo);
    for (size_t k = 0; k < 3; ++k) {
      const double p = pose.rows[i][k] * box.lo[k];
      const double q = pose.rows[i][k] * box.hi[k];
      lo += std::min(p, q);
      hi += std::max(p, q);
      size += std::max(std::abs(p), std::abs(q));
    }
    // Seven roundings here, some of the moved point, and underflow.
    const double error =
        size * 0x1p-49 + 16 * std::numeric_limits<double>::denorm_min();
    // After an overflow, nothing is known.
    const bool is_known = std::isfinite(size);
    around.lo[i] = is_known ? std::max(lo - error, -kMost) : -kMost;
    around.hi[i] = is_known ? std::min(hi + error, kMost) : kMost;
  }
  return around;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_BOXES_INTERNAL_BOX_ARITHMETIC_H_
