// SPDX-License-Identifier: Apache-2.0

// Compresses a tree to a quarter of its memory: boxes of eight bits per
// coordinate, vertices of sixteen (tree/compact.h).
//
//   Tree small = Compacted(tree, Workers(0));
//
// Private: users set BuildOptions::storage. O(n).
#ifndef ORBOX_BVH_BUILD_INTERNAL_COMPACT_H_
#define ORBOX_BVH_BUILD_INTERNAL_COMPACT_H_

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Returns `tree` in Storage::kCompact. Its volumes contain those of `tree`.
// Requires Storage::kWide. May throw std::bad_alloc.
Tree Compacted(const Tree& tree, const Workers& workers);

// Returns a node whose volumes contain those of `node`. The excess is below
// 1/255 of the block's extent along each axis, or, for spheres, of its largest
// extent.
CompactNode CompactOf(const Node& node);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_COMPACT_H_
