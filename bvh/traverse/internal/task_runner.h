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
// Pieces depend only on the arguments, never on the number of threads
// (workers.h).
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
  // The statistics of `watch` are those of the piece. They are null if the
  // query has none.
  using Work =
      absl::FunctionRef<void(size_t begin, size_t end, const Watch& watch)>;

  // Refers to the options of `run`. `total` is the number of items in all calls
  // of For; 0 counts as 1.
  TaskRunner(const Execution& run, uint64_t total)
      : TaskRunner(run, total, run.threads()) {}
  TaskRunner(const Execution& run, uint64_t total, int threads);
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  // Returns the number of items per piece: a 64th of all items, but between
  // `least` and `most`. This gives enough pieces for many threads, although the
  // time of an item varies from a tenth of a microsecond to minutes.
  static constexpr size_t GrainOf(size_t count, size_t least, size_t most) {
    constexpr size_t kEnoughTasks = 64;
    return std::clamp(count / kEnoughTasks, least, most);
  }

  // Calls work(begin, end, watch) as Workers::For does. Throws QueryCancelled
  // after the query is cancelled. Statistics include those of all pieces that
  // were begun. Each item counts as `worth` units of the total.
  void For(size_t count, size_t grain, Work work, uint64_t worth = 1);

  // If not null, each thread calls it at the start of each piece. Tests use it
  // to wait until another thread has begun a piece.
  static inline std::atomic<void (*)()> at_start = nullptr;

  // For work that does not report progress itself. The workers' poll reports,
  // and throws QueryCancelled.
  const Workers& workers() const { return workers_; }
  Progress& progress() { return progress_; }

 private:
  class OwnStatistics;

  std::function<void()> PollOfRun();

  const Execution run_;
  const Workers workers_;
  Progress progress_;
  const std::function<void(double)> heartbeat_;  // empty without progress
  std::mutex mutex_;                             // protects *run_.statistics()
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TASK_RUNNER_H_
