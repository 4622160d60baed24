// SPDX-License-Identifier: Apache-2.0

// Runs the tasks of chunk_tasks.h, each on one rank. Private.
//
//   TaskLoop loop(PairSides<DistributedTree>(a, b), options);
//   absl::Status all = loop.Prepare(Fingerprint("AllWithin"), distance);
//   if (!all.ok()) return all;
//   all = loop.Run([&](const TaskRun::Task& task, size_t number) {
//     task.pairs.VisitWithin(distance, visitor, task.alone);
//     return absl::OkStatus();
//   });
#ifndef ORBOX_BVH_MPI_INTERNAL_TASK_LOOP_H_
#define ORBOX_BVH_MPI_INTERNAL_TASK_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/task_run.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

class TaskLoop {
 public:
  // `runs` is the greatest number of calls of Run, which share the progress
  // evenly.
  TaskLoop(const PairSides<DistributedTree>& sides,
           const DistributedOptions& options, int runs = 1)
      : of_a_(sides.self != nullptr ? PosedDistributedTree(*sides.self)
                                    : *sides.a),
        of_b_(sides.b),
        options_(options),
        ranks_(of_a_.tree.ranks()),
        progress_(options.progress, kUnits * static_cast<uint64_t>(runs)) {}

  // Agrees on the arguments and computes the tasks within `distance`.
  // Collective, like all functions that return a status.
  absl::Status Prepare(Fingerprint fingerprint, double distance);

  // Replaces the tasks, in their order. Each gets one rank: with kInTurn the
  // ranks in turn, with kEven about equal work for each rank.
  enum class Shares { kEven, kInTurn };
  absl::Status SetTasks(absl::FunctionRef<std::vector<ChunkTask>()> tasks,
                        Shares shares);

  // Calls `work` for this rank's tasks, with their indices among all, in
  // rounds. Calls `after` at the end of each round; it is collective, and sets
  // *goes_on to false to end the loop.
  using Work =
      absl::FunctionRef<absl::Status(const TaskRun::Task& task, size_t number)>;
  using After = absl::FunctionRef<absl::Status(bool* goes_on)>;
  absl::Status Run(Work work, After after);
  // Runs all rounds, until a rank calls Stop.
  absl::Status Run(Work work);
  void Stop() { stops_ = true; }
  bool has_stopped() const { return has_stopped_; }

  // Adds up the statistics of all ranks, and reports the end.
  absl::Status Finish();

  Communicator& ranks() const { return ranks_; }
  const DistributedOptions& options() const { return options_; }
  const PosedChunkedTree& a() const { return *a_; }
  const PosedChunkedTree& b() const { return b_.has_value() ? *b_ : *a_; }
  const std::vector<ChunkTask>& tasks() const { return tasks_; }

 private:
  // The least number of times that ranks agree on their statuses. With kInTurn,
  // a round has one task per rank at first, then twice as many each time.
  static constexpr uint64_t kRounds = 32;

  // Units of progress of a run.
  static constexpr uint64_t kUnits = 1 << 20;

  absl::Status RunRound(size_t begin, size_t end, Work work);

  const PosedDistributedTree of_a_;
  const PosedDistributedTree* const of_b_;  // null for one tree with itself
  const DistributedOptions& options_;
  Communicator& ranks_;
  std::optional<PosedChunkedTree> a_;
  std::optional<PosedChunkedTree> b_;
  Progress progress_;
  QueryOptions local_;
  std::optional<TaskRun> run_;
  std::vector<ChunkTask> tasks_;
  Shares shares_ = Shares::kEven;
  std::vector<uint32_t> own_;  // indices of tasks_
  TraversalStatistics statistics_;
  bool stops_ = false;
  bool has_stopped_ = false;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_TASK_LOOP_H_
