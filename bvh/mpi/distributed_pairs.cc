// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_pairs.h"

#include <algorithm>
#include <limits>
#include <span>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/mpi/internal/bytes.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/task_loop.h"

namespace orbox {

namespace {

// What is asked of each pair of chunks: overlaps, or a distance.
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
const GlobalPair& IdsOf(const GlobalPair& pair) { return pair; }

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
const GlobalPair& IdsOf(const GlobalPairDistance& pair) {
  return pair.triangles;
}

// With the points that are nearest.
struct WitnessKind {
  using Pair = GlobalWitness;
  double within = 0;
  double distance() const { return within; }
  template <typename Visitor>
  void Visit(const TaskRun::Task& task, Visitor visitor) const {
    task.pairs.VisitWitnesses(within, visitor, task.alone);
  }
};
const GlobalPair& IdsOf(const GlobalWitness& pair) { return pair.triangles; }

template <typename Pair>
void SortById(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& x, const Pair& y) { return IdsOf(x) < IdsOf(y); });
}

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

// Which rank gets the pairs of a triangle: each as many ids as the next.
class Holders {
 public:
  Holders(const ChunkedTree& a, int ranks)
      : ranks_(static_cast<uint64_t>(ranks)) {
    uint64_t highest = 0;
    lowest_ = std::numeric_limits<uint64_t>::max();
    for (const ChunkRow& row : a.table()) {
      lowest_ = std::min(lowest_, row.lowest_id);
      highest = std::max(highest, row.highest_id);
    }
    share_ = (highest - lowest_) / ranks_ + 1;
  }
  int Of(uint64_t id) const {
    return static_cast<int>((id - lowest_) / share_);
  }

 private:
  uint64_t ranks_;
  uint64_t lowest_;
  uint64_t share_;
};

// Three times what is found is there at a time: here, under way, and received.
template <typename Pair>
absl::Status CheckRoom(const std::vector<Pair>& found, int rank,
                       const DistributedOptions& options) {
  const uint64_t bytes = found.size() * sizeof(Pair);
  if (bytes <= options.memory / 3) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the pairs that rank ", rank, " has found take ", bytes,
                   " bytes, and it may use a third of ", options.memory,
                   "; give it more, or visit the pairs"));
}

// Sends pairs where they belong, and sorts those that come.
template <typename Pair>
absl::Status Redistribute(TaskLoop& loop, std::vector<Pair>& pairs) {
  Communicator& ranks = loop.ranks();
  std::optional<Mail> mail;
  absl::Status status = RunPhase(ranks, "for all pairs", [&] {
    mail.emplace(ranks.size());
    const Holders holders(loop.a().tree(), ranks.size());
    SortById(pairs);
    for (auto begin = pairs.begin(); begin != pairs.end();) {
      const int holder = holders.Of(IdsOf(*begin).a);
      const auto end = std::find_if(begin, pairs.end(), [&](const Pair& p) {
        return holders.Of(IdsOf(p).a) != holder;
      });
      ByteWriter(&mail->to(holder))
          .template PutAll<Pair>(std::span<const Pair>(begin, end));
      begin = end;
    }
    pairs = {};
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  status = mail->Deliver(ranks, loop.options().memory / 3, "for all pairs");
  if (!status.ok()) return status;
  return RunPhase(ranks, "for all pairs", [&] {
    pairs.resize(mail->received_bytes() / sizeof(Pair));
    std::span<Pair> rest(pairs);
    for (int r = 0; r < ranks.size(); ++r) {
      const size_t count = mail->from(r).size() / sizeof(Pair);
      ByteReader(mail->from(r)).template GetAll<Pair>(rest.first(count));
      rest = rest.subspan(count);
    }
    mail.reset();
    SortById(pairs);
    return absl::OkStatus();
  });
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
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    absl::Status room;
    kind.Visit(task, [&](const Pair& pair) {
      found.push_back(pair);
      if (found.size() % 4096 == 0) {
        room = CheckRoom(found, loop.ranks().rank(), options);
      }
      return room.ok() ? Visit::kContinue : Visit::kStop;
    });
    return room.ok() ? CheckRoom(found, loop.ranks().rank(), options) : room;
  });
  if (status.ok()) status = Redistribute(loop, found);
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
