// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_pairs.h"

#include "orbox/bvh/mpi/internal/id_holders.h"
#include "orbox/bvh/mpi/internal/task_loop.h"

namespace orbox {

namespace {

// Kinds of queries of a pair of chunks: overlaps, or pairs within a distance.
struct OverlapKind {
  using Pair = GlobalPair;
  double distance() const { return 0; }
  bool Any(const TaskRun::Task& task) const {
    return task.pairs.AnyOverlap(task.alone);
  }
  template <typename Visitor>
  void Visit(const TaskRun::Task& task, Visitor visitor) const {
    task.pairs.VisitOverlaps(visitor, task.alone);
  }
};

struct WithinKind {
  using Pair = GlobalPairDistance;
  double within = 0;
  double distance() const { return within; }
  bool Any(const TaskRun::Task& task) const {
    return task.pairs.AnyWithin(within, task.alone);
  }
  template <typename Visitor>
  void Visit(const TaskRun::Task& task, Visitor visitor) const {
    task.pairs.VisitWithin(within, visitor, task.alone);
  }
};

// Pairs within a distance, with the points that are nearest.
struct WitnessKind {
  using Pair = GlobalWitness;
  double within = 0;
  double distance() const { return within; }
  template <typename Visitor>
  void Visit(const TaskRun::Task& task, Visitor visitor) const {
    task.pairs.VisitWitnesses(within, visitor, task.alone);
  }
};

template <typename Kind>
absl::StatusOr<bool> AnyPair(const char* name, const TaskSides& sides,
                             const Kind& kind,
                             const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(Fingerprint(name), kind.distance());
  if (!status.ok()) return status;
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    if (kind.Any(task)) loop.Stop();
    return absl::OkStatus();
  });
  if (status.ok()) status = loop.Finish();
  if (!status.ok()) return status;
  return loop.has_stopped();
}

template <typename Kind>
absl::StatusOr<uint64_t> CountPairs(const char* name, const TaskSides& sides,
                                    const Kind& kind,
                                    const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(Fingerprint(name), kind.distance());
  if (!status.ok()) return status;
  uint64_t count[] = {0};
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    kind.Visit(task, [&count](const typename Kind::Pair&) {
      ++count[0];
      return Visit::kContinue;
    });
    return absl::OkStatus();
  });
  if (status.ok()) status = loop.ranks().Sum(count);
  if (status.ok()) status = loop.Finish();
  if (!status.ok()) return status;
  return count[0];
}

template <typename Kind, typename Visitor>
absl::Status VisitPairs(const char* name, const TaskSides& sides,
                        const Kind& kind, Visitor visitor,
                        const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(Fingerprint(name), kind.distance());
  if (!status.ok()) return status;
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    kind.Visit(task, [&](const typename Kind::Pair& pair) {
      const Visit visit = visitor(pair);
      if (visit == Visit::kStop) loop.Stop();
      return visit;
    });
    return absl::OkStatus();
  });
  return status.ok() ? loop.Finish() : status;
}

template <typename Kind>
absl::StatusOr<std::vector<typename Kind::Pair>> AllPairs(
    const char* name, const TaskSides& sides, const Kind& kind,
    const DistributedOptions& options) {
  using Pair = typename Kind::Pair;
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(Fingerprint(name), kind.distance());
  if (!status.ok()) return status;
  std::vector<Pair> found;
  const auto room_for_found = [&] {
    return CheckRoom<Pair>(found.size(), loop.ranks().rank(), options, "pairs",
                           "give it more, or visit the pairs");
  };
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    absl::Status room;
    kind.Visit(task, [&](const Pair& pair) {
      found.push_back(pair);
      if (found.size() % 4096 == 0) {
        room = room_for_found();
      }
      return room.ok() ? Visit::kContinue : Visit::kStop;
    });
    return room.ok() ? room_for_found() : room;
  });
  if (status.ok()) {
    status = SendToHolders(loop.ranks(), loop.a().tree(), options,
                           "for all pairs", found);
  }
  if (status.ok()) status = loop.Finish();
  if (!status.ok()) return status;
  return found;
}

}  // namespace

absl::StatusOr<bool> AnyOverlap(const PosedDistributedTree& a,
                                const PosedDistributedTree& b,
                                const DistributedOptions& options) {
  return AnyPair("AnyOverlap", {a, &b}, OverlapKind(), options);
}
absl::StatusOr<uint64_t> CountOverlaps(const PosedDistributedTree& a,
                                       const PosedDistributedTree& b,
                                       const DistributedOptions& options) {
  return CountPairs("CountOverlaps", {a, &b}, OverlapKind(), options);
}
absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options) {
  return AllPairs("AllOverlaps", {a, &b}, OverlapKind(), options);
}
absl::Status VisitOverlaps(const PosedDistributedTree& a,
                           const PosedDistributedTree& b,
                           GlobalPairVisitor own_visitor,
                           const DistributedOptions& options) {
  return VisitPairs("VisitOverlaps", {a, &b}, OverlapKind(), own_visitor,
                    options);
}

absl::StatusOr<bool> AnyWithin(const PosedDistributedTree& a,
                               const PosedDistributedTree& b, double distance,
                               const DistributedOptions& options) {
  return AnyPair("AnyWithin", {a, &b}, WithinKind{distance}, options);
}
absl::StatusOr<uint64_t> CountWithin(const PosedDistributedTree& a,
                                     const PosedDistributedTree& b,
                                     double distance,
                                     const DistributedOptions& options) {
  return CountPairs("CountWithin", {a, &b}, WithinKind{distance}, options);
}
absl::StatusOr<std::vector<GlobalPairDistance>> AllWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options) {
  return AllPairs("AllWithin", {a, &b}, WithinKind{distance}, options);
}
absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options) {
  return AllPairs("AllWitnessesWithin", {a, &b}, WitnessKind{distance},
                  options);
}
absl::Status VisitWithin(const PosedDistributedTree& a,
                         const PosedDistributedTree& b, double distance,
                         GlobalPairDistanceVisitor own_visitor,
                         const DistributedOptions& options) {
  return VisitPairs("VisitWithin", {a, &b}, WithinKind{distance}, own_visitor,
                    options);
}

absl::StatusOr<bool> AnySelfOverlap(const DistributedTree& tree,
                                    const DistributedOptions& options) {
  return AnyPair("AnySelfOverlap", {tree}, OverlapKind(), options);
}
absl::StatusOr<uint64_t> CountSelfOverlaps(const DistributedTree& tree,
                                           const DistributedOptions& options) {
  return CountPairs("CountSelfOverlaps", {tree}, OverlapKind(), options);
}
absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
    const DistributedTree& tree, const DistributedOptions& options) {
  return AllPairs("AllSelfOverlaps", {tree}, OverlapKind(), options);
}
absl::Status VisitSelfOverlaps(const DistributedTree& tree,
                               GlobalPairVisitor own_visitor,
                               const DistributedOptions& options) {
  return VisitPairs("VisitSelfOverlaps", {tree}, OverlapKind(), own_visitor,
                    options);
}

absl::StatusOr<bool> AnySelfWithin(const DistributedTree& tree, double distance,
                                   const DistributedOptions& options) {
  return AnyPair("AnySelfWithin", {tree}, WithinKind{distance}, options);
}
absl::StatusOr<uint64_t> CountSelfWithin(const DistributedTree& tree,
                                         double distance,
                                         const DistributedOptions& options) {
  return CountPairs("CountSelfWithin", {tree}, WithinKind{distance}, options);
}
absl::StatusOr<std::vector<GlobalPairDistance>> AllSelfWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options) {
  return AllPairs("AllSelfWithin", {tree}, WithinKind{distance}, options);
}
absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options) {
  return AllPairs("AllSelfWitnessesWithin", {tree}, WitnessKind{distance},
                  options);
}
absl::Status VisitSelfWithin(const DistributedTree& tree, double distance,
                             GlobalPairDistanceVisitor own_visitor,
                             const DistributedOptions& options) {
  return VisitPairs("VisitSelfWithin", {tree}, WithinKind{distance},
                    own_visitor, options);
}

}  // namespace orbox
