// SPDX-License-Identifier: Apache-2.0

// ClosestPair of pairs.h: an overlap; the distance; the pair to report.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/internal/chunk_pairs.h"
#include "orbox/bvh/large/internal/pairs-inl.h"
#include "orbox/bvh/large/internal/task_run.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {
namespace {

// The closest pair of two chunked trees.
class ClosestPairOfChunks {
 public:
  ClosestPairOfChunks(const PosedChunkedTree& a, const PosedChunkedTree& b,
                      const QueryOptions& options)
      : a_(a),
        b_(b),
        progress_(options.progress, kSearches),
        options_{.max_distance = options.max_distance,
                 .statistics = options.statistics,
                 .threads = options.threads,
                 .progress = HeartbeatOf(options),
                 .cancelled = options.cancelled},
        run_(a, b, TaskRun::Of::kTwo, options_) {}

  absl::StatusOr<std::optional<GlobalWitness>> Find() {
    if (absl::Status s = run_.Check(); !s.ok()) return s;
    if (absl::Status s = FindOverlap(); !s.ok()) return s;
    if (best_) return Done();
    progress_.Add(1);
    const double limit =
        std::min(run_.run().max_distance(), FirstBound(a_, b_));
    std::vector<ChunkTask> tasks = PairTasks(a_, b_, limit);
    std::stable_sort(
        tasks.begin(), tasks.end(),
        [](const ChunkTask& x, const ChunkTask& y) { return x.gap < y.gap; });
    bound_ = limit;
    if (absl::Status s = FindDistance(tasks); !s.ok()) return s;
    if (!best_) return Done();
    progress_.Add(1);
    if (absl::Status s = FindLowest(tasks); !s.ok()) return s;
    return Done();
  }

 private:
  // Units of progress.
  static constexpr uint64_t kSearches = 3;

  std::function<void(double)> HeartbeatOf(const QueryOptions& options) {
    if (!options.progress) return nullptr;
    return Heartbeat(&progress_);
  }
  std::optional<GlobalWitness> Done() {
    progress_.Finish();
    return best_;
  }

  // Finds the pair of the first task that has one.
  absl::Status FindOverlap() {
    const std::vector<ChunkTask> tasks = PairTasks(a_, b_, 0);
    std::atomic<size_t> first = tasks.size();
    return run_.ForEach(
        tasks,
        [&](const TaskRun::Task& task) {
          if (!task.pairs.AnyOverlap(task.alone)) return Visit::kContinue;
          const auto witness = task.pairs.Closest(task.alone);
          const std::lock_guard lock(mutex_);
          if (task.index < first) {
            first = task.index;
            best_ = witness;
          }
          return Visit::kContinue;
        },
        [&](size_t i) { return i < first; }, run_.run().threads());
  }

  // Finds the smallest distance, and a pair at this distance.
  absl::Status FindDistance(const std::vector<ChunkTask>& tasks) {
    return run_.ForEach(
        tasks,
        [&](const TaskRun::Task& task) {
          QueryOptions alone = task.alone;
          alone.max_distance = bound_;
          Offer(task.pairs.Closest(alone));
          return Visit::kContinue;
        },
        [&](size_t i) { return tasks[i].gap <= bound_; }, run_.run().threads());
  }

  // Finds the pair at this distance that is reported. It does not depend on
  // which pair was found first.
  absl::Status FindLowest(std::vector<ChunkTask> tasks) {
    const double distance = best_->distance;
    const bool wants_lowest = WantsLowest(a_, b_, distance);
    std::erase_if(tasks, [&](const ChunkTask& t) { return t.gap > bound_; });
    best_.reset();
    return run_.ForEach(tasks, [&](const TaskRun::Task& task) {
      QueryOptions alone = task.alone;
      alone.max_distance =
          std::min(run_.run().max_distance(), AboveRounded(distance));
      Offer(wants_lowest ? task.pairs.LowestAt(distance, alone)
                         : task.pairs.Closest(alone));
      return Visit::kContinue;
    });
  }

  void Offer(const std::optional<GlobalWitness>& w) {
    if (!w.has_value()) return;
    const std::lock_guard lock(mutex_);
    if (best_ && (w->distance > best_->distance ||
                  (w->distance == best_->distance &&
                   !(w->triangles < best_->triangles)))) {
      return;
    }
    best_ = w;
    // A larger distance may round to this one.
    bound_ = std::min(bound_.load(), AboveRounded(w->distance));
  }

  const PosedChunkedTree& a_;
  const PosedChunkedTree& b_;
  Progress progress_;
  const QueryOptions options_;  // of one search of several
  const TaskRun run_;
  std::atomic<double> bound_ = kInfinity;
  std::mutex mutex_;
  std::optional<GlobalWitness> best_;
};

}  // namespace

inline absl::StatusOr<std::optional<GlobalWitness>> RunClosest(
    const PairSides<ChunkedTree>& sides, const QueryOptions& options) {
  return GuardMemory("for pairs of chunks; request fewer", [&] {
    return ClosestPairOfChunks(*sides.a, *sides.b, options).Find();
  });
}

template absl::StatusOr<std::optional<GlobalWitness>> ClosestOfSides(
    const PairSides<ChunkedTree>&, const QueryOptions&);

}  // namespace orbox
