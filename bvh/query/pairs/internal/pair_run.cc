// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/internal/pair_run.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/collectors.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

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

// Outcome of a task, for statistics.
enum class TaskOutcome : uint8_t { kNotEntered, kBarren, kFruitful };

// A traversal of two trees, or of one against itself, divided into tasks for
// many threads.
//
//   SearchTasks tasks({a, b}, limit, statistics);
//   for (size_t i = 0; i < tasks.size(); ++i) ...       // tasks[i], anywhere
//   tasks.Finish(outcomes);       // completes the statistics
//
// The volumes above the tasks are tested only once, in the constructor. So the
// statistics are those of the whole traversal. The tasks depend only on the
// trees.
class SearchTasks {
 public:
  // Divides the search for pairs within `limit`.
  SearchTasks(const PairScope& whole, double limit,
              TraversalStatistics* statistics);

  size_t size() const { return tasks_.size(); }
  // Returns task i.
  const PairTask& operator[](size_t i) const { return tasks_[i].task; }

  void Finish(std::span<const TaskOutcome> outcomes);

 private:
  StatisticsCounters* counters() { return counters_ ? &*counters_ : nullptr; }

  std::optional<StatisticsCounters> counters_;  // absent without statistics
  std::vector<SearchTask> tasks_;
};

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

// Runs a search on a scope, either whole or divided into tasks if the options
// require it.
class ScopeRun {
 public:
  // Result of the search of task i.
  struct Outcome {
    bool is_any = false;
    Step step = Step::kContinue;
  };
  using Work = absl::FunctionRef<Outcome(size_t i, const PairScope& task,
                                         const Watch& watch)>;

  // Returns true if scopes need not be cut into tasks.
  static bool StaysWhole(const Execution& run, int threads) {
    return threads == 1 && !run.wants_shares();
  }

  ScopeRun(const PairScope& whole, double limit, const Execution& run,
           int threads)
      : whole_(whole), run_(run) {
    if (StaysWhole(run, threads)) return;
    tasks_.emplace(whole, limit, run.statistics());
    runner_.emplace(run, tasks_->size(), threads);
  }

  size_t size() const { return tasks_ ? tasks_->size() : 1; }
  // Null if the scope is whole.
  const Workers* workers() const {
    return runner_ ? &runner_->workers() : nullptr;
  }

  // Calls `work` for each task, until one call stops the run.
  void ForEach(Work work) {
    if (!tasks_) {
      work(0, whole_, run_);
      return;
    }
    std::vector<TaskOutcome> outcomes(size(), TaskOutcome::kNotEntered);
    runner_->For(size(), 1, [&](size_t i, size_t, const Watch& watch) {
      if (!stopped_) outcomes[i] = RunTask(i, work, watch);
    });
    tasks_->Finish(outcomes);
  }

 private:
  TaskOutcome RunTask(size_t i, Work work, const Watch& watch) {
    const PairScope task{whole_.a, whole_.b, whole_.self, (*tasks_)[i]};
    const Outcome outcome = work(i, task, watch);
    if (outcome.step == Step::kStop) stopped_ = true;
    return outcome.is_any ? TaskOutcome::kFruitful : TaskOutcome::kBarren;
  }

  const PairScope& whole_;
  const Execution& run_;
  std::optional<SearchTasks> tasks_;
  std::optional<TaskRunner> runner_;
  std::atomic<bool> stopped_ = false;
};

template <typename Pair>
std::vector<Pair> Joined(std::vector<std::vector<Pair>> found,
                         const Workers& workers) {
  size_t count = 0;
  for (const auto& pairs : found) count += pairs.size();
  std::vector<Pair> all;
  all.reserve(count);
  for (auto& pairs : found) {
    workers.Poll();
    all.insert(all.end(), pairs.begin(), pairs.end());
    std::vector<Pair>().swap(pairs);
  }
  SortPairs(&all, workers);
  return all;
}

}  // namespace

template <typename Pair>
std::vector<Pair> PairSearch<Pair>::All(const PairScope& scope) const {
  RequireValid();
  ScopeRun tasks(scope, limit_, run_, run_.threads());
  std::vector<std::vector<Pair>> found(tasks.size());
  tasks.ForEach([&](size_t i, const PairScope& task, const Watch& watch) {
    CollectingSink<Pair> sink(&found[i]);
    Find(task, sink, watch);
    return ScopeRun::Outcome{!found[i].empty()};
  });
  if (tasks.workers() != nullptr) {
    return Joined(std::move(found), *tasks.workers());
  }
  SortPairs(&found[0], Workers(1, PollOf(run_)));
  return std::move(found[0]);
}

template <typename Pair>
size_t PairSearch<Pair>::Count(const PairScope& scope) const {
  RequireValid();
  ScopeRun tasks(scope, limit_, run_, run_.threads());
  std::atomic<size_t> count = 0;
  tasks.ForEach([&](size_t, const PairScope& task, const Watch& watch) {
    CountingSink<Pair> sink;
    Find(task, sink, watch);
    count += sink.count();
    return ScopeRun::Outcome{sink.count() != 0};
  });
  return count;
}

template <typename Pair>
void PairSearch<Pair>::Visit(
    const PairScope& scope,
    absl::FunctionRef<orbox::Visit(const Pair&)> visitor) const {
  RequireValid();
  ScopeRun(scope, limit_, run_, 1)
      .ForEach([&](size_t, const PairScope& task, const Watch& watch) {
        VisitingSink<Pair> sink(visitor);
        const Step step = Find(task, sink, watch);
        return ScopeRun::Outcome{sink.is_any(), step};
      });
}

template <typename Pair>
bool PairSearch<Pair>::Any(const PairScope& scope) const {
  RequireValid();
  // The search often takes only a microsecond, and a ScopeRun would slow it
  // noticeably.
  if (ScopeRun::StaysWhole(run_, 1)) return IsAny(scope, run_);
  bool is_any = false;
  ScopeRun(scope, limit_, run_, 1)
      .ForEach([&](size_t, const PairScope& task, const Watch& watch) {
        is_any = IsAny(task, watch);
        return ScopeRun::Outcome{is_any,
                                 is_any ? Step::kStop : Step::kContinue};
      });
  return is_any;
}

template class PairSearch<TrianglePair>;
template class PairSearch<PairDistance>;

void SortPairs(std::vector<TrianglePair>* pairs, const Workers& workers) {
  std::vector<TrianglePair> scratch;
  RadixSortPairs(
      pairs, &scratch,
      [](const TrianglePair& pair) -> const TrianglePair& { return pair; },
      workers);
}

void SortPairs(std::vector<PairDistance>* pairs, const Workers& workers) {
  std::vector<PairDistance> scratch;
  RadixSortPairs(
      pairs, &scratch,
      [](const PairDistance& pair) -> const TrianglePair& {
        return pair.triangles;
      },
      workers);
}

}  // namespace orbox
