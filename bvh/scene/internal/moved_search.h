// Points, balls, boxes and rays against one mesh that a pose has moved.
// Private.
//
// A pose rounds each vertex once, so the question cannot be taken back to the
// mesh's own space without error. It is asked as one of two meshes instead, of
// which the other is a point, a segment, or two triangles: what that finds is
// exact, or, where the small mesh with a distance around it only contains the
// shape, a candidate for the exact test.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/ray_cast.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A mesh of one point, for any number of bodies. Requires a finite one.
class PointProbe {
 public:
  explicit PointProbe(const Vec3& p);

  const Vec3& point() const { return point_; }

  // The point, in a space of its own that is about as large as the body.
  PosedTree For(const PosedTree& body) const;

 private:
  Vec3 point_;
  Tree tree_;  // at the origin
};

std::optional<SurfacePoint> ClosestPointOf(const PosedTree& body,
                                           const PointProbe& p,
                                           double max_distance);

// Visitors are called once for each triangle, in no particular order.
using IdVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;

// Those within `radius`, which is not negative, of the point.
void VisitWithin(const PosedTree& body, const PointProbe& p, double radius,
                 IdVisitor visitor);

// Those that meet the box, which is finite and within `bounds`, which holds the
// body.
void VisitMeeting(const PosedTree& body, const Aabb& bounds, const Aabb& box,
                  IdVisitor visitor);

// Those that the ray hits, which is finite and not a point, for t up to
// max_t, which is not negative. `bounds` holds the body.
using HitVisitor = absl::FunctionRef<Visit(const RayHit& hit)>;
void VisitHitsOf(const PosedTree& body, const Aabb& bounds, const Ray& ray,
                 double max_t, HitVisitor visitor);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
