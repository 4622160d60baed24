// SPDX-License-Identifier: Apache-2.0

// Encloses the distance from a point inside a solid to the end of the inside.
// Private. Implements the distance of signed_distance.h that ignores walls.
//
//   const BoundaryDistance boundary(tree, fronts);
//   if (!boundary.is_surface()) use(boundary.From(p, run));
//
// The distance is measured to the pieces of solid_boundary.h. These are
// rounded, so the two bounds differ by about 2^-32 of the mesh's size. The
// upper bound is certain: it is the length of a segment whose end is outside by
// an exact winding number.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_DISTANCE_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_DISTANCE_H_

#include <optional>
#include <span>

#include "orbox/bvh/query/inside/internal/solid_boundary.h"
#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/distance_bounds.h"

namespace orbox {

class BoundaryDistance {
 public:
  // Requires the fronts of the tree's mesh, and that its faces agree.
  BoundaryDistance(const Tree& tree, std::span<const Front> fronts);

  // True if every triangle bounds the solid.
  bool is_surface() const { return !boundary_.has_value(); }

  // Requires a finite point inside the solid or on a wall, and that some
  // triangles are walls. `lower` is 0 if the point may be on the boundary.
  DistanceInterval From(const Vec3& p, const Watch& watch) const;

 private:
  double UpperBound(const Vec3& p, const Vec3& on_boundary,
                    const Watch& watch) const;

  const Tree tree_;
  std::optional<SolidBoundary> boundary_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_DISTANCE_H_
