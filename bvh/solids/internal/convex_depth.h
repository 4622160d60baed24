// SPDX-License-Identifier: Apache-2.0

// Penetration depth of two solids that are convex, or nearly so. Private.
//
//   std::optional<NearlyConvex> p = NearlyConvexOf(a);
//   std::optional<NearlyConvex> q = NearlyConvexOf(b);
//   if (p && q) ConvexDepth depth = DepthOfConvex(*p, *q);
//
// The translations that leave convex solids A and B overlapping are the
// interior of the difference of all pairs of points, b - a. The expanding
// polytope algorithm (van den Bergen, "Proximity Queries and Penetration Depth
// Computation on 3D Game Objects", 2001) approaches that difference from within
// where it is nearest to the origin. The bound does not rest on the steps of
// the algorithm but on its result, a closed surface: its triangles have their
// corners in the difference, wind around the origin, and are at least
// `lower` from there.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Vertices of a solid that contains their convex hull, moved by no more than
// `slack`.
struct NearlyConvex {
  std::vector<Vec3> points;
  double slack = 0;
};

// Empty for solids that are not nearly convex, and for those of so many
// triangles that it takes long to know. O(triangles * vertices).
std::optional<NearlyConvex> NearlyConvexOf(const PosedTree& posed);

struct ConvexDepth {
  // No translation that is shorter frees one solid of the other. 0 where they
  // are apart.
  double lower = 0;
  // Unit vector along which the first solid leaves by the shortest way that was
  // found; zero for none.
  Vec3 direction;
};

ConvexDepth DepthOfConvex(const NearlyConvex& a, const NearlyConvex& b);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_
