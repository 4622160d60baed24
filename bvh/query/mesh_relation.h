// SPDX-License-Identifier: Apache-2.0

// How do two meshes lie to each other: do they meet, are they apart, or is one
// inside the other without touching it?
//
//   switch (RelationOfMeshes(a, b)) {
//     case MeshRelation::kFirstInSecond: ...
//     default: ...
//   }
//
// A closed mesh bounds a solid: the points from which a ray that leaves for
// infinity crosses the surface an odd number of times, each part of the mesh
// counted alike. So of two closed parts, one inside the other, the inner one is
// a hole. Exact: crossings are counted in exact arithmetic on the posed
// vertices. An open mesh has no inside; where the answer would hang on it, it
// is kUndefined, and not a guess. Cost: that of AnyOverlap; and where the boxes
// meet and the surfaces do not, a ray for each part. The parts are found once,
// O(n): meshes remember. Thread-safe.
//
// Options are those of query_options.h; it runs in one thread and does not call
// `progress`. `max_distance` has no effect as long as it is valid.
#ifndef ORBOX_BVH_QUERY_MESH_RELATION_H_
#define ORBOX_BVH_QUERY_MESH_RELATION_H_

#include "orbox/bvh/mesh/mesh_parts.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class MeshRelation {
  kMeet,           // the surfaces have a common point
  kApart,          // not even the solids have one
  kFirstInSecond,  // the first lies inside the solid of the second
  kSecondInFirst,
  // Neither contains the other, and yet they are not apart: a mesh of several
  // parts has some of them, or a hole, inside the other solid.
  kSolidsOverlap,
  // The surfaces do not meet, and part of one lies in the bounds of the other,
  // which is open: there is no telling whether that is inside.
  kUndefined,
};

ORBOX_EXPORT MeshRelation RelationOfMeshes(const PosedTree& a,
                                           const PosedTree& b,
                                           const QueryOptions& options = {});

// The same for meshes whose surfaces are known not to meet, and with parts that
// were found before.
ORBOX_EXPORT MeshRelation RelationOfApartMeshes(
    const PosedTree& a, const MeshParts& a_parts, const PosedTree& b,
    const MeshParts& b_parts, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_MESH_RELATION_H_
