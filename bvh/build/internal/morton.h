// SPDX-License-Identifier: Apache-2.0

// Builds a tree in a fraction of the time of binned_sah.h. Triangles are sorted
// along a space-filling curve (Morton 1966; Lauterbach et al., "Fast BVH
// construction on GPUs", 2009), and split into bunches of some dozens in this
// order. The surface area heuristic then orders only the bunches, and the
// triangles of each bunch. The last few triangles keep their order and are only
// split.
//
//   FreshArray<BinaryNode> tree =
//       BuildMorton(unsorted, sorted, {.max_leaf = 8}, workers);
//
// O(n) except for the ordering of bunches. Private. The result depends only on
// the primitives. It depends on their order only if several centres are in one
// cell of the curve.
#ifndef ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
#define ORBOX_BVH_BUILD_INTERNAL_MORTON_H_

#include <cstdint>
#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/array.h"

namespace orbox {

struct MortonOptions {
  uint32_t max_leaf = 8;
  Progress* progress = nullptr;  // counts primitives whose leaf is chosen
};

// Returns a tree over all primitives. Copies them to `sorted`, in an order in
// which leaves are ranges of 1 to max_leaf primitives. The depth is at most
// kMaxBinaryDepth. Requires at least one primitive, centres in [-1, 1]^3, and
// `sorted` of equal size.
FreshArray<BinaryNode> BuildMorton(std::span<const Primitive> unsorted,
                                   std::span<Primitive> sorted,
                                   const MortonOptions& options,
                                   const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
