// SPDX-License-Identifier: Apache-2.0

// A tree in a fraction of the time: triangles are sorted along a space-filling
// curve (Morton 1966; Lauterbach et al., "Fast BVH construction on GPUs",
// 2009), which splits them into bunches of some dozens. The surface area
// heuristic then only orders the bunches, and the triangles of each.
//
//   BinaryTree tree = BuildMorton(primitives, {.max_leaf = 8}, workers);
//
// O(n) except for the ordering of bunches. Private; the result depends on the
// set of primitives alone, except for the order within a leaf.
#ifndef ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
#define ORBOX_BVH_BUILD_INTERNAL_MORTON_H_

#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/build/internal/binary_tree.h"
#include "orbox/bvh/build/internal/primitive.h"

namespace orbox {

struct MortonOptions {
  uint32_t max_leaf = 8;
  Progress* progress = nullptr;  // counts primitives that are in their leaf
};

// A tree over all `primitives`, one at least, with centres in [-1, 1]^3. They
// are reordered: leaves are ranges of 1 to max_leaf. Its depth is at most
// kMaxBinaryDepth.
BinaryTree BuildMorton(std::vector<Primitive>& primitives,
                       const MortonOptions& options, const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_MORTON_H_
