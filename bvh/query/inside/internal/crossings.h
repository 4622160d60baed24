// SPDX-License-Identifier: Apache-2.0

// Exact winding number of a surface about a point. Decides inside and outside.
// Private.
//
//   Crossings c = CrossingsFrom(tree, p);
//   bool inside = c.IsInside(tree.mesh(), InsideRule::kWinding);
//
// Sums the signed crossings of the ray along x (overlap/triangles/
// axis_crossing.h). The sum is a winding number if the mesh is closed and its
// faces agree. Otherwise only its parity is meaningful. Requires finite points.
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

  // Returns true if the point is inside and not on the surface. Checks if the
  // faces of the mesh agree only if the winding number is even and not 0. That
  // check takes O(n log n) once, and most meshes never need it.
  bool IsInside(const Mesh& mesh, InsideRule rule) const {
    if (is_on_surface || winding == 0) return false;
    return winding % 2 != 0 ||
           (rule == InsideRule::kWinding && DoFacesAgree(mesh));
  }
};

// Returns the crossings of a mesh at any pose, exact for its vertices moved and
// rounded once. A posed tree takes a few times as long as an unmoved one.
ORBOX_EXPORT Crossings CrossingsFrom(TreeAtPose tree, const Vec3& p,
                                     const Watch& watch = nullptr);

// Returns the crossings of a piece of a mesh, such as a chunk. The point may be
// outside the piece's box.
ORBOX_EXPORT Crossings CrossingsOfPart(const Tree& tree, const Vec3& p,
                                       const Watch& watch = nullptr);

// Returns the winding number about p minus that about q. This is the sum of the
// signed crossings of the segment from p to q. Returns nothing if float leaves
// a crossing undecided or if p is on the surface. Requires a closed mesh, and
// that q is not on the surface.
std::optional<int> WindingBetween(const Tree& tree, const Vec3& p,
                                  const Vec3& q, const Watch& watch = nullptr);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_CROSSINGS_H_
