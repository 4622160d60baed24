// Where should triangles be parted? By the surface area heuristic over binned
// centroids (Wald, "On fast construction of SAH-based bounding volume
// hierarchies", 2007).
//
//   BinaryTree tree = BuildBinnedSah(primitives, {.max_leaf = 8}, workers);
//
// Triangles are counted in rows of `max_leaf`, since a leaf of three costs what
// a leaf of eight does. O(n log n). Private; the result depends on the set of
// primitives alone, but for the order within a leaf.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/build/internal/primitive.h"

namespace orbox {

struct BinnedSahOptions {
  uint32_t max_leaf = 8;

  // Bins beyond 32 make trees no better; finding the best cut costs more than
  // filling them, so that few triangles get few.
  uint32_t fewest_bins = 16;

  // Edges on the longest path. Has to leave room for halving: log2 of the
  // number of leaves that are needed at least, and two more.
  int max_depth = kMaxBinaryDepth;

  Progress* progress = nullptr;  // counts primitives that are in their leaf
};

// A tree over all `primitives`, one at least, which it reorders: leaves are
// ranges of 1 to max_leaf.
BinaryTree BuildBinnedSah(std::span<Primitive> primitives,
                          const BinnedSahOptions& options,
                          const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
