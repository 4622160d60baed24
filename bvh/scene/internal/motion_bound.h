// SPDX-License-Identifier: Apache-2.0

// Upper bound of the distance that a mesh moves from one pose to another.
// Private.
//
//   const double moved = MotionBound(tree.mesh().bounds(), from, to);
//   if (moved < clearance) ...       // still not in contact
//
// Based on the bounds of speeds in Mirtich, "Impulse-based dynamic simulation
// of rigid body systems", 1996, chapter 2.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_
#define ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_

#include <cmath>
#include <limits>

#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/range.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Returns an upper bound of the distance that any point of a triangle in the
// box moves, for corners moved and rounded by Pose::Apply. Distances to fixed
// objects change by at most this bound. It is infinite for a pose that
// PosedTree::Create refuses, and for coordinates near the end of the range of
// models. Apart from rounding, it is at most sqrt(3) times the motion of the
// corner that moves most.
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
  // Both poses and the dozen steps above round coordinates, with an error of
  // 2^-53 of `coordinates` each. The smallest normal number covers underflow.
  const double bound = SafeNorm(moved) * (1 + 0x1p-48) + 0x1p-48 * coordinates +
                       std::numeric_limits<double>::min();
  return coordinates < kLargestCoordinate && !IsBeyond(from) && !IsBeyond(to)
             ? bound
             : std::numeric_limits<double>::infinity();
}

// DifferenceBelow returns a lower bound of a - b. SumAbove returns an upper
// bound of a + b.
inline double DifferenceBelow(double a, double b) {
  return std::nextafter(a - b, -std::numeric_limits<double>::infinity());
}
inline double SumAbove(double a, double b) {
  return std::nextafter(a + b, std::numeric_limits<double>::infinity());
}

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MOTION_BOUND_H_
