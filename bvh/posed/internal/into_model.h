// SPDX-License-Identifier: Apache-2.0

// Moves points, rays and half-spaces of the world into the model of a posed
// tree, with a certified bound of the error. Private: queries of one posed
// tree.
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
#include "orbox/overlap/triangles/half_spaces.h"

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

  // A ray that hits, at the parameters and the barycentric coordinates of the
  // given one, triangles with corners within `error` of the model's, coordinate
  // by coordinate. Not finite where doubles do not suffice. Bounds errors among
  // points within `reach` of `center` in each coordinate.
  struct MovedRay {
    Ray ray;
    double error;
  };
  MovedRay At(const Ray& ray, const Vec3& center, double reach) const;

  // A half-space of the model. For a moved vertex, the value Dot(normal, v) of
  // `half_space` differs from the vertex's value by at most `error` more than
  // the offsets do. Infinite where doubles do not suffice. `own_error` is that
  // of the given offset.
  struct MovedHalfSpace {
    HalfSpace half_space;
    double error;
  };
  MovedHalfSpace At(const HalfSpace& h, double own_error) const;

  // Not less than any length that the pose makes as long as `distance`.
  double RadiusOf(double distance) const { return distance * per_length_; }
  // Not more than any such length.
  double InnerRadiusOf(double distance) const {
    return distance * least_per_length_;
  }

  // BoundsOf the posed tree.
  const Aabb& bounds() const { return bounds_; }

 private:
  const Pose& pose_;
  const Aabb& model_bounds_;
  Aabb bounds_;
  std::array<Vec3, 3> inverse_;  // rows, rounded
  double per_length_;
  double least_per_length_;
  double vertex_error_;  // in the world
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_INTO_MODEL_H_
