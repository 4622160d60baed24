// SPDX-License-Identifier: Apache-2.0

// Relation of two meshes: they meet, are apart, or one is inside the other
// without touching it.
//
//   switch (RelationOfMeshes(a, b)) {
//     case MeshRelation::kFirstInSecond: ...
//     default: ...
//   }
//
// A closed mesh bounds a solid: its inside, as defined in inside.h. A closed
// component of a mesh inside another component is a hole if it faces the other
// way. Exact for the posed vertices. An open mesh has no inside; if the
// relation depends on it, the answer is kUndefined, and not a guess. Costs as
// much as AnyOverlap. If the boxes overlap and the surfaces do not, costs a ray
// for each component in addition. The components are found once, O(n); the mesh
// remembers them. Thread-safe.
//
// Options are those of query_options.h; it runs in one thread and does not call
// `progress`. `max_distance` has no effect as long as it is valid.
#ifndef ORBOX_BVH_QUERY_INSIDE_MESH_RELATION_H_
#define ORBOX_BVH_QUERY_INSIDE_MESH_RELATION_H_

#include "orbox/bvh/mesh/mesh_components.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class MeshRelation {
  kMeet,           // the surfaces have a common point
  kApart,          // not even the solids have one
  kFirstInSecond,  // the first is inside the solid of the second
  kSecondInFirst,
  // Neither contains the other, but they are not apart: a mesh of several
  // components has some of them, or a hole, inside the other solid.
  kSolidsOverlap,
  // The surfaces do not meet, and a component of one is in the bounds of the
  // other, which is open: its inside is not defined.
  kUndefined,
};

ORBOX_EXPORT MeshRelation RelationOfMeshes(const PosedTree& a,
                                           const PosedTree& b,
                                           const QueryOptions& options = {});

// Requires that the surfaces of the meshes do not meet. `a_components` and
// `b_components` are their components.
ORBOX_EXPORT MeshRelation RelationOfApartMeshes(
    const PosedTree& a, const MeshComponents& a_components, const PosedTree& b,
    const MeshComponents& b_components, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_MESH_RELATION_H_
