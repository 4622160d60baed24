// SPDX-License-Identifier: Apache-2.0

// Splits triangles by the surface area heuristic over binned centroids (Wald,
// "On fast construction of SAH-based bounding volume hierarchies", 2007).
//
//   BinaryTree tree = BuildBinnedSah(primitives, {.max_leaf = 8}, workers);
//
// Costs count full rows of `max_leaf` triangles, because a leaf of three costs
// as much as a leaf of eight. O(n log n). Private. Unless options.swept > 0,
// the result depends only on the set of primitives, except for the order within
// a leaf.
#ifndef ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
#define ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/primitives.h"

namespace orbox {

inline constexpr uint32_t kMostBins = 32;
inline constexpr uint32_t kMostSwept = 32;

struct BinnedSahOptions {
  uint32_t max_leaf = 8;

  // More than kMostBins bins do not improve trees. Few primitives get few bins,
  // because for them, finding the best cut costs more than filling bins.
  uint32_t fewest_bins = 16;
  uint32_t most_bins = kMostBins;

  // Ranges of up to this many primitives, at most kMostSwept, are split without
  // binning, in their current order. All cuts are tried. This takes a third of
  // the time. For primitives that are sorted along a curve.
  uint32_t swept = 0;

  // If true, and if all detail is in one spot, it is split off first. It then
  // becomes a single detail tree (detail_trees.h) at any position.
  bool detail_first = false;

  // From this many primitives on, two threads split them. For fewer, passing
  // work to another thread costs more than it saves.
  uint32_t task = 4096;

  // Upper bound of the edges on a path. Must be at least log2 of the smallest
  // possible number of leaves, plus two for halving.
  int max_depth = kMaxBinaryDepth;

  Progress* progress = nullptr;  // counts primitives whose leaf is chosen
};

// Returns a tree over all `primitives`, and reorders them so that leaves are
// ranges of 1 to max_leaf primitives. Requires at least one primitive.
BinaryTree BuildBinnedSah(std::span<Primitive> primitives,
                          const BinnedSahOptions& options,
                          const Workers& workers);

// Appends a separate tree over a range of the primitives to the nodes in
// `tree`. Returns the box around the range. The spare lanes of the box have no
// meaning.
BoxRow AppendBinnedSah(std::span<Primitive> primitives, PrimitiveRange range,
                       const BinnedSahOptions& options, const Workers& workers,
                       BinaryTree* tree);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_BINNED_SAH_H_
