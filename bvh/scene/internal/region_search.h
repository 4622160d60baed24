// SPDX-License-Identifier: Apache-2.0

// A region against the bodies of a scene. Private.
//
//   RegionSearch search(region);
//   search.VisitBodies(scene, [&](BodyId body) {
//     search.VisitTriangles(scene, body, visitor, watch);
//     return Visit::kContinue;
//   });
//
// A pose rounds each vertex once, so a region cannot be moved back into the
// mesh's own space without error. Half-spaces that are a little larger can, and
// find candidates for the exact test. A ball becomes a mesh of one point.
#ifndef ORBOX_BVH_SCENE_INTERNAL_REGION_SEARCH_H_
#define ORBOX_BVH_SCENE_INTERNAL_REGION_SEARCH_H_

#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/scene/internal/moved_search.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

class RegionSearch {
 public:
  // Refers to its half-spaces.
  explicit RegionSearch(const Region& region);

  // Calls visit(body) for each body whose bounds may overlap the region, in no
  // particular order, until it returns kStop.
  void VisitBodies(const Scene& scene,
                   absl::FunctionRef<Visit(BodyId)> visit) const;

  // The body's triangles that overlap the region. Requires a body that
  // VisitBodies visits.
  void VisitTriangles(const Scene& scene, BodyId body, IdVisitor visitor,
                      const Watch& watch);

 private:
  void Add(const Sphere& ball);
  void Add(const Aabb& box);
  void Add(const Obb& box);
  void Add(HalfSpaces set);

  bool Leaves(const Aabb& bounds) const;
  bool Contains(const Aabb& bounds) const;
  bool OverlapsExactly(const Triangle& t) const;
  // Half-spaces that contain all points of the posed mesh that are in the
  // region, before the pose; nothing where they would leave double's range.
  std::optional<std::vector<HalfSpace>> BeforePose(const PosedTree& body) const;

  // Valid, and the boxes' sides finite; absent if nothing overlaps the region.
  std::optional<Region::Shape> shape_;
  Aabb box_;  // around it, finite
  // Contain it, as they are or but for roundings; none for a ball.
  std::vector<HalfSpace> planes_;
  std::optional<PointProbe> probe_;  // of a ball
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_REGION_SEARCH_H_
