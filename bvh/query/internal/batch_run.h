// SPDX-License-Identifier: Apache-2.0

// Common code of all batches of queries of one mesh or two. Runs the queries as
// tasks (task_runner.h), either in the given order or in one in which
// neighbours follow each other.
//
//   BatchRun run(tree.space(), count, Execution(options));
//   absl::Status status = run.ForEachTask(
//       [&](size_t i) { return points[i]; },            // position
//       [&](const BatchRun::Task& task) {
//         for (uint32_t i : task.queries) answers[i] = Run(i);
//       });
//
// The division into tasks depends only on the queries, not on the threads. So a
// query always reuses the same data of its predecessor in the task. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_
#define ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/posed/internal/into_model.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/check_query.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/task_runner.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class ORBOX_EXPORT BatchRun {
 public:
  struct Task {
    size_t index;                       // index of the task
    size_t begin;                       // its queries are [begin, end)
    size_t end;                         // of the order
    std::span<const uint32_t> queries;  // indices in processing order
    const Watch& watch;
  };
  // Position of a query, used only for the order; any value is allowed. Without
  // it, queries keep their order.
  using PositionOf = std::optional<absl::FunctionRef<Vec3(size_t query)>>;
  using Work = absl::FunctionRef<void(const Task&)>;
  using Prepare = absl::FunctionRef<void(const Workers&)>;

  // `least_task`: smallest number of queries in a task, if there are that many.
  // Above 1 if the first query of a task takes far longer than the others,
  // because it cannot reuse anything.
  BatchRun(const TreeSpace& space, size_t count, const Execution& run,
           size_t least_task = 1)
      : space_(space),
        count_(count),
        grain_(TaskRunner::GrainOf(count, least_task, kMostInTask)),
        run_(run) {}

  // Returns `least_task` for queries that are processed together and reuse
  // nothing. One thread takes as many as possible.
  static size_t LeastTogether(int threads) {
    return threads == 1 ? kMostInTask : 1;
  }

  absl::Status ForEachTask(PositionOf position_of, Work work);

  // Like ForEachTask, but in an order that `prepare` computes and the caller
  // keeps. The tasks have no `queries`.
  absl::Status ForEachTaskInOrder(Prepare prepare, Work work);

  // Returns one result per query: that of `call(query, alone)`.
  template <typename Result, typename Call>
  absl::StatusOr<std::vector<Result>> RunEach(PositionOf position_of,
                                              Call call) {
    return RunEachInTurn<Result>(
        position_of, [] { return Nothing{}; },
        [&](Nothing&, uint32_t query, const QueryOptions& alone) {
          return call(query, alone);
        });
  }

  // Like RunEach, for lists: `call(query, values, alone)` appends a query's
  // values.
  template <typename Value, typename Call>
  absl::StatusOr<Lists<Value>> CollectLists(PositionOf position_of, Call call) {
    return CollectListsInTurn<Value>(
        position_of, [] { return Nothing{}; },
        [&](Nothing&, uint32_t query, std::vector<Value>* values,
            const QueryOptions& alone) { call(query, values, alone); });
  }

  // Like RunEach, for queries that reuse data of the previous query in their
  // task. `start()` makes the data of a task. `call` gets it as its first
  // argument.
  template <typename Result, typename Start, typename Call>
  absl::StatusOr<std::vector<Result>> RunEachInTurn(PositionOf position_of,
                                                    Start start, Call call);
  template <typename Value, typename Start, typename Call>
  absl::StatusOr<Lists<Value>> CollectListsInTurn(PositionOf position_of,
                                                  Start start, Call call);

  // Like CollectLists, with one call per task: `collect(task, values, counts)`
  // appends the values of the task's queries in their order, and writes the
  // number of values of a query to counts[query].
  template <typename Value, typename Collect>
  absl::StatusOr<Lists<Value>> CollectListsByTask(PositionOf position_of,
                                                  Collect collect);

  // Calls `function`. Returns kResourceExhausted if it runs out of memory.
  template <typename Function>
  static absl::Status GuardMemory(Function function) {
    return orbox::GuardMemory("for the answers to a batch; use smaller batches",
                              [&]() -> absl::Status { return function(); });
  }

 private:
  // Large enough that the slower first query of a task does not matter. Small
  // enough that threads do not wait long for the last task.
  static constexpr size_t kMostInTask = 256;

  struct Nothing {};

  absl::Status Check() const;
  void Sort(absl::FunctionRef<Vec3(size_t query)> position_of);
  std::span<const uint32_t> QueriesOf(size_t task) const;
  size_t task_count() const { return (count_ + grain_ - 1) / grain_; }

  const TreeSpace space_;
  const size_t count_;
  const size_t grain_;
  const Execution run_;
  std::optional<TaskRunner> runner_;  // created at first use
  std::vector<uint32_t> order_;
};

// Space of a tree at a pose, for the order of a batch.
inline TreeSpace SpaceOf(TreeAtPose tree) {
  return tree.moved() == nullptr ? tree.tree().space()
                                 : SpaceAround(BoundsOf(*tree.moved()));
}

// Returns the results of call(tree, query, run) for each query of a batch.
template <typename Result, typename Queries, typename Options, typename Call>
absl::StatusOr<std::vector<Result>> RunEachOf(TreeAtPose tree,
                                              const Queries& queries,
                                              BatchRun::PositionOf position_of,
                                              const Options& options,
                                              Call call) {
  if (absl::Status s = CheckQueries(queries); !s.ok()) return s;
  return BatchRun(SpaceOf(tree), queries.size(), Execution(options))
      .RunEach<Result>(position_of,
                       [&](size_t i, const QueryOptions& alone) -> Result {
                         return call(tree, queries[i], Execution(alone));
                       });
}

// Like RunEachOf, for lists.
template <typename Value, typename Queries, typename Options, typename Call>
absl::StatusOr<Lists<Value>> CollectEachOf(TreeAtPose tree,
                                           const Queries& queries,
                                           BatchRun::PositionOf position_of,
                                           const Options& options, Call call) {
  if (absl::Status s = CheckQueries(queries); !s.ok()) return s;
  BatchRun run(SpaceOf(tree), queries.size(), Execution(options));
  return run.CollectLists<Value>(
      position_of,
      [&](size_t i, std::vector<Value>* values, const QueryOptions& alone) {
        const auto found = call(tree, queries[i], Execution(alone));
        values->insert(values->end(), found.begin(), found.end());
      });
}

// Positions of points, for the order of a batch.
inline auto PositionsOf(std::span<const Vec3> points) {
  return [points](size_t i) { return points[i]; };
}

// Returns the key of a position. Near positions have near keys. Interleaves the
// bits of the coordinates (Morton 1966). Tree space is the middle of the range.
// The resolution decreases outside of it.
ORBOX_EXPORT uint32_t MortonKey(const TreeSpace& space, const Vec3& place);

// Implementation.

template <typename Result, typename Start, typename Call>
absl::StatusOr<std::vector<Result>> BatchRun::RunEachInTurn(
    PositionOf position_of, Start start, Call call) {
  std::vector<Result> results;
  const absl::Status status = GuardMemory([&] {
    results.resize(count_);
    return ForEachTask(position_of, [&](const Task& task) {
      const QueryOptions alone = task.watch.Alone(run_.max_distance());
      auto last = start();
      for (const uint32_t query : task.queries) {
        results[query] = call(last, query, alone);
      }
    });
  });
  if (!status.ok()) return status;
  return results;
}

template <typename Value, typename Start, typename Call>
absl::StatusOr<Lists<Value>> BatchRun::CollectListsInTurn(
    PositionOf position_of, Start start, Call call) {
  return CollectListsByTask<Value>(
      position_of,
      [&](const Task& task, std::vector<Value>* values, size_t* counts) {
        const QueryOptions alone = task.watch.Alone(run_.max_distance());
        auto last = start();
        for (const uint32_t query : task.queries) {
          const size_t before = values->size();
          call(last, query, values, alone);
          counts[query] = values->size() - before;
        }
      });
}

template <typename Value, typename Collect>
absl::StatusOr<Lists<Value>> BatchRun::CollectListsByTask(
    PositionOf position_of, Collect collect) {
  std::optional<Lists<Value>> made;  // within the guard: it allocates
  const absl::Status status = GuardMemory([&] {
    Lists<Value>& lists = made.emplace();
    std::vector<std::vector<Value>> found(task_count());
    lists.offsets.assign(count_ + 1, 0);
    absl::Status task_status = ForEachTask(position_of, [&](const Task& task) {
      collect(task, &found[task.index], lists.offsets.data() + 1);
    });
    if (!task_status.ok()) return task_status;
    std::partial_sum(lists.offsets.begin(), lists.offsets.end(),
                     lists.offsets.begin());
    lists.values.resize(lists.offsets.back());
    runner_->workers().For(task_count(), 1, [&](size_t task, size_t) {
      auto from = found[task].begin();
      for (const uint32_t query : QueriesOf(task)) {
        const size_t begin = lists.offsets[query];
        const auto end =
            from + static_cast<ptrdiff_t>(lists.offsets[query + 1] - begin);
        std::move(from, end,
                  lists.values.begin() + static_cast<ptrdiff_t>(begin));
        from = end;
      }
      std::vector<Value>().swap(found[task]);
    });
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return *std::move(made);
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_BATCH_RUN_H_
