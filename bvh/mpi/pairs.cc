// SPDX-License-Identifier: Apache-2.0

// The queries of large/pairs.h, for trees that ranks share.
#include "orbox/bvh/large/pairs.h"

#include "orbox/bvh/large/internal/pairs-inl.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/id_holders.h"
#include "orbox/bvh/mpi/internal/task_loop.h"

namespace orbox {
namespace {

template <typename Pair>
Fingerprint FingerprintOf(const char* collector) {
  return Fingerprint(collector).Add(uint64_t{sizeof(Pair)});
}

}  // namespace

template <typename Pair>
absl::StatusOr<bool> RunAny(const PairKind<Pair>& kind,
                            const PairSides<DistributedTree>& sides,
                            const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(FingerprintOf<Pair>("Any"), kind.distance);
  if (!status.ok()) return status;
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    if (kind.IsAny(task)) loop.Stop();
    return absl::OkStatus();
  });
  if (status.ok()) status = loop.Finish();
  if (!status.ok()) return status;
  return loop.has_stopped();
}

template <typename Pair>
absl::StatusOr<uint64_t> RunCount(const PairKind<Pair>& kind,
                                  const PairSides<DistributedTree>& sides,
                                  const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status =
      loop.Prepare(FingerprintOf<Pair>("Count"), kind.distance);
  if (!status.ok()) return status;
  uint64_t count[] = {0};
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    kind.VisitAll(task, [&count](const Pair&) {
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

template <typename Pair>
absl::Status RunVisit(const PairKind<Pair>& kind,
                      const PairSides<DistributedTree>& sides,
                      absl::FunctionRef<Visit(const Pair&)> visitor,
                      const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status =
      loop.Prepare(FingerprintOf<Pair>("Visit"), kind.distance);
  if (!status.ok()) return status;
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    kind.VisitAll(task, [&](const Pair& pair) {
      const Visit visit = visitor(pair);
      if (visit == Visit::kStop) loop.Stop();
      return visit;
    });
    return absl::OkStatus();
  });
  return status.ok() ? loop.Finish() : status;
}

template <typename Pair>
absl::StatusOr<std::vector<Pair>> RunAll(
    const PairKind<Pair>& kind, const PairSides<DistributedTree>& sides,
    const DistributedOptions& options) {
  TaskLoop loop(sides, options);
  absl::Status status = loop.Prepare(FingerprintOf<Pair>("All"), kind.distance);
  if (!status.ok()) return status;
  std::vector<Pair> found;
  const auto room_for_found = [&] {
    return CheckRoom<Pair>(found.size(), loop.ranks().rank(), options, "pairs",
                           "give it more, or visit the pairs");
  };
  status = loop.Run([&](const TaskRun::Task& task, size_t) {
    absl::Status room;
    kind.VisitAll(task, [&](const Pair& pair) {
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

ORBOX_INSTANTIATE_PAIRS(DistributedTree)

}  // namespace orbox
