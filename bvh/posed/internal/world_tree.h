// SPDX-License-Identifier: Apache-2.0

// A posed mesh as a mesh without a pose, for queries of one tree. Private.
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

// The mesh with its vertices moved: exactly those that the posed tree has, also
// below the range of models. Polls the workers. May throw std::bad_alloc. O(n).
ORBOX_EXPORT Mesh WorldMesh(const Mesh& mesh, const Pose& pose,
                            const Workers& workers = Workers(1));
ORBOX_EXPORT Mesh WorldMesh(const PosedTree& posed,
                            const Workers& workers = Workers(1));

// Returns a tree over WorldMesh(posed), with the kind of volumes of the posed
// tree instead of that of the options. Returns the posed tree's own tree if it
// is not moved. Errors are those of Build (build/build.h).
ORBOX_EXPORT absl::StatusOr<Tree> WorldTree(const PosedTree& posed,
                                            BuildOptions options);

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_INTERNAL_WORLD_TREE_H_
