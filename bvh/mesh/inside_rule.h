// SPDX-License-Identifier: Apache-2.0

// The rule by which points are inside a closed mesh.
//
//   bool inside = IsInside(tree, p, InsideRule::kParity);
//   if (!DoFacesAgree(mesh)) ...           // points are inside by parity
//
// Most meshes from CAD are unions of closed shells that may overlap, with
// cavities that face inward. A point is inside such a mesh if the surface winds
// around it. If all faces of the mesh are turned around, the result is the
// same.
#ifndef ORBOX_BVH_MESH_INSIDE_RULE_H_
#define ORBOX_BVH_MESH_INSIDE_RULE_H_

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class InsideRule {
  // A point is inside if its winding number is not 0. The winding number is the
  // number of triangles that a ray from the point to infinity leaves through
  // their fronts, minus the number that it enters through their fronts. The
  // overlap of two shells is inside. Duplicate faces count as one. A cavity
  // must face the opposite way to the shell around it. If the faces of a mesh
  // do not agree, points have no winding number, and parity decides.
  kWinding,
  // A point is inside if a ray from it to infinity crosses the surface an odd
  // number of times. Faces may have any orientation. The overlap of two shells
  // is outside.
  kParity,
};

// Returns true if the mesh is closed and each edge has as many triangle sides
// that go one way as the other. Vertices with equal coordinates are one; sides
// of zero length do not count. The faces of a mesh that faces inward, or that
// has cavities that face inward, also agree. O(n log n) at the first call of
// this function or IsClosed (mesh.h); the mesh and its copies store the result.
// Thread-safe.
ORBOX_EXPORT bool DoFacesAgree(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_INSIDE_RULE_H_
