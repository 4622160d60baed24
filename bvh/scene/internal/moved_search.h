// SPDX-License-Identifier: Apache-2.0

// Queries of balls and rays against one mesh at a pose. Private.
//
// A pose rounds each vertex once, so a query cannot be moved back into the
// mesh's own space without error. Instead it becomes a query of two meshes, of
// which one is a point or a segment. The result is exact. A segment, with a
// distance around it, only contains the ray; then the result is a list of
// candidates for the exact test.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A mesh of one point, usable with any number of bodies. Requires a finite
// point.
class PointProbe {
 public:
  explicit PointProbe(const Vec3& p);

  const Vec3& point() const { return point_; }

  // Returns the point in a space of its own that is about as large as the body.
  PosedTree For(const PosedTree& body) const;

 private:
  Vec3 point_;
  Tree tree_;  // at the origin
};

// Visitors are called once for each triangle, in no particular order.
using IdVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;

void VisitAllTriangles(const PosedTree& body, IdVisitor visitor);

// Visits the triangles within `radius` of the point. Requires that `radius` is
// not negative.
void VisitWithin(const PosedTree& body, const PointProbe& p, double radius,
                 IdVisitor visitor, const Watch& watch);

// Visits the hits of the ray with t up to max_t. Requires a ray that is finite
// and not a point, and max_t that is not negative. `bounds` contains the body.
void VisitHitsOf(const PosedTree& body, const Aabb& bounds, const Ray& ray,
                 double max_t, RayHitVisitor visitor, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
