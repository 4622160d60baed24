// SPDX-License-Identifier: Apache-2.0

// ClosestPair of large/pairs.h, in the steps of one machine
// (large/closest_pair.cc): an overlap; the distance; the pair to report.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/large/internal/chunk_pairs.h"
#include "orbox/bvh/large/internal/pairs-inl.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/task_loop.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

namespace {

// A pair that a rank has found, or none.
struct FoundWitness {
  GlobalWitness witness;
  // The least is the best: the number of the task if it matters, else 0.
  uint64_t order = std::numeric_limits<uint64_t>::max();
  uint64_t is_there = 0;
};

bool IsBetter(const FoundWitness& x, const FoundWitness& y) {
  if (x.is_there != y.is_there) return x.is_there > y.is_there;
  if (x.order != y.order) return x.order < y.order;
  if (x.witness.distance != y.witness.distance) {
    return x.witness.distance < y.witness.distance;
  }
  return x.witness.triangles < y.witness.triangles;
}

class ClosestOfRanks {
 public:
  ClosestOfRanks(const PairSides<DistributedTree>& sides,
                 const DistributedOptions& options)
      : loop_(sides, options, kRuns) {}

  absl::StatusOr<std::optional<GlobalWitness>> Find() {
    // The first tasks are those at a distance of 0.
    absl::Status status = loop_.Prepare(Fingerprint("ClosestPair"), 0);
    if (status.ok()) status = FindOverlap();
    if (status.ok() && best_.is_there == 0) status = FindDistance();
    if (status.ok()) status = loop_.Finish();
    if (!status.ok()) return status;
    if (best_.is_there == 0) return std::nullopt;
    return best_.witness;
  }

 private:
  // Searches for an overlap, for the distance, and for the reported pair.
  static constexpr int kRuns = 3;

  void Offer(const std::optional<GlobalWitness>& w, uint64_t order) {
    if (!w.has_value()) return;
    const FoundWitness found{*w, order, 1};
    if (IsBetter(found, best_)) best_ = found;
  }

  // Replaces the pair by the best of all ranks, on all ranks.
  absl::Status Share() {
    absl::Status status = RunPhase(loop_.ranks(), "for the closest pair", [&] {
      all_.resize(static_cast<size_t>(loop_.ranks().size()));
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    status = loop_.ranks().Gather(std::as_bytes(std::span(&best_, 1)),
                                  std::as_writable_bytes(std::span(all_)));
    if (!status.ok()) return status;
    for (const FoundWitness& found : all_) {
      if (IsBetter(found, best_)) best_ = found;
    }
    return absl::OkStatus();
  }

  // Finds the pair of the first task that has one.
  absl::Status FindOverlap() {
    const absl::Status status =
        loop_.Run([&](const TaskRun::Task& task, size_t number) {
          if (best_.is_there != 0 || !task.pairs.AnyOverlap(task.alone)) {
            return absl::OkStatus();
          }
          Offer(task.pairs.Closest(task.alone), number);
          return absl::OkStatus();
        });
    return status.ok() ? Share() : status;
  }

  absl::Status FindDistance() {
    // Upper bound of the distance: from the tables, and later from pairs.
    double bound = kInfinity;
    absl::Status status = loop_.SetTasks(
        [&] {
          bound = std::min(loop_.options().max_distance,
                           FirstBound(loop_.a(), loop_.b()));
          std::vector<ChunkTask> tasks = PairTasks(loop_.a(), loop_.b(), bound);
          std::stable_sort(tasks.begin(), tasks.end(),
                           [](const ChunkTask& x, const ChunkTask& y) {
                             return x.gap < y.gap;
                           });
          return tasks;
        },
        TaskLoop::Shares::kInTurn);
    if (!status.ok()) return status;
    size_t done = 0;
    status = loop_.Run(
        [&](const TaskRun::Task& task, size_t number) {
          done = std::max(done, number + 1);
          if (loop_.tasks()[number].gap > bound) return absl::OkStatus();
          QueryOptions alone = task.alone;
          alone.max_distance = bound;
          Offer(task.pairs.Closest(alone), 0);
          if (best_.is_there != 0) {
            // A larger distance may round to this one.
            bound = std::min(bound, AboveRounded(best_.witness.distance));
          }
          return absl::OkStatus();
        },
        [&](bool* goes_on) {
          double bounds[] = {bound};
          uint64_t reached[] = {done};
          absl::Status shared = loop_.ranks().Min(bounds);
          if (shared.ok()) shared = loop_.ranks().Max(reached);
          bound = bounds[0];
          *goes_on = reached[0] < loop_.tasks().size() &&
                     loop_.tasks()[reached[0]].gap <= bound;
          return shared;
        });
    if (!status.ok()) return status;
    status = Share();
    if (!status.ok() || best_.is_there == 0) return status;
    return FindReported(bound);
  }

  // Finds the pair at this distance that is reported. It does not depend on
  // which pair was found first.
  absl::Status FindReported(double bound) {
    const double distance = best_.witness.distance;
    bool wants_lowest = false;
    absl::Status status = loop_.SetTasks(
        [&] {
          wants_lowest = WantsLowest(loop_.a(), loop_.b(), distance);
          std::vector<ChunkTask> tasks = loop_.tasks();
          std::erase_if(tasks,
                        [&](const ChunkTask& t) { return t.gap > bound; });
          return tasks;
        },
        TaskLoop::Shares::kInTurn);
    if (!status.ok()) return status;
    best_ = {};
    status = loop_.Run([&](const TaskRun::Task& task, size_t) {
      QueryOptions alone = task.alone;
      alone.max_distance =
          std::min(loop_.options().max_distance, AboveRounded(distance));
      Offer(wants_lowest ? task.pairs.LowestAt(distance, alone)
                         : task.pairs.Closest(alone),
            0);
      return absl::OkStatus();
    });
    return status.ok() ? Share() : status;
  }

  TaskLoop loop_;
  FoundWitness best_;
  std::vector<FoundWitness> all_;
};

}  // namespace

inline absl::StatusOr<std::optional<GlobalWitness>> RunClosest(
    const PairSides<DistributedTree>& sides,
    const DistributedOptions& options) {
  return ClosestOfRanks(sides, options).Find();
}

template absl::StatusOr<std::optional<GlobalWitness>> ClosestOfSides(
    const PairSides<DistributedTree>&, const DistributedOptions&);

}  // namespace orbox
