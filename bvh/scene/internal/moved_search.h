// SPDX-License-Identifier: Apache-2.0

// Points, balls and rays against one mesh that a pose has moved. Private.
//
// A pose rounds each vertex once, so a question cannot be moved back into the
// mesh's own space without error. Instead it becomes a query of two meshes; the
// other mesh is a point or a segment. The result is exact. If the small mesh
// and a distance around it only contain the ray, the result is a list of
// candidates for the exact test.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/query/ray_hit.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// A mesh of one point, for any number of bodies. Requires a finite point.
class PointProbe {
 public:
  explicit PointProbe(const Vec3& p);

  const Vec3& point() const { return point_; }

  // The point, in its own space that is about as large as the body.
  PosedTree For(const PosedTree& body) const;

 private:
  Vec3 point_;
  Tree tree_;  // at the origin
};

std::optional<SurfacePoint> ClosestPointOf(const PosedTree& body,
                                           const PointProbe& p,
                                           const QueryOptions& options);

// Visitors are called once for each triangle, in no particular order.
using IdVisitor = absl::FunctionRef<Visit(uint32_t triangle)>;

void VisitAllTriangles(const PosedTree& body, IdVisitor visitor);

// The triangles within `radius`, which is not negative, of the point.
void VisitWithin(const PosedTree& body, const PointProbe& p, double radius,
                 IdVisitor visitor, const Watch& watch);

// The hits of the ray, which is finite and not a point, with t up to max_t,
// which is not negative. `bounds` contains the body.
void VisitHitsOf(const PosedTree& body, const Aabb& bounds, const Ray& ray,
                 double max_t, RayHitVisitor visitor, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MOVED_SEARCH_H_
