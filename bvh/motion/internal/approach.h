// SPDX-License-Identifier: Apache-2.0

// For how long do parts of two rigid bodies certainly stay apart, seen along
// one direction? Private.
//
//   const Moment a(body_a, t), b(body_b, t);
//   double free = FreeTimeAlong(n, a, a.box, b, b.box, {speed, error});
//
// Bounds include the rounding of poses and of these formulas themselves.
#ifndef ORBOX_BVH_MOTION_INTERNAL_APPROACH_H_
#define ORBOX_BVH_MOTION_INTERNAL_APPROACH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Covers the few roundings of each formula that takes it.
inline constexpr double kRoundedUp = 1 + 0x1p-40;
inline constexpr double kRoundedDown = 1 - 0x1p-40;

// One body at one time.
struct Moment {
  const MovingTree& body;
  PosedTree posed;
  Vec3 center;
  std::array<Vec3, 8> box;  // corners of one around all of it

  Moment(const MovingTree& m, double t)
      : body(m),
        posed(m.At(t)),
        center(m.motion().center + m.motion().translation * t) {
    for (size_t i = 0; i < 8; ++i) {
      box[i] = Moved(m.box()[i]);
    }
  }

  // In plain double: within the body's error of the posed tree's triangle.
  Triangle triangle(uint32_t id) const {
    const Triangle t = body.tree().mesh().triangle(id);
    return {Moved(t.a), Moved(t.b), Moved(t.c)};
  }

 private:
  Vec3 Moved(const Vec3& v) const {
    const Pose& pose = posed.pose();
    return Vec3{Dot(pose.rows[0], v), Dot(pose.rows[1], v),
                Dot(pose.rows[2], v)} +
           pose.translation;
  }
};

// About the direction of the shortest way from one triangle to the other.
Vec3 WayAcross(const Triangle& s, const Triangle& t);

// A bound of the speed at which any two points of two bodies approach, and the
// sum of their errors.
struct ApproachBounds {
  double speed = 0;
  double error = 0;
};

// A lower bound of the time for which two sets of points of the bodies stay
// apart: up to eight each, the first of which is behind the second along n, a
// unit vector. 0 where that is not certain.
double FreeTimeAlong(const Vec3& n, const Moment& a,
                     std::span<const Vec3> points_of_a, const Moment& b,
                     std::span<const Vec3> points_of_b,
                     const ApproachBounds& bounds);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_APPROACH_H_
