// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/internal/search_tasks.h"

#include <algorithm>

namespace orbox {
namespace {

// Enough tasks for many threads, even if some take much longer than others. Few
// enough that starting them takes negligible time.
constexpr size_t kEnoughSearchTasks = 512;

// Returns the top nodes, ascending. The pairs of their children may take long.
std::vector<uint32_t> TopOf(const Tree& tree) {
  constexpr size_t kEnough = 64;
  std::vector<uint32_t> top = {Tree::kRoot};
  for (size_t i = 0; i < top.size() && top.size() < kEnough; ++i) {
    const Node node = tree.node(top[i]);
    for (uint32_t k = 0; k < node.inner_count; ++k) {
      const uint32_t child = node.first_node + k;
      // Detail trees are not divided.
      if (tree.detail_trees() == nullptr ||
          tree.detail_trees()->At(child) == nullptr) {
        top.push_back(child);
      }
    }
  }
  std::sort(top.begin(), top.end());
  return top;
}

}  // namespace

SearchTasks::SearchTasks(const PairScope& whole, double limit,
                         TraversalStatistics* statistics) {
  if (statistics != nullptr) counters_.emplace(statistics);
  if (whole.self == nullptr) {
    SplitPairs(whole, limit, {}, kEnoughSearchTasks, counters(), &tasks_);
    return;
  }
  const Tree& tree = whole.a.tree();
  std::vector<uint32_t> top = TopOf(tree);
  SplitPairs(whole, limit, top, kEnoughSearchTasks, counters(), &tasks_);
  // The nodes between them, some for each task.
  constexpr uint32_t kRun = 32;
  top.push_back(static_cast<uint32_t>(tree.node_count()));
  for (size_t i = 1; i < top.size(); ++i) {
    for (uint32_t begin = top[i - 1] + 1; begin < top[i]; begin += kRun) {
      tasks_.push_back({{begin, std::min(begin + kRun, top[i]), {}}, {}});
    }
  }
}

void SearchTasks::Finish(std::span<const TaskOutcome> outcomes) {
  if (!counters_) return;
  for (size_t i = 0; i < tasks_.size(); ++i) {
    if (outcomes[i] == TaskOutcome::kNotEntered) continue;
    counters_->Enter(tasks_[i].ticket);
    if (outcomes[i] == TaskOutcome::kFruitful) counters_->Contribute();
  }
  counters_->Finish();
}

}  // namespace orbox
