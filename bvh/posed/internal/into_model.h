// SPDX-License-Identifier: Apache-2.0

// Moves points of the world into the model of a posed tree, with a certified
// bound of the error. Private: queries of one posed tree and a point.
//
//   const IntoModel into(posed);
//   const IntoModel::Point q = into.At(p);
//   double radius = into.RadiusOf(d) + q.error;
//   // A moved triangle within d of p is, unmoved, within `radius` of q.at.
#ifndef ORBOX_BVH_POSED_INTERNAL_INTO_MODEL_H_
#define ORBOX_BVH_POSED_INTERNAL_INTO_MODEL_H_

#include <array>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// No moved vertex of a triangle is outside of the result. Finite.
Aabb BoundsOf(const PosedTree& posed);

class IntoModel {
 public:
  explicit IntoModel(const PosedTree& posed);

  struct Point {
    Vec3 at;
    // Bounds the distance, in the model, from `at` to the place that the pose
    // moves to p; and in addition the effect of rounding moved vertices. Not
    // finite where doubles do not suffice: then nothing is known.
    double error;
  };
  Point At(const Vec3& p) const;

  // Not less than any length that the pose makes as long as `distance`.
  double RadiusOf(double distance) const { return distance * per_length_; }

  // BoundsOf the posed tree.
  const Aabb& bounds() const { return bounds_; }

 private:
  const Pose& pose_;
  Aabb bounds_;
  std::array<Vec3, 3> inverse_;  // rows, rounded
  double per_length_;
  double vertex_error_;  // in the world
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_INTO_MODEL_H_
