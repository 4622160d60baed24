// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_pairs.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_pairs.h"
#include "orbox/bvh/large/internal/task_run.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/traverse/internal/watch.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForPairs[] = "for pairs of chunks; ask for fewer";

// A kind of task: its type of pairs, and the distance within which they are
// sought.
struct OverlapTask {
  using Pair = GlobalPair;
  double distance = 0;

  void VisitAll(const TaskRun::Task& task, GlobalPairVisitor visitor) const {
    task.pairs.VisitOverlaps(visitor, task.alone);
  }
  bool IsAny(const TaskRun::Task& task) const {
    return task.pairs.AnyOverlap(task.alone);
  }
};

struct WithinTask {
  using Pair = GlobalPairDistance;
  double distance = 0;

  void VisitAll(const TaskRun::Task& task,
                GlobalPairDistanceVisitor visitor) const {
    task.pairs.VisitWithin(distance, visitor, task.alone);
  }
  bool IsAny(const TaskRun::Task& task) const {
    return task.pairs.AnyWithin(distance, task.alone);
  }
};

struct WitnessTask {
  using Pair = GlobalWitness;
  double distance = 0;

  void VisitAll(const TaskRun::Task& task,
                ChunkPairs::GlobalWitnessVisitor visitor) const {
    task.pairs.VisitWitnesses(distance, visitor, task.alone);
  }
};

// Sorts pairs by their ids. Each pair occurs once.
template <typename Pair>
void SortByIds(std::vector<Pair>* pairs, const Watch& watch) {
  SortWatched(
      pairs->begin(), pairs->end(),
      [](const Pair& x, const Pair& y) {
        if constexpr (std::is_same_v<Pair, GlobalPair>) {
          return x < y;
        } else {
          return x.triangles < y.triangles;
        }
      },
      watch);
}

// A query for pairs in all its forms: any, count, all, visit.
template <typename Kind>
class PairQuestion {
 public:
  using Pair = typename Kind::Pair;
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
    return GuardMemory("for all pairs; ask for fewer",
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

// Returns call(tree without a pose). Making a PosedChunkedTree takes memory, so
// this is guarded.
template <typename Call>
auto OfSelf(const ChunkedTree& tree, Call call)
    -> decltype(call(std::declval<const PosedChunkedTree&>())) {
  return GuardMemory(
      kNoMemoryForPairs,
      [&]() -> decltype(call(std::declval<const PosedChunkedTree&>())) {
        const PosedChunkedTree posed(tree);
        return call(posed);
      });
}

}  // namespace

absl::StatusOr<bool> AnyOverlap(const PosedChunkedTree& a,
                                const PosedChunkedTree& b,
                                const QueryOptions& options) {
  return PairQuestion(a, b, OverlapTask{}, options).Any();
}

absl::StatusOr<uint64_t> CountOverlaps(const PosedChunkedTree& a,
                                       const PosedChunkedTree& b,
                                       const QueryOptions& options) {
  return PairQuestion(a, b, OverlapTask{}, options).Count();
}

absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const QueryOptions& options) {
  return PairQuestion(a, b, OverlapTask{}, options).All();
}

absl::Status VisitOverlaps(const PosedChunkedTree& a, const PosedChunkedTree& b,
                           GlobalPairVisitor visitor,
                           const QueryOptions& options) {
  return PairQuestion(a, b, OverlapTask{}, options).VisitEach(visitor);
}

absl::StatusOr<bool> AnyWithin(const PosedChunkedTree& a,
                               const PosedChunkedTree& b, double distance,
                               const QueryOptions& options) {
  return PairQuestion(a, b, WithinTask{distance}, options).Any();
}

absl::StatusOr<uint64_t> CountWithin(const PosedChunkedTree& a,
                                     const PosedChunkedTree& b, double distance,
                                     const QueryOptions& options) {
  return PairQuestion(a, b, WithinTask{distance}, options).Count();
}

absl::StatusOr<std::vector<GlobalPairDistance>> AllWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return PairQuestion(a, b, WithinTask{distance}, options).All();
}

absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    const QueryOptions& options) {
  return PairQuestion(a, b, WitnessTask{distance}, options).All();
}

absl::Status VisitWithin(const PosedChunkedTree& a, const PosedChunkedTree& b,
                         double distance, GlobalPairDistanceVisitor visitor,
                         const QueryOptions& options) {
  return PairQuestion(a, b, WithinTask{distance}, options).VisitEach(visitor);
}

absl::StatusOr<std::vector<GlobalPair>> OverlapsOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    std::span<const ChunkTask> tasks, const QueryOptions& options) {
  return PairQuestion(a, b, TaskRun::Of::kTwo, tasks, OverlapTask(), options)
      .All();
}

absl::StatusOr<std::vector<GlobalPairDistance>> WithinOfTasks(
    const PosedChunkedTree& a, const PosedChunkedTree& b, double distance,
    std::span<const ChunkTask> tasks, const QueryOptions& options) {
  return PairQuestion(a, b, TaskRun::Of::kTwo, tasks, WithinTask{distance},
                      options)
      .All();
}

absl::StatusOr<std::vector<GlobalPair>> SelfOverlapsOfTasks(
    const ChunkedTree& tree, std::span<const ChunkTask> tasks,
    const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, posed, TaskRun::Of::kSelf, tasks, OverlapTask(),
                        options)
        .All();
  });
}

absl::StatusOr<std::vector<GlobalPairDistance>> SelfWithinOfTasks(
    const ChunkedTree& tree, double distance, std::span<const ChunkTask> tasks,
    const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, posed, TaskRun::Of::kSelf, tasks,
                        WithinTask{distance}, options)
        .All();
  });
}

absl::StatusOr<bool> AnySelfOverlap(const ChunkedTree& tree,
                                    const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, OverlapTask{}, options).Any();
  });
}

absl::StatusOr<uint64_t> CountSelfOverlaps(const ChunkedTree& tree,
                                           const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, OverlapTask{}, options).Count();
  });
}

absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
    const ChunkedTree& tree, const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, OverlapTask{}, options).All();
  });
}

absl::Status VisitSelfOverlaps(const ChunkedTree& tree,
                               GlobalPairVisitor visitor,
                               const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, OverlapTask{}, options).VisitEach(visitor);
  });
}

absl::StatusOr<bool> AnySelfWithin(const ChunkedTree& tree, double distance,
                                   const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, WithinTask{distance}, options).Any();
  });
}

absl::StatusOr<uint64_t> CountSelfWithin(const ChunkedTree& tree,
                                         double distance,
                                         const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, WithinTask{distance}, options).Count();
  });
}

absl::StatusOr<std::vector<GlobalPairDistance>> AllSelfWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, WithinTask{distance}, options).All();
  });
}

absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
    const ChunkedTree& tree, double distance, const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, WitnessTask{distance}, options).All();
  });
}

absl::Status VisitSelfWithin(const ChunkedTree& tree, double distance,
                             GlobalPairDistanceVisitor visitor,
                             const QueryOptions& options) {
  return OfSelf(tree, [&](const PosedChunkedTree& posed) {
    return PairQuestion(posed, WithinTask{distance}, options)
        .VisitEach(visitor);
  });
}

}  // namespace orbox
