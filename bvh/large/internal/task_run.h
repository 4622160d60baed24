// SPDX-License-Identifier: Apache-2.0

// The tasks of a query about pairs of chunks (chunk_tasks.h), on one machine:
// several at a time, as memory allows. Private.
//
//   TaskRun run(a, b, TaskRun::Of::kTwo, options);
//   if (absl::Status s = run.Check(); !s.ok()) return s;
//   absl::Status status = run.ForEach(
//       PairTasks(a, b, 0), [&](const TaskRun::Task& task) {
//         ... task.pairs.AnyOverlap(task.alone) ...
//         return Visit::kContinue;
//       });
#ifndef ORBOX_BVH_LARGE_INTERNAL_TASK_RUN_H_
#define ORBOX_BVH_LARGE_INTERNAL_TASK_RUN_H_

#include <atomic>
#include <cstddef>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/chunk_pairs.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT TaskRun {
 public:
  enum class Of { kTwo, kSelf };

  struct Task {
    size_t index;  // among the tasks
    const ChunkPairs& pairs;
    const QueryOptions& alone;
  };
  using Work = absl::FunctionRef<Visit(const Task&)>;
  // Returns true if a task is worth loading. Called right before the task would
  // be loaded.
  using Wants = absl::FunctionRef<bool(size_t index)>;

  // Refers to the arguments.
  TaskRun(const PosedChunkedTree& a, const PosedChunkedTree& b, Of of,
          const QueryOptions& options)
      : a_(a), b_(b), of_(of), run_(options) {}

  const Execution& run() const { return run_; }
  absl::Status Check() const { return run_.Check(); }

  // Calls `work` for each task that is wanted, until it returns kStop.
  absl::Status ForEach(std::span<const ChunkTask> tasks, Work work) const {
    return ForEach(
        tasks, work, [](size_t) { return true; }, run_.threads());
  }
  absl::Status ForEach(std::span<const ChunkTask> tasks, Work work, Wants wants,
                       int threads) const;

 private:
  int ThreadsThatFit(int threads) const;
  absl::Status Do(const ChunkTask& task, size_t index, const Watch& watch,
                  Work work, std::atomic<bool>* stopped) const;

  const PosedChunkedTree& a_;
  const PosedChunkedTree& b_;
  const Of of_;
  const Execution run_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_TASK_RUN_H_
