// SPDX-License-Identifier: Apache-2.0

// Points, rays, balls and other regions in the model of a tree at a pose.
// Private.
//
//   const RayInModel in_model(tree, ray);
//   RayInTree in_tree(tree.tree().space(), in_model.ray(), max_t,
//                     in_model.error());
//   // ... and `ray` against tree.Move(triangle) where that decides nothing.
//
// The pose's and the vertices' roundings are bounded by an error of what the
// tree contains: volumes and floats are tested with it, and moved triangles
// decide the rest exactly. A tree without a pose has the query itself, and no
// error.
#ifndef ORBOX_BVH_QUERY_INTERNAL_IN_MODEL_H_
#define ORBOX_BVH_QUERY_INTERNAL_IN_MODEL_H_

#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/region.h"
#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/swept_sphere.h"
#include "orbox/overlap/triangles/triangle_overlap.h"

namespace orbox {

// A point whose nearest triangles are sought. Refers to the tree's pose.
struct PointInModel {
  PointInModel(TreeAtPose tree, const Vec3& p) : at(p), moved(tree.moved()) {
    if (moved != nullptr) Move();
  }

  // Not less than any length that the pose makes as long as `distance`.
  double RadiusOf(double distance) const { return distance * per_length; }

  Vec3 at;  // infinite where doubles do not suffice, or if the pose stretches
  const PosedTree* moved;  // null if there is no pose
  // If the tree's contents are displaced by at most `error`, their distances
  // from `at` are those in the world, divided by the pose's scale.
  double error = 0;
  double per_length = 1;

 private:
  ORBOX_EXPORT void Move();
};

// Refers to the ray.
class RayInModel {
 public:
  RayInModel(TreeAtPose tree, const Ray& ray) : ray_(&ray) {
    if (tree.moved() != nullptr) Move(*tree.moved(), ray);
  }
  RayInModel(const RayInModel&) = delete;
  RayInModel& operator=(const RayInModel&) = delete;

  // Its origin is infinite where doubles do not suffice.
  const Ray& ray() const { return *ray_; }
  double error() const { return error_; }

 private:
  ORBOX_EXPORT void Move(const PosedTree& posed, const Ray& ray);

  // Nothing is set for a tree without a pose.
  union Room {
    Room() {}  // NOLINT(modernize-use-equals-default)
    Ray ray;
  };

  const Ray* ray_;
  double error_ = 0;
  Room room_;
};

// A ball that reaches, in the model, all that `ball` reaches when it is moved,
// and no later. Its path is infinite where doubles do not suffice. Much too
// large for a pose that stretches.
ORBOX_EXPORT SweptSphere InModel(TreeAtPose tree, const SweptSphere& ball);

// A ball of the world, and the balls of the model between which it is.
struct BallInModel {
  BallInModel(TreeAtPose tree, const Sphere& exact)
      : ball(exact), center(exact.center), outer(ball.radius), inner(outer) {
    if (tree.moved() != nullptr) Move(*tree.moved());
  }

  const Sphere& ball;
  Vec3 center;  // infinite where doubles do not suffice
  double outer;
  double inner;
  double error = 0;  // of the center, and that of the tree's contents

 private:
  ORBOX_EXPORT void Move(const PosedTree& posed);
};
inline bool Overlaps(const BallInModel& ball, const Triangle& t,
                     ArithmeticCounts* counts) {
  return Overlaps(ball.ball, t, counts);
}

// A convex region of the world, and half-spaces of the model with the errors of
// their offsets (half_space_query-inl.h). Refers to all of them.
struct ConvexInModel {
  const Region::Shape& region;
  HalfSpaces half_spaces;
  std::span<const double> errors;  // none, if all are 0
};
ORBOX_EXPORT bool Overlaps(const ConvexInModel& set, const Triangle& t,
                           ArithmeticCounts* counts);

// Half-spaces whose intersection is the region except for rounding of the
// offsets, which `errors` bound. All are finite, with a normal that is not 0.
struct RegionPlanes {
  std::vector<HalfSpace> half_spaces;
  std::vector<double> errors;
};
// Returns the planes of a region that is not a ball. Returns nothing if the
// region is empty or not valid.
ORBOX_EXPORT std::optional<RegionPlanes> PlanesOf(const Region::Shape& region);

// Returns the half-spaces that are finite and exclude something. Returns
// nothing if the intersection is empty because a half-space is not valid or
// empty.
std::optional<std::vector<HalfSpace>> ProperHalfSpaces(HalfSpaces set);

// Moves them into the model. Errors may be infinite there.
RegionPlanes InModel(const PosedTree& posed, const RegionPlanes& planes);

// Returns the tree; without a pose, if it is one that makes ellipsoids of balls
// and if there is memory for that.
inline TreeAtPose WithoutStretch(TreeAtPose tree) {
  if (tree.moved() == nullptr || tree.moved()->stretch() == 1) return tree;
  return tree.moved()->InWorld();
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_IN_MODEL_H_
