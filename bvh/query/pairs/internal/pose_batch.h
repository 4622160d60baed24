// SPDX-License-Identifier: Apache-2.0

// Common code of batches of poses: one mesh at many poses, against another
// mesh. Private.
//
//   return PoseBatch(a, poses, b, Execution(options))
//       .RunEach<uint8_t>([&](const PosedTree& posed, const Execution& run) {
//         return WithinSearch(0.5, run).Any({posed, b});
//       });
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_POSE_BATCH_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_POSE_BATCH_H_

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
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/pairs/internal/first_refusal.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Runs queries of one mesh at many poses against another mesh.
class PoseBatch {
 public:
  PoseBatch(const Tree& a, std::span<const Pose> poses, const PosedTree& b,
            const Execution& run, size_t least_task = 1)
      : a_(a),
        poses_(poses),
        center_(a.mesh().bounds().Center()),
        run_(b.tree().space(), poses.size(), run, least_task) {}

  // Returns the results of call(posed, run) at each pose.
  template <typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEach(Call call) {
    auto results = run_.RunEach<Result>(
        position_of_, [&](uint32_t i, const QueryOptions& alone) -> Result {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return {};
          return call(*posed, Execution(alone));
        });
    return UnlessRefused(std::move(results));
  }

  // Like RunEach, for lists.
  template <typename Value, typename Call>
  absl::StatusOr<Lists<Value>> CollectEach(Call call) {
    auto lists = run_.CollectLists<Value>(
        position_of_,
        [&](uint32_t i, std::vector<Value>* values, const QueryOptions& alone) {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return;
          const auto found = call(*posed, Execution(alone));
          values->insert(values->end(), found.begin(), found.end());
        });
    return UnlessRefused(std::move(lists));
  }

  // Returns the results of call(posed, watch, last) at each pose. Each task has
  // one `Last`, in which a pose may store data for the next pose.
  template <typename Last, typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEachInTurn(Call call) {
    auto results = run_.RunEachInTurn<Result>(
        position_of_, [] { return Last{}; },
        [&](Last& last, uint32_t i, const QueryOptions& alone) -> Result {
          const std::optional<PosedTree> posed = At(i);
          if (!posed.has_value()) return {};
          return call(*posed, Execution(alone), last);
        });
    return UnlessRefused(std::move(results));
  }

 private:
  // Returns the results, or the error if a pose is not valid.
  template <typename Results>
  Results UnlessRefused(Results results) const {
    if (results.ok() && !refusal_.status().ok()) return refusal_.status();
    return results;
  }

  std::optional<PosedTree> At(size_t i) {
    absl::StatusOr<PosedTree> posed = PosedTree::Create(a_, poses_[i]);
    if (posed.ok()) return *std::move(posed);
    refusal_.Note(i, posed.status());
    return std::nullopt;
  }

  const Tree& a_;
  const std::span<const Pose> poses_;
  const Vec3 center_;
  const std::function<Vec3(size_t)> position_of_ = [this](size_t i) {
    const Pose& pose = poses_[i];
    // A pose that is not valid gets an arbitrary position: it has no result.
    return pose.IsFinite() ? pose.Apply(center_) : center_;
  };
  BatchRun run_;
  FirstRefusal refusal_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_POSE_BATCH_H_
