// The same triangles, moved: gives a tree the volumes of a mesh whose vertices
// have changed their places, without parting it anew.
//
//   absl::StatusOr<Tree> next = Refit(tree, moved);
//   if (ExpectedVisits(*next) > 1.3 * ExpectedVisits(tree)) {
//     next = Build(moved);
//   }
//
// Takes about a third of a build. Queries of the new tree are exact, like those
// of any tree; how fast they are depends on how far triangles that were
// neighbours have come apart, which ExpectedVisits tells. The old tree stays as
// it is. Thread-safe; the result does not depend on the number of threads.
#ifndef ORBOX_BVH_BUILD_REFIT_H_
#define ORBOX_BVH_BUILD_REFIT_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

struct RefitOptions {
  // How many threads at most; 0 is as many as the machine runs at a time.
  int threads = 0;
};

// `moved` has the triangles of tree.mesh(), vertex numbers and all; its
// vertices may be anywhere and any number. kInvalidArgument otherwise;
// kResourceExhausted where memory runs out. Kinds and frames of volumes are
// chosen anew, as Quality::kBalanced does. O(n log n), of which the logarithm
// is a tree's depth.
ORBOX_EXPORT absl::StatusOr<Tree> Refit(const Tree& tree, const Mesh& moved,
                                        const RefitOptions& options = {});

// How many nodes and leaves a query is expected to open: the chance that a ball
// at random in the box of everything meets a child's volume, summed over all
// children. The ball's radius is a hundredth of half the box's diagonal. To be
// compared between trees over the same mesh or nearly so. O(nodes).
ORBOX_EXPORT double ExpectedVisits(const Tree& tree);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_REFIT_H_
