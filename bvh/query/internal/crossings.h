// SPDX-License-Identifier: Apache-2.0

// How often does a closed surface wind around a point? Private: what inside and
// outside rest on, exactly.
//
//   Crossings c = CrossingsFrom(tree, p);
//   bool inside = c.winding != 0 && !c.is_on_surface;
//
// The sum over a ray (overlap/triangles/axis_crossing.h); it means something
// where the mesh is closed and consistently oriented. Requires a finite point.
#ifndef ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_
#define ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_

#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct Crossings {
  int winding = 0;
  bool is_on_surface = false;  // then the winding means nothing
};

Crossings CrossingsFrom(const Tree& tree, const Vec3& p,
                        TraversalStatistics* statistics = nullptr);

// The same of a part of a mesh, such as a chunk: the point may be before its
// box, where the ray crosses the part none the less.
Crossings CrossingsOfPart(const Tree& tree, const Vec3& p,
                          TraversalStatistics* statistics = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_
