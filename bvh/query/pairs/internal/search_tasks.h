// SPDX-License-Identifier: Apache-2.0

// A traversal of two trees, or of one against itself, divided into tasks for
// many threads. Private.
//
//   SearchTasks tasks({a, b}, limit, statistics);
//   for (size_t i = 0; i < tasks.size(); ++i) ...       // tasks[i], anywhere
//   tasks.Finish(outcomes);       // completes the statistics
//
// The volumes above the tasks are tested only once, in the constructor. So the
// statistics are those of the whole traversal. The tasks depend only on the
// trees.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_SEARCH_TASKS_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_SEARCH_TASKS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Outcome of a task, for statistics.
enum class TaskOutcome : uint8_t { kNotEntered, kBarren, kFruitful };

class SearchTasks {
 public:
  // Divides the search for pairs within `limit`.
  SearchTasks(const PairScope& whole, double limit,
              TraversalStatistics* statistics);

  size_t size() const { return tasks_.size(); }
  // Returns task i. Two trees use only its `below`.
  const SelfTask& operator[](size_t i) const { return tasks_[i].task; }

  void Finish(std::span<const TaskOutcome> outcomes);

 private:
  StatisticsCounters* counters() { return counters_ ? &*counters_ : nullptr; }

  std::optional<StatisticsCounters> counters_;  // absent without statistics
  std::vector<SearchTask> tasks_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_SEARCH_TASKS_H_
