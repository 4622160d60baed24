// SPDX-License-Identifier: Apache-2.0

// Splits triangles by the surface area heuristic over binned centroids (Wald,
// "On fast construction of SAH-based bounding volume hierarchies", 2007).
//
//   BinaryTree tree = BuildBinnedSah(primitives, {.max_leaf = 8}, workers);
//
// Triangles count in rows of `max_leaf`, because a leaf of three costs as much
// as a leaf of eight. O(n log n). Private; unless some are swept, the result
// depends on the set of primitives alone, except for the order within a leaf.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/build/internal/primitive.h"

namespace orbox {

inline constexpr uint32_t kMostBins = 32;
inline constexpr uint32_t kMostSwept = 32;

struct BinnedSahOptions {
  uint32_t max_leaf = 8;

  // More bins than kMostBins make no better trees. Finding the best cut costs
  // more than filling bins, so few triangles get few bins.
  uint32_t fewest_bins = 16;
  uint32_t most_bins = kMostBins;

  // So few primitives, up to kMostSwept, are parted in the order they are in:
  // at the best of all places along it, which takes a third of the time. For
  // primitives that are sorted along a curve.
  uint32_t swept = 0;

  // Whether detail that is all in one spot is split off first, so that it makes
  // one part (parts.h) wherever it is.
  bool detail_first = false;

  // From so many on, two threads split them: passing on work has its cost.
  uint32_t task = 4096;

  // Edges on the longest path. At least log2 of the smallest possible number of
  // leaves, and two more, for halving.
  int max_depth = kMaxBinaryDepth;

  Progress* progress = nullptr;  // counts primitives that are in their leaf
};

// A tree over all `primitives`, at least one, which it reorders: leaves are
// ranges of 1 to max_leaf.
BinaryTree BuildBinnedSah(std::span<Primitive> primitives,
                          const BinnedSahOptions& options,
                          const Workers& workers);

// The same for a range of them, behind what `tree` has: a tree of its own.
// Returns the box around the range; its spare lanes are of no use.
BoxRow AppendBinnedSah(std::span<Primitive> primitives, PrimitiveRange range,
                       const BinnedSahOptions& options, const Workers& workers,
                       BinaryTree* tree);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
