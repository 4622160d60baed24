// SPDX-License-Identifier: Apache-2.0

// Lower bound of the time for which points of two rigid bodies stay apart along
// one direction. Private.
//
//   const Moment a(body_a, t), b(body_b, t);
//   double free = FreeTimeAlong(n, a, a.box, b, b.box, {speed, error});
//
// Bounds include the rounding errors of poses and of these formulas.
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

// Factors that cover the few roundings of a formula.
inline constexpr double kRoundedUp = 1 + 0x1p-40;
inline constexpr double kRoundedDown = 1 - 0x1p-40;

// Pose of a body at one time.
struct Moment {
  const MovingTree& body;
  PosedTree posed;
  Vec3 center;
  std::array<Vec3, 8> box;  // corners of a box that contains the body

  Moment(const MovingTree& m, double t)
      : body(m),
        posed(m.At(t)),
        center(m.motion().center + m.motion().translation * t) {
    for (size_t i = 0; i < 8; ++i) {
      box[i] = Moved(m.box()[i]);
    }
  }

  // Returns a triangle, moved in plain double. It differs from that of the
  // posed tree by at most the body's error.
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

// Returns the approximate direction of the shortest segment from one triangle
// to the other.
Vec3 WayAcross(const Triangle& s, const Triangle& t);

// Upper bound of the speed at which any two points of two bodies approach each
// other, and the sum of the bodies' errors.
struct ApproachBounds {
  double speed = 0;
  double error = 0;
};

// Returns a lower bound of the time for which two sets of points of the bodies
// stay apart. Each set has up to eight points. The first set has to be behind
// the second along n, a unit vector. Returns 0 if it is not certainly behind.
double FreeTimeAlong(const Vec3& n, const Moment& a,
                     std::span<const Vec3> points_of_a, const Moment& b,
                     std::span<const Vec3> points_of_b,
                     const ApproachBounds& bounds);

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_APPROACH_H_
