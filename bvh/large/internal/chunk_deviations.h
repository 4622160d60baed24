// SPDX-License-Identifier: Apache-2.0

// Deviations of a chunk's triangles from another chunked tree. Private.
//
//   ChunkDeviations deviations(a, target, options);
//   absl::Status s = deviations.Find(3, progress, &found);
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_DEVIATIONS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_DEVIATIONS_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/deviation/internal/farthest_goal.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT ChunkDeviations {
 public:
  // Both trees have to outlive this object. Requires arguments that
  // CheckHausdorff accepts; the progress of `options` has no effect.
  ChunkDeviations(const PosedChunkedTree& a, const ChunkedTree& target,
                  const HausdorffLimits& limits, const RunOptions& options);

  // Finds the deviations of chunk i of A, ids ascending. Loads the chunk, and
  // chunks of the target.
  absl::Status Find(size_t i, const std::function<void(double)>& progress,
                    std::vector<GlobalDeviation>* found) const;

 private:
  const PosedChunkedTree& a_;
  const ChunkedTree& target_;
  const FarthestGoal goal_;
  RunOptions options_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_DEVIATIONS_H_
