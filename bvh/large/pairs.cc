// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/pairs.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/pairs-inl.h"
#include "orbox/bvh/large/internal/task_run.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForPairs[] = "for pairs of chunks; request fewer";

// Sorts pairs by their ids. Each pair occurs once.
template <typename Pair>
void SortByIds(std::vector<Pair>* pairs, const Watch& watch) {
  SortWatched(
      pairs->begin(), pairs->end(),
      [](const Pair& x, const Pair& y) { return OrderOf(x) < OrderOf(y); },
      watch);
}

// A query for pairs in all its forms: any, count, all, visit.
template <typename Pair>
class PairQuestion {
 public:
  using Kind = PairKind<Pair>;
  using Visitor = absl::FunctionRef<Visit(const Pair&)>;

  PairQuestion(const PosedChunkedTree& a, const PosedChunkedTree& b, Kind kind,
               const QueryOptions& options)
      : run_(a, b, TaskRun::Of::kTwo, options),
        tasks_of_([&a, &b](double d) { return PairTasks(a, b, d); }),
        kind_(kind) {}
  // Restricts the query to the given tasks.
  PairQuestion(const PosedChunkedTree& a, const PosedChunkedTree& b,
               TaskRun::Of of, std::span<const ChunkTask> tasks, Kind kind,
               const QueryOptions& options)
      : run_(a, b, of, options),
        tasks_of_([tasks](double) {
          return std::vector<ChunkTask>(tasks.begin(), tasks.end());
        }),
        kind_(kind) {}
  // Query of a tree with itself.
  PairQuestion(const PosedChunkedTree& tree, Kind kind,
               const QueryOptions& options)
      : run_(tree, tree, TaskRun::Of::kSelf, options),
        tasks_of_([&tree](double d) { return SelfTasks(tree, d); }),
        kind_(kind) {}

  // Returns all pairs, ascending.
  absl::StatusOr<std::vector<Pair>> All() const {
    std::vector<Pair> all;
    std::mutex mutex;
    const absl::Status status = Run([&](const TaskRun::Task& task) {
      std::vector<Pair> found;
      kind_.VisitAll(task, [&](const Pair& pair) {
        found.push_back(pair);
        return Visit::kContinue;
      });
      const std::lock_guard lock(mutex);
      all.insert(all.end(), found.begin(), found.end());
      return Visit::kContinue;
    });
    if (!status.ok()) return status;
    return GuardMemory("for all pairs; request fewer",
                       [&]() -> absl::StatusOr<std::vector<Pair>> {
                         SortByIds(&all, run_.run());
                         return std::move(all);
                       });
  }

  absl::StatusOr<uint64_t> Count() const {
    std::atomic<uint64_t> count = 0;
    const absl::Status status = Run([&](const TaskRun::Task& task) {
      uint64_t found = 0;
      kind_.VisitAll(task, [&](const Pair&) {
        ++found;
        return Visit::kContinue;
      });
      count += found;
      return Visit::kContinue;
    });
    if (!status.ok()) return status;
    return count.load();
  }

  absl::StatusOr<bool> Any() const {
    std::atomic<bool> found = false;
    const absl::Status status = Run([&](const TaskRun::Task& task) {
      if (!kind_.IsAny(task)) return Visit::kContinue;
      found = true;
      return Visit::kStop;
    });
    if (!status.ok()) return status;
    return found.load();
  }

  absl::Status VisitEach(Visitor visitor) const {
    return Run(
        [&](const TaskRun::Task& task) {
          Visit next = Visit::kContinue;
          kind_.VisitAll(
              task, [&](const Pair& pair) { return next = visitor(pair); });
          return next;
        },
        /*threads=*/1);
  }

 private:
  absl::Status Run(TaskRun::Work work) const {
    return Run(work, run_.run().threads());
  }

  absl::Status Run(TaskRun::Work work, int threads) const {
    return GuardMemory(kNoMemoryForPairs, [&]() -> absl::Status {
      if (absl::Status s = run_.Check(); !s.ok()) return s;
      absl::Status s = CheckDistance("distance", kind_.distance);
      if (!s.ok()) return s;
      const double limit = LimitOf(kind_.distance, run_.run());
      return run_.ForEach(
          tasks_of_(limit), work, [](size_t) { return true; }, threads);
    });
  }

  const TaskRun run_;
  const std::function<std::vector<ChunkTask>(double distance)> tasks_of_;
  const Kind kind_;
};

// Returns call(question). Making a PosedChunkedTree of one tree takes memory,
// so this is guarded.
template <typename Pair, typename Call>
auto OfSides(const PairKind<Pair>& kind, const PairSides<ChunkedTree>& sides,
             const QueryOptions& options, Call call)
    -> decltype(call(std::declval<const PairQuestion<Pair>&>())) {
  if (sides.self == nullptr) {
    return call(PairQuestion<Pair>(*sides.a, *sides.b, kind, options));
  }
  return GuardMemory(
      kNoMemoryForPairs,
      [&]() -> decltype(call(std::declval<const PairQuestion<Pair>&>())) {
        const PosedChunkedTree posed(*sides.self);
        return call(PairQuestion<Pair>(posed, kind, options));
      });
}

// The pairs of some tasks.
template <typename Pair>
absl::StatusOr<std::vector<Pair>> AllOfTasks(const PosedChunkedTree& a,
                                             const PosedChunkedTree& b,
                                             TaskRun::Of of,
                                             std::span<const ChunkTask> tasks,
                                             double distance,
                                             const QueryOptions& options) {
  return PairQuestion<Pair>(a, b, of, tasks, PairKind<Pair>{distance}, options)
      .All();
}
template <typename Pair>
absl::StatusOr<std::vector<Pair>> AllOfSelfTasks(
    const ChunkedTree& tree, std::span<const ChunkTask> tasks, double distance,
    const QueryOptions& options) {
  return GuardMemory(kNoMemoryForPairs, [&] {
    const PosedChunkedTree posed(tree);
    return AllOfTasks<Pair>(posed, posed, TaskRun::Of::kSelf, tasks, distance,
                            options);
  });
}

}  // namespace

template <typename Pair>
absl::StatusOr<bool> RunAny(const PairKind<Pair>& kind,
                            const PairSides<ChunkedTree>& sides,
                            const QueryOptions& options) {
  return OfSides(kind, sides, options, [](const auto& q) { return q.Any(); });
}
template <typename Pair>
absl::StatusOr<uint64_t> RunCount(const PairKind<Pair>& kind,
                                  const PairSides<ChunkedTree>& sides,
                                  const QueryOptions& options) {
  return OfSides(kind, sides, options, [](const auto& q) { return q.Count(); });
}
template <typename Pair>
absl::StatusOr<std::vector<Pair>> RunAll(const PairKind<Pair>& kind,
                                         const PairSides<ChunkedTree>& sides,
                                         const QueryOptions& options) {
  return OfSides(kind, sides, options, [](const auto& q) { return q.All(); });
}
template <typename Pair>
absl::Status RunVisit(const PairKind<Pair>& kind,
                      const PairSides<ChunkedTree>& sides,
                      absl::FunctionRef<Visit(const Pair&)> visitor,
                      const QueryOptions& options) {
  return OfSides(kind, sides, options,
                 [&](const auto& q) { return q.VisitEach(visitor); });
}

ORBOX_INSTANTIATE_PAIRS(ChunkedTree)

absl::StatusOr<std::vector<GlobalPair>> OverlapsOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    std::span<const ChunkTask> tasks, const QueryOptions& options) {
  return AllOfTasks<GlobalPair>(a, b, TaskRun::Of::kTwo, tasks, 0, options);
}

absl::StatusOr<std::vector<GlobalPairDistance>> WithinOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    std::span<const ChunkTask> tasks, const QueryOptions& options) {
  return AllOfTasks<GlobalPairDistance>(a, b, TaskRun::Of::kTwo, tasks,
                                        distance, options);
}

absl::StatusOr<std::vector<GlobalPair>> SelfOverlapsOfTasks(
    const ChunkedTree& tree, std::span<const ChunkTask> tasks,
    const QueryOptions& options) {
  return AllOfSelfTasks<GlobalPair>(tree, tasks, 0, options);
}

absl::StatusOr<std::vector<GlobalPairDistance>> SelfWithinOfTasks(
    const ChunkedTree& tree, double distance, std::span<const ChunkTask> tasks,
    const QueryOptions& options) {
  return AllOfSelfTasks<GlobalPairDistance>(tree, tasks, distance, options);
}

}  // namespace orbox
