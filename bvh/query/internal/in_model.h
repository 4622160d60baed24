// SPDX-License-Identifier: Apache-2.0

// Transforms rays, balls and other regions into the model space of a posed
// tree. Private.
//
//   const RayInModel in_model(tree, ray);
//   RayInTree in_tree(tree.tree().space(), in_model.ray(), max_t,
//                     in_model.error());
//   // ... and tests `ray` against tree.Move(triangle) if undecided.
//
// The roundings of the pose and of the moved vertices are bounded by one error.
// Volumes and floats are tested with this error. Moved triangles decide the
// undecided cases exactly. For a tree without a pose, the query is unchanged
// and the error is 0.
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

// A point in model space, for searches for the nearest triangles. Refers to the
// tree.
struct PointInModel {
  PointInModel(TreeAtPose tree, const Vec3& p) : at(p), moved(tree.moved()) {
    if (moved != nullptr) Move();
  }

  // Returns an upper bound, in model space, of a distance in world space.
  double RadiusOf(double distance) const { return distance * per_length; }

  Vec3 at;  // infinite if doubles do not suffice, or if the pose stretches
  const PosedTree* moved;  // null if there is no pose
  // In model units. The distance of a triangle from `at` differs by at most
  // this from its distance in the world, divided by the pose's scale.
  double error = 0;
  double per_length = 1;

 private:
  ORBOX_EXPORT void Move();
};

// A ray in model space. Refers to the given ray.
class RayInModel {
 public:
  RayInModel(TreeAtPose tree, const Ray& ray) : ray_(&ray) {
    if (tree.moved() != nullptr) Move(*tree.moved(), ray);
  }
  RayInModel(const RayInModel&) = delete;
  RayInModel& operator=(const RayInModel&) = delete;

  // The origin is infinite if the range of double does not suffice.
  const Ray& ray() const { return *ray_; }
  double error() const { return error_; }

 private:
  ORBOX_EXPORT void Move(const PosedTree& posed, const Ray& ray);

  // Uninitialized for a tree without a pose.
  union Room {
    Room() {}  // NOLINT(modernize-use-equals-default)
    Ray ray;
  };

  const Ray* ray_;
  double error_ = 0;
  Room room_;
};

// Returns a ball in model space that reaches everything that `ball` reaches in
// world space, and not later. Its path is infinite if the range of double does
// not suffice. Much too large for a pose that stretches.
ORBOX_EXPORT SweptSphere InModel(TreeAtPose tree, const SweptSphere& ball);

// A ball in world space, and two balls in model space that enclose it from
// inside and outside.
struct BallInModel {
  BallInModel(TreeAtPose tree, const Sphere& exact)
      : ball(exact), center(exact.center), outer(ball.radius), inner(outer) {
    if (tree.moved() != nullptr) Move(*tree.moved());
  }

  const Sphere& ball;
  Vec3 center;  // infinite if the range of double does not suffice
  double outer;
  double inner;
  double error = 0;  // of the center and of the tree's contents

 private:
  ORBOX_EXPORT void Move(const PosedTree& posed);
};
inline bool Overlaps(const BallInModel& ball, const Triangle& t,
                     ArithmeticCounts* counts) {
  return Overlaps(ball.ball, t, counts);
}

// A convex region in world space, as half-spaces of model space with errors of
// their offsets (half_spaces_in_tree-inl.h). Refers to its arguments.
struct ConvexInModel {
  const Region::Shape& region;
  HalfSpaces half_spaces;
  std::span<const double> errors;  // empty if all are 0
};
ORBOX_EXPORT bool Overlaps(const ConvexInModel& set, const Triangle& t,
                           ArithmeticCounts* counts);

// Half-spaces whose intersection is the region, except for rounding of the
// offsets. `errors` bound this rounding. All half-spaces are finite and have a
// normal that is not 0.
struct RegionPlanes {
  std::vector<HalfSpace> half_spaces;
  std::vector<double> errors;
};
// Returns the planes of a region that is not a ball. Returns nothing if the
// region is empty or not valid.
ORBOX_EXPORT std::optional<RegionPlanes> PlanesOf(const Region::Shape& region);

// Returns the finite half-spaces that exclude some points. Returns nothing if
// the intersection is empty, because a half-space is empty or not valid.
std::optional<std::vector<HalfSpace>> ProperHalfSpaces(HalfSpaces set);

// Moves the planes into model space. Errors may be infinite there.
RegionPlanes InModel(const PosedTree& posed, const RegionPlanes& planes);

// Returns the tree, in most cases unchanged. If the pose turns balls into
// ellipsoids, returns a tree without a pose, if there is memory for one.
inline TreeAtPose WithoutStretch(TreeAtPose tree) {
  if (tree.moved() == nullptr || tree.moved()->stretch() == 1) return tree;
  return tree.moved()->InWorld();
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_IN_MODEL_H_
