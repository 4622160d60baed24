// SPDX-License-Identifier: Apache-2.0

// Search for the bodies of a scene, and their triangles, that overlap a region.
// Private.
//
//   RegionSearch search(region);
//   search.VisitBodies(scene, [&](BodyId body) {
//     search.VisitTriangles(scene, body, visitor, watch);
//     return Visit::kContinue;
//   });
//
// A pose rounds each vertex once, so a region cannot be moved back into the
// mesh's own space without error. Half-spaces that are a little larger can, and
// they find candidates for the exact test. A ball becomes a mesh of one point.
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
  // Refers to the half-spaces of the region.
  explicit RegionSearch(const Region& region);

  // Calls visit(body) for each body whose bounds may overlap the region, in no
  // particular order, until it returns kStop.
  void VisitBodies(const Scene& scene,
                   absl::FunctionRef<Visit(BodyId)> visit) const;

  // Visits the body's triangles that overlap the region. Requires a body that
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
  // Returns half-spaces in the mesh's own space. They contain all points of the
  // mesh that the pose moves into the region. Returns nothing if they would
  // leave double's range.
  std::optional<std::vector<HalfSpace>> BeforePose(const PosedTree& body) const;

  // A valid shape, with finite sides if it is a box. Absent if nothing overlaps
  // the region.
  std::optional<Region::Shape> shape_;
  Aabb box_;  // a finite box around the region
  // Half-spaces that contain the region, exactly or except for rounding. Empty
  // for a ball.
  std::vector<HalfSpace> planes_;
  std::optional<PointProbe> probe_;  // for a ball
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_REGION_SEARCH_H_
