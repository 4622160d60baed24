// SPDX-License-Identifier: Apache-2.0

// A mesh at many poses, and another one: what the batches of poses share.
// Private.
//
//   return PoseBatch(a, poses, b, Execution(options))
//       .AskEach<Nothing, uint8_t>(
//           [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
//             return FirstOverlap({posed, b}, s) ? 1 : 0;
//           });
#ifndef ORBOX_BVH_QUERY_INTERNAL_POSE_BATCH_H_
#define ORBOX_BVH_QUERY_INTERNAL_POSE_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/first_refusal.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// A mesh at poses, and another one.
class PoseBatch {
 public:
  PoseBatch(const Tree& a, std::span<const Pose> poses, const PosedTree& b,
            const Execution& run)
      : a_(a),
        poses_(poses),
        center_(a.mesh().bounds().Center()),
        run_(b.tree().space(), poses.size(), run) {}

  // Calls ask(posed, statistics, last) at each pose, with a `Last` of its
  // piece, and returns what it returns.
  template <typename Last, typename Result, typename Ask>
  absl::StatusOr<std::vector<Result>> AskEach(Ask ask) {
    auto results = run_.AskEachInTurn<Result>(
        place_of_, [] { return Last{}; },
        [&](Last& last, uint32_t i, const QueryOptions& alone) -> Result {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return {};
          return ask(*posed, alone.statistics, last);
        });
    if (results.ok() && !refusal_.status().ok()) return refusal_.status();
    return results;
  }

  // The same for lists.
  template <typename Value, typename Ask>
  absl::StatusOr<Lists<Value>> CollectEach(Ask ask) {
    auto lists = run_.CollectLists<Value>(
        place_of_, [&](uint32_t i, std::vector<Value>* values,
                       TraversalStatistics* statistics) {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return;
          const std::vector<Value> found = ask(*posed, statistics);
          values->insert(values->end(), found.begin(), found.end());
        });
    if (lists.ok() && !refusal_.status().ok()) return refusal_.status();
    return lists;
  }

 private:
  std::optional<PosedTree> At(size_t i) {
    absl::StatusOr<PosedTree> posed = PosedTree::Create(a_, poses_[i]);
    if (posed.ok()) return *std::move(posed);
    refusal_.Note(i, posed.status());
    return std::nullopt;
  }

  const Tree& a_;
  const std::span<const Pose> poses_;
  const Vec3 center_;
  const std::function<Vec3(size_t)> place_of_ = [this](size_t i) {
    const Pose& pose = poses_[i];
    // A bad pose has no place, and no answer either.
    return pose.IsFinite() ? pose.Apply(center_) : center_;
  };
  BatchRun run_;
  FirstRefusal refusal_;
};

// Nothing is taken over from the pose before.
struct Nothing {};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_POSE_BATCH_H_
