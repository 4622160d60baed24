// SPDX-License-Identifier: Apache-2.0

// How often does a closed surface wind around a point? Private: what inside and
// outside rest on, exactly.
//
//   Crossings c = CrossingsFrom(tree, p);
//   bool inside = c.winding % 2 != 0 && !c.is_on_surface;
//
// The sum over a ray (overlap/triangles/axis_crossing.h); it means something
// where the mesh is closed. Requires finite points.
#ifndef ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_
#define ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_

#include <optional>

#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct Crossings {
  int winding = 0;
  bool is_on_surface = false;  // then the winding means nothing
};

Crossings CrossingsFrom(const Tree& tree, const Vec3& p,
                        const Watch& watch = nullptr);

// The same of a part of a mesh, such as a chunk: the point may be before its
// box, where the ray crosses the part none the less.
Crossings CrossingsOfPart(const Tree& tree, const Vec3& p,
                          const Watch& watch = nullptr);

// What one point tells of another, of a closed mesh: whether the way from p to
// q crosses the surface an odd number of times, if float is certain of that; p
// is not on the surface then. Requires that q is not.
std::optional<bool> IsCrossedBetween(const Tree& tree, const Vec3& p,
                                     const Vec3& q,
                                     const Watch& watch = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_CROSSINGS_H_
