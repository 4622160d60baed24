// SPDX-License-Identifier: Apache-2.0

// Relation of two large meshes: their surfaces overlap, they are apart, or one
// is inside the other without touching it.
//
//   absl::StatusOr<MeshRelation> relation = RelationOfMeshes(scan, plan);
//   if (!relation.ok()) return relation.status();
//   if (*relation == MeshRelation::kSecondInFirst) ...
//
// A side is that of pairs.h: a ChunkedTree or a DistributedTree, with a pose or
// without. Options and results are those of query/inside/mesh_relation.h, for
// the inside of queries.h. There is one exception. If a mesh is open, the
// result may be kUndefined where that of trees is kApart: a corner in the
// bounds of the open mesh makes it undefined, and each component of each chunk
// has a corner that is tested, not only each component of the mesh.
//
// Cost: that of AnyOverlap. If the bounds overlap and the surfaces do not,
// loads the chunks of each mesh whose boxes overlap the bounds of the other
// one, and calls IsInside for a corner of each of their components. If there
// are such corners, also costs IsClosed, once for each tree, and
// ChunkedTree::MovedBy for a mesh at a pose.
//
// Ranks. Each rank loads chunks that it owns. Collective; all ranks get the
// result. Errors are those of pairs.h.
#ifndef ORBOX_BVH_LARGE_MESH_RELATION_H_
#define ORBOX_BVH_LARGE_MESH_RELATION_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The queries below, in one form. Requires that the surfaces do not overlap.
template <LargeTree T>
ORBOX_EXPORT absl::StatusOr<MeshRelation> RelationOfApartSides(
    const PairSides<T>& sides, const OptionsOf<T>& options);

// Requires that the surfaces do not overlap.
template <LargeSide A>
absl::StatusOr<MeshRelation> RelationOfApartMeshes(
    const A& a, const PosedOf<A>& b, const OptionsOf<A>& options = {}) {
  return RelationOfApartSides(PairSides<TargetOf<A>>(a, b), options);
}

template <LargeSide A>
absl::StatusOr<MeshRelation> RelationOfMeshes(
    const A& a, const PosedOf<A>& b, const OptionsOf<A>& options = {}) {
  const absl::StatusOr<bool> meet = AnyOverlap(a, b, options);
  if (!meet.ok()) return meet.status();
  if (*meet) return MeshRelation::kMeet;
  return RelationOfApartMeshes(a, b, options);
}

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_MESH_RELATION_H_
