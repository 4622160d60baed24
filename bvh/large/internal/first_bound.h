// SPDX-License-Identifier: Apache-2.0

// Upper bound of the smallest distance of two chunked trees, from their tables
// alone. Private.
//
//   const double limit = std::min(max_distance, FirstBound(a, b));
//   std::vector<ChunkTask> tasks = PairTasks(a, b, limit);
#ifndef ORBOX_BVH_LARGE_INTERNAL_FIRST_BOUND_H_
#define ORBOX_BVH_LARGE_INTERNAL_FIRST_BOUND_H_

#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns an upper bound of the distance: that of two vertices of the tables,
// which are near each other as far as the boxes show.
ORBOX_EXPORT double FirstBound(const PosedChunkedTree& a,
                               const PosedChunkedTree& b);

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_FIRST_BOUND_H_
