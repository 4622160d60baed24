// How far does a mesh move from one pose to another, at most? Private.
//
//   const double moved = MotionBound(tree.mesh().bounds(), from, to);
//   if (moved < clearance) ...       // what was further away still is
//
// Source of the idea: Mirtich, "Impulse-based dynamic simulation of rigid body
// systems", 1996, chapter 2, where the bound is on speeds.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_
#define ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_

#include <cmath>
#include <limits>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// No point of a triangle in the box is further from where it was than this, as
// Pose::Apply moves and rounds its corners. So distances to what stands still
// change by no more. Infinite for poses that are not finite, and where
// coordinates come near the end of double's range. But for rounding, at most
// sqrt(3) times as much as the corner that moves most.
inline double MotionBound(const Aabb& box, const Pose& from, const Pose& to) {
  const Vec3 center = box.Center();
  const Vec3 half = box.HalfExtents();
  const Vec3 reach = Max(Abs(box.lo), Abs(box.hi));
  Vec3 moved;
  double coordinates = 0;
  for (int i = 0; i < 3; ++i) {
    // The displacement is linear in the point.
    const Vec3 row = to.rows[i] - from.rows[i];
    const double shift = to.translation[i] - from.translation[i];
    moved[i] = std::abs(Dot(row, center) + shift) + Dot(Abs(row), half);
    coordinates += Dot(Abs(from.rows[i]) + Abs(to.rows[i]), reach) +
                   std::abs(from.translation[i]) + std::abs(to.translation[i]);
  }
  // A point's coordinates are rounded to 2^-53 of what `coordinates` holds of
  // them, in both poses, and so are the dozen steps above; the smallest normal
  // number stands for all that is below it.
  const double bound = SafeNorm(moved) * (1 + 0x1p-48) + 0x1p-48 * coordinates +
                       std::numeric_limits<double>::min();
  return coordinates < 0x1p500 ? bound
                               : std::numeric_limits<double>::infinity();
}

// Doubles that are certainly no larger than the difference, and no smaller than
// the sum.
inline double DifferenceBelow(double a, double b) {
  return std::nextafter(a - b, -std::numeric_limits<double>::infinity());
}
inline double SumAbove(double a, double b) {
  return std::nextafter(a + b, std::numeric_limits<double>::infinity());
}

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_
