// SPDX-License-Identifier: Apache-2.0

// A tree in a fraction of the time. Triangles are sorted along a space-filling
// curve (Morton 1966; Lauterbach et al., "Fast BVH construction on GPUs",
// 2009), which splits them into bunches of some dozens. The surface area
// heuristic then orders only the bunches, and the triangles of each bunch. The
// last few triangles keep their order and are only split.
//
//   FreshArray<BinaryNode> tree =
//       BuildMorton(unsorted, sorted, {.max_leaf = 8}, workers);
//
// O(n) except for the ordering of bunches. Private. The result depends only on
// the primitives and their order, and on the order only if centres are in one
// cell of the curve.
#ifndef ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
#define ORBOX_BVH_BUILD_INTERNAL_MORTON_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"

namespace orbox {

struct MortonOptions {
  uint32_t max_leaf = 8;
  Progress* progress = nullptr;  // counts primitives whose leaf is known
};

// Returns a tree over all primitives, at least one, with centres in [-1, 1]^3.
// Copies them to `sorted`, which has their size, in another order: leaves are
// ranges of 1 to max_leaf in `sorted`. The depth is at most kMaxBinaryDepth.
FreshArray<BinaryNode> BuildMorton(std::span<const Primitive> unsorted,
                                   std::span<Primitive> sorted,
                                   const MortonOptions& options,
                                   const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
