// SPDX-License-Identifier: Apache-2.0

// Transforms points, rays and half-spaces from the world into the model of a
// posed tree, with a certified error bound. Private: for queries of one posed
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

// Returns a finite box that contains all moved vertices of triangles.
Aabb BoundsOf(const PosedTree& posed);

class IntoModel {
 public:
  explicit IntoModel(const PosedTree& posed);

  struct Point {
    Vec3 at;
    // Bounds the distance, in the model, from `at` to the point that the pose
    // moves to p. Also covers the effect of rounding moved vertices. Not finite
    // if double is not precise enough; then nothing is known.
    double error;
  };
  Point At(const Vec3& p) const;

  // A ray in the model. It hits triangles at the parameters and barycentric
  // coordinates of the given ray, if the corners of these triangles are moved
  // by at most `error` in each coordinate. Not finite if double is not precise
  // enough. `error` is valid for points within `reach` of `center` in each
  // coordinate.
  struct MovedRay {
    Ray ray;
    double error;
  };
  MovedRay At(const Ray& ray, const Vec3& center, double reach) const;

  // A half-space of the model. For a moved vertex, the value Dot(normal, v) of
  // `half_space` differs from the vertex's value by at most `error` more than
  // the offsets do. Infinite if double is not precise enough. `own_error` is
  // the error of the given offset.
  struct MovedHalfSpace {
    HalfSpace half_space;
    double error;
  };
  MovedHalfSpace At(const HalfSpace& h, double own_error) const;

  // Returns an upper bound of all lengths in the model that the pose makes as
  // long as `distance`.
  double RadiusOf(double distance) const { return distance * per_length_; }
  // Returns a lower bound of all such lengths.
  double InnerRadiusOf(double distance) const {
    return distance * least_per_length_;
  }

  // Returns BoundsOf the posed tree.
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
