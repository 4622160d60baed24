// SPDX-License-Identifier: Apache-2.0

// The rule by which points are inside a closed mesh.
//
//   bool inside = IsInside(tree, p, {.inside = InsideRule::kParity});
//   if (!DoFacesAgree(mesh)) ...           // points are inside by parity
//
// Most meshes from CAD are unions of closed shells that overlap, with cavities
// that face inward. A point is inside them if the surface winds around it. The
// direction that the mesh faces as a whole makes no difference.
#ifndef ORBOX_BVH_MESH_INSIDE_RULE_H_
#define ORBOX_BVH_MESH_INSIDE_RULE_H_

#include "orbox/bvh/mesh/mesh.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class InsideRule {
  // A point is inside if its winding number is not 0: the number of triangles
  // that a ray from it to infinity leaves through their fronts, minus the
  // number that it enters through them. The overlap of two shells is inside.
  // Duplicate faces count as one. A cavity must face the other way than the
  // shell around it. If the faces of a mesh do not agree, points have no
  // winding number, and parity decides.
  kWinding,
  // A point is inside if a ray from it to infinity crosses the surface an odd
  // number of times. Faces may have any orientation. The overlap of two shells
  // is outside.
  kParity,
};

// Returns true if the mesh is closed and each edge has as many triangle sides
// that go one way as the other. Vertices with equal coordinates are one; sides
// of zero length do not count. A mesh that faces inward, or has cavities that
// do, agrees. O(n log n) once, together with IsClosed (mesh.h): copies
// remember. Thread-safe.
ORBOX_EXPORT bool DoFacesAgree(const Mesh& mesh);

}  // namespace orbox

#endif  // ORBOX_BVH_MESH_INSIDE_RULE_H_
