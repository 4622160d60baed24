// SPDX-License-Identifier: Apache-2.0

// Fits the volumes of a tree to a mesh whose vertices have moved, without
// splitting its triangles again.
//
//   absl::StatusOr<Tree> next = Refit(tree, moved);
//   if (ExpectedVisits(*next) > 1.3 * ExpectedVisits(tree)) {
//     next = Build(moved);
//   }
//
// Takes about a third of the time of a build. Queries of the new tree are
// exact. They become slower as triangles that were neighbours move apart.
// ExpectedVisits measures this effect. The old tree does not change.
// Thread-safe; the result does not depend on the number of threads.
#ifndef ORBOX_BVH_BUILD_REFIT_H_
#define ORBOX_BVH_BUILD_REFIT_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct RefitOptions {
  // Maximum number of threads; 0 means one per core.
  int threads = 0;
};

// Refits the tree. Requires that `moved` has the triangles of tree.mesh(), with
// equal vertex numbers. Its vertices may have any positions, and it may have
// more or fewer of them. Otherwise returns kInvalidArgument. kResourceExhausted
// if memory runs out. Kinds and frames of volumes are chosen again, as by
// Quality::kBalanced. O(n log n), where the logarithm is the depth of the tree.
ORBOX_EXPORT absl::StatusOr<Tree> Refit(const Tree& tree, const Mesh& moved,
                                        const RefitOptions& options = {});

// Returns the expected number of nodes and leaves that a query expands. This is
// the probability that a random ball in the box of the mesh overlaps a child's
// volume, summed over all children. The radius of the ball is a hundredth of
// half the diagonal of the box. Compare only trees over the same mesh, or over
// nearly the same mesh. O(nodes).
ORBOX_EXPORT double ExpectedVisits(const Tree& tree);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_REFIT_H_
