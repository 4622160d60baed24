// SPDX-License-Identifier: Apache-2.0

// The winding number of a surface about a point, exactly. Private: inside and
// outside are decided by it.
//
//   Crossings c = CrossingsFrom(tree, p);
//   bool inside = c.IsInside(tree.mesh(), InsideRule::kWinding);
//
// Sums the signed crossings of the ray along x (overlap/triangles/
// axis_crossing.h). The sum is a winding number where the mesh is closed and
// its faces agree; otherwise only its parity counts. Requires finite points.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_CROSSINGS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_CROSSINGS_H_

#include <optional>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct Crossings {
  int winding = 0;
  bool is_on_surface = false;  // then `winding` is undefined

  // Returns true if the point is inside and not on the surface. Most meshes
  // never need the fact that their faces agree, which takes O(n log n) once: it
  // matters only where the winding number is even and not 0.
  bool IsInside(const Mesh& mesh, InsideRule rule) const {
    if (is_on_surface || winding == 0) return false;
    return winding % 2 != 0 ||
           (rule == InsideRule::kWinding && DoFacesAgree(mesh));
  }
};

// Crossings of a mesh, at any pose: exact for its vertices moved and rounded
// once. With a pose a few times the cost of a tree that is not moved.
ORBOX_EXPORT Crossings CrossingsFrom(TreeAtPose tree, const Vec3& p,
                                     const Watch& watch = nullptr);

// Crossings of a piece of a mesh, such as a chunk. The point may be in front of
// the piece's box.
ORBOX_EXPORT Crossings CrossingsOfPart(const Tree& tree, const Vec3& p,
                                       const Watch& watch = nullptr);

// Returns the winding number about p minus that about q: the signed crossings
// of the segment from p to q. None where float is not certain of them, or where
// p is on the surface. Requires a closed mesh, and that q is not on the
// surface.
std::optional<int> WindingBetween(const Tree& tree, const Vec3& p,
                                  const Vec3& q, const Watch& watch = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_CROSSINGS_H_
