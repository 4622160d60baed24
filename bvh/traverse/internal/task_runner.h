// SPDX-License-Identifier: Apache-2.0

// Runs the tasks of a large query, or of a batch, on the threads of the
// options, with progress, statistics and cancellation. Queries start threads
// only here. Private.
//
//   TaskRunner run(Execution(options), queries.size());
//   run.For(queries.size(), TaskRunner::GrainOf(queries.size(), 1, 256),
//           [&](size_t begin, size_t end, const Watch& watch) {
//             for (size_t i = begin; i < end; ++i) {
//               answers[i] = Run(queries[i], watch);
//             }
//           });
//
// Pieces depend on the arguments alone, never on the threads (workers.h).
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_TASK_RUNNER_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_TASK_RUNNER_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT TaskRunner {
 public:
  // The watch counts for the piece alone; it has no counters if the query has
  // none.
  using Work =
      absl::FunctionRef<void(size_t begin, size_t end, const Watch& watch)>;

  // Refers to the options of `run`. `total` is the work of all calls of For, in
  // items; 0 counts as 1.
  TaskRunner(const Execution& run, uint64_t total)
      : TaskRunner(run, total, run.threads()) {}
  TaskRunner(const Execution& run, uint64_t total, int threads);
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  // Returns the number of items per piece: a 64th of all, but from `least` to
  // `most`. That is enough pieces for many threads, although one item may take
  // a tenth of a microsecond and another minutes.
  static constexpr size_t GrainOf(size_t count, size_t least, size_t most) {
    constexpr size_t kEnoughTasks = 64;
    return std::clamp(count / kEnoughTasks, least, most);
  }

  // Calls work(begin, end, watch) as Workers::For does. Throws QueryCancelled
  // once the query is cancelled. Statistics of pieces that were begun count.
  // Each item counts as `worth` units of the total.
  void For(size_t count, size_t grain, Work work, uint64_t worth = 1);

  // Called by each thread at the start of each piece, if not null: tests wait
  // there until another thread has begun one.
  static inline std::atomic<void (*)()> at_start = nullptr;

  // For work that has no progress of its own. Their poll reports, and throws
  // QueryCancelled.
  const Workers& workers() const { return workers_; }
  Progress& progress() { return progress_; }

 private:
  class OwnStatistics;

  std::function<void()> PollOfRun();

  const Execution run_;
  const Workers workers_;
  Progress progress_;
  const std::function<void(double)> heartbeat_;  // empty without progress
  std::mutex mutex_;                             // of *run_.statistics()
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TASK_RUNNER_H_
