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
// Computation on 3D Game Objects", 2001) approximates that difference from
// within, closest near the origin. The bound does not depend on the steps of
// the algorithm but on its result, a closed surface: its triangles have their
// corners in the difference, wind around the origin, and are at least `lower`
// from the origin.
#ifndef ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_
#define ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_

#include <optional>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Vertices of a solid. The solid contains their convex hull after a motion of
// no more than `slack`.
struct NearlyConvex {
  std::vector<Vec3> points;
  double slack = 0;
};

// Returns nothing for solids that are not nearly convex, or have too many
// triangles for a quick test. O(triangles * vertices).
std::optional<NearlyConvex> NearlyConvexOf(const PosedTree& posed);

struct ConvexDepth {
  // No shorter translation frees one solid of the other. 0 if they are apart.
  double lower = 0;
  // Unit vector along the shortest translation found, which moves the first
  // solid out of the second; zero for none.
  Vec3 direction;
};

ConvexDepth DepthOfConvex(const NearlyConvex& a, const NearlyConvex& b);

}  // namespace orbox

#endif  // ORBOX_BVH_SOLIDS_INTERNAL_CONVEX_DEPTH_H_
