// SPDX-License-Identifier: Apache-2.0

// The moved mesh of a posed tree, as a mesh and a tree without a pose, for
// queries of one tree. Private.
//
//   absl::StatusOr<Tree> target =
//       WorldTree(posed, {.threads = options.threads,
//                           .cancelled = options.cancelled});
//   if (!target.ok()) return target.status();
#ifndef ORBOX_BVH_POSED_INTERNAL_WORLD_TREE_H_
#define ORBOX_BVH_POSED_INTERNAL_WORLD_TREE_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns the mesh with exactly the moved vertices of the posed tree, also
// below the range of models. Polls the workers. May throw std::bad_alloc. O(n).
ORBOX_EXPORT Mesh WorldMesh(const Mesh& mesh, const Pose& pose,
                            const Workers& workers = Workers(1));
ORBOX_EXPORT Mesh WorldMesh(const PosedTree& posed,
                            const Workers& workers = Workers(1));

// Returns a tree over WorldMesh(posed). The kind of its volumes is that of the
// posed tree, not that of the options. Returns posed.tree() if the pose moves
// nothing. Errors are those of Build (build/build.h).
ORBOX_EXPORT absl::StatusOr<Tree> WorldTree(const PosedTree& posed,
                                            BuildOptions options);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_WORLD_TREE_H_
