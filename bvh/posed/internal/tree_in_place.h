// SPDX-License-Identifier: Apache-2.0

// A posed mesh where it stands, for queries of one tree. Private.
//
//   absl::StatusOr<Tree> target = TreeInPlace(posed, options.threads);
//   if (!target.ok()) return target.status();
#ifndef ORBOX_BVH_POSED_INTERNAL_TREE_IN_PLACE_H_
#define ORBOX_BVH_POSED_INTERNAL_TREE_IN_PLACE_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// The mesh with its vertices moved. Errors are those of Mesh::Create; may throw
// std::bad_alloc.
absl::StatusOr<Mesh> MeshInPlace(const PosedTree& posed);

// A tree over that, with the volumes of the posed one; that one itself where it
// is not moved. As Build (build/build.h).
absl::StatusOr<Tree> TreeInPlace(const PosedTree& posed, int threads);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_TREE_IN_PLACE_H_
