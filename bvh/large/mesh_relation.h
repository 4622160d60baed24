// SPDX-License-Identifier: Apache-2.0

// Relation of two large meshes: their surfaces overlap, they are apart, or one
// is inside the other without touching it.
//
//   absl::StatusOr<MeshRelation> relation = RelationOfMeshes(scan, plan);
//   if (!relation.ok()) return relation.status();
//   if (*relation == MeshRelation::kSecondInFirst) ...
//
// A side is that of pairs.h: a ChunkedTree or a DistributedTree, with a pose or
// without. Options are those of query/inside/mesh_relation.h, and so are
// results, except that kUndefined replaces some kApart. A component counts
// there by its first corner, and here each chunk has components of its own.
// They are undefined if one is in the bounds of the other mesh, which is open.
//
// Costs AnyOverlap. If bounds overlap and surfaces do not, also loads the
// chunks of either mesh whose boxes reach the bounds of the other one, and
// queries IsInside for a point of each of their components. If there are such
// points, also costs IsClosed, once for a tree, and for a mesh at a pose
// ChunkedTree::MovedBy.
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
