// SPDX-License-Identifier: Apache-2.0

// Relation of two meshes: their surfaces overlap, they are apart, or one is
// inside the other without touching it.
//
//   switch (RelationOfMeshes(a, b)) {
//     case MeshRelation::kFirstInSecond: ...
//     default: ...
//   }
//
// A closed mesh bounds a solid: its inside, as defined in inside.h. A closed
// component inside another component of its mesh is a hole if it faces the
// opposite way. Exact for the posed vertices. An open mesh has no inside; if
// the relation depends on it, the result is kUndefined. Costs as much as
// AnyOverlap. If the boxes overlap and the surfaces do not, also costs a ray
// for each component. The components are found once, in O(n), and cached in the
// mesh. Thread-safe.
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
  kApart,          // the solids have no common point
  kFirstInSecond,  // the first is inside the solid of the second
  kSecondInFirst,
  // Neither contains the other, but they are not apart. One mesh has several
  // components, and some of them, or a hole, are inside the other solid.
  kSolidsOverlap,
  // The surfaces do not overlap, but a component of one mesh is within the
  // bounds of the other mesh, which is open. So its inside is not defined.
  kUndefined,
};

ORBOX_EXPORT MeshRelation RelationOfMeshes(const PosedTree& a,
                                           const PosedTree& b,
                                           const QueryOptions& options = {});

// Returns the relation of two meshes. Requires that their surfaces do not
// overlap, and that `a_components` and `b_components` are their components.
ORBOX_EXPORT MeshRelation RelationOfApartMeshes(
    const PosedTree& a, const MeshComponents& a_components, const PosedTree& b,
    const MeshComponents& b_components, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_MESH_RELATION_H_
