// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_hausdorff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/internal/chunk_deviations.h"
#include "orbox/bvh/large/internal/chunked_farthest.h"
#include "orbox/bvh/mpi/internal/id_holders.h"
#include "orbox/bvh/mpi/internal/mail.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/mpi/internal/phase.h"
#include "orbox/bvh/mpi/internal/shared_statistics.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

namespace {

constexpr char kWhatFor[] = "for a Hausdorff distance";

// A team of all ranks.
class Crew final : public FarthestTeam {
 public:
  // The progress of the options is that of a part of a query.
  Crew(const DistributedTree& target, const DistributedOptions& options)
      : target_(target),
        ranks_(target.ranks()),
        traits_{SpaceAround(target.chunks().bounds())},
        options_(options) {}

  size_t size() const override { return static_cast<size_t>(ranks_.size()); }
  size_t number() const override { return static_cast<size_t>(ranks_.rank()); }
  uint64_t memory() const override { return options_.memory; }

  absl::Status Together(absl::FunctionRef<absl::Status()> work) override {
    return RunPhase(ranks_, kWhatFor, work);
  }
  absl::Status Closest(
      std::span<const DistanceQuery> own,
      std::vector<DistanceChunkTraits::Answer>* found) override {
    const absl::Status status = RunPhase(ranks_, kWhatFor, [&] {
      found->clear();
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return RunOnOwners(target_, traits_, Fingerprint("HausdorffDistance"), own,
                       options_, found);
  }
  absl::Status Join(const std::vector<std::byte>& own,
                    std::vector<std::byte>* all) override {
    return join_.Run(ranks_, own, kWhatFor, all);
  }

 private:
  const DistributedTree& target_;
  Communicator& ranks_;
  const DistanceChunkTraits traits_;
  const DistributedOptions options_;
  ByteJoin join_;
};

// Checks that the arguments are equal on all ranks.
absl::Status AgreeOnArguments(const char* name, const PosedDistributedTree& a,
                              const PosedDistributedTree& b,
                              const HausdorffLimits& limits,
                              const DistributedOptions& options) {
  Fingerprint of(name);
  of.Add(a.tree.chunks()).Add(a.pose).Add(b.tree.chunks()).Add(b.pose);
  of.Add(uint64_t{limits.tolerance.has_value()});
  of.Add(limits.tolerance.value_or(0)).Add(limits.relative_tolerance);
  of.Add(uint64_t{limits.max_parts}).Add(options);
  return a.tree.ranks().AgreeOn(of.value(), "the arguments");
}

// The input of the search, from arguments on which all ranks agree. All members
// are optional, because even empty ones take memory.
struct Measured {
  std::optional<RunOptions> options;
  std::optional<PosedChunkedTree> a;
  std::optional<ChunkedTree> target;  // B, moved by its pose
};

absl::Status Prepare(const char* name, const PosedDistributedTree& a,
                     const PosedDistributedTree& b,
                     const HausdorffLimits& limits,
                     const DistributedOptions& options, Measured* measured) {
  Communicator& ranks = a.tree.ranks();
  const absl::Status status = AgreeOnArguments(name, a, b, limits, options);
  if (!status.ok()) return status;
  return RunPhase(ranks, kWhatFor, [&]() -> absl::Status {
    if (&b.tree.ranks() != &ranks) {
      return absl::InvalidArgumentError(
          "the trees have different communicators");
    }
    if (absl::Status s = CheckDistance("max_distance", options.max_distance);
        !s.ok()) {
      return s;
    }
    RunOptions& own = measured->options.emplace();
    own.progress = options.progress;
    own.cancelled = options.cancelled;
    if (absl::Status s = CheckHausdorff(limits, own); !s.ok()) return s;
    absl::StatusOr<PosedChunkedTree> posed =
        PosedChunkedTree::Create(a.tree.chunks(), a.pose);
    if (!posed.ok()) return posed.status();
    measured->a.emplace(*std::move(posed));
    absl::StatusOr<ChunkedTree> moved = b.tree.chunks().MovedBy(b.pose);
    if (moved.ok()) measured->target.emplace(*std::move(moved));
    return moved.status();
  });
}

// The deviations of the triangles of this rank's chunks.
class OwnDeviations {
 public:
  // All arguments have to outlive this object.
  OwnDeviations(const Measured& measured, const HausdorffLimits& limits,
                const DistributedOptions& options)
      : measured_(measured), limits_(limits), options_(options) {}

  // Finds the deviations in rounds, so that a rank's error soon reaches the
  // others. Collective.
  absl::Status Find(const DistributedTree& a,
                    std::vector<GlobalDeviation>* found) {
    Communicator& ranks = a.ranks();
    const auto owned = a.owned();
    const size_t own = owned.second - owned.first;
    const size_t rounds = std::min(a.chunks().table().size(), kRounds);
    std::optional<ChunkDeviations> deviations;
    for (size_t round = 0; round < rounds; ++round) {
      const absl::Status status = RunPhase(ranks, kWhatFor, [&]() {
        if (round == 0) {
          RunOptions counted = *measured_.options;
          counted.statistics = &statistics_;
          deviations.emplace(*measured_.a, *measured_.target, limits_, counted);
        }
        for (size_t i = own * round / rounds; i < own * (round + 1) / rounds;
             ++i) {
          absl::Status of_chunk = FindInChunk(*deviations, owned.first + i,
                                              ranks.rank(), i, own, found);
          if (!of_chunk.ok()) return of_chunk;
        }
        if (round + 1 == rounds && options_.progress) options_.progress(1);
        // Ranks without a chunk may be cancelled, too.
        return CheckCancelled(options_);
      });
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  const TraversalStatistics& statistics() const { return statistics_; }

 private:
  // Number of times that ranks agree on their statuses.
  static constexpr size_t kRounds = 32;

  absl::Status FindInChunk(const ChunkDeviations& deviations, size_t chunk,
                           int rank, size_t i, size_t own,
                           std::vector<GlobalDeviation>* found) {
    const ChunkRow& row = measured_.a->tree().table()[chunk];
    absl::Status status = CheckRoom<GlobalDeviation>(
        found->size() + row.count, rank, options_, "deviations",
        "give it more, or ask more ranks");
    if (!status.ok()) return status;
    const auto share = [own](size_t done) {
      return static_cast<double>(done) / static_cast<double>(own);
    };
    status = deviations.Find(
        chunk, Between(share(i), share(i + 1), options_.progress), &of_chunk_);
    if (!status.ok()) return status;
    found->insert(found->end(), of_chunk_.begin(), of_chunk_.end());
    return absl::OkStatus();
  }

  const Measured& measured_;
  const HausdorffLimits& limits_;
  const DistributedOptions& options_;
  TraversalStatistics statistics_;
  std::vector<GlobalDeviation> of_chunk_;
};

}  // namespace

absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffLimits& limits, const DistributedOptions& options) {
  Communicator& ranks = a.tree.ranks();
  Measured measured;
  absl::Status status =
      Prepare("HausdorffDistance", a, b, limits, options, &measured);
  if (!status.ok()) return status;
  const absl::StatusOr<DistributedTree> target =
      DistributedTree::Replicate(ranks, *measured.target);
  if (!target.ok()) return target.status();
  // Optional, because even an empty Crew takes memory.
  std::optional<Crew> crew;
  Progress progress(options.progress, 1);
  status = RunPhase(ranks, kWhatFor, [&] {
    DistributedOptions unlimited = PartOf(options, &progress);
    unlimited.max_distance = kInfinity;
    if (options.progress) {
      measured.options->progress = [&](double share) { progress.Reach(share); };
    }
    crew.emplace(*target, unlimited);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return FarthestOfChunks(*measured.a, measured.target->bounds(), limits,
                          *measured.options, *crew);
}

absl::StatusOr<std::vector<GlobalDeviation>> DeviationField(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffLimits& limits, const DistributedOptions& options) {
  Communicator& ranks = a.tree.ranks();
  Measured measured;
  absl::Status status =
      Prepare("DeviationField", a, b, limits, options, &measured);
  if (!status.ok()) return status;
  OwnDeviations own(measured, limits, options);
  std::vector<GlobalDeviation> found;
  status = own.Find(a.tree, &found);
  if (status.ok()) {
    status = SendToHolders(ranks, a.tree.chunks(), options, kWhatFor, found);
  }
  if (status.ok()) status = ShareStatistics(ranks, own.statistics(), options);
  if (!status.ok()) return status;
  return found;
}

absl::StatusOr<GlobalSymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffLimits& limits, const DistributedOptions& options) {
  std::optional<DistributedOptions> half;
  const auto take_half = [&](double from, double to) {
    return RunPhase(a.tree.ranks(), kWhatFor, [&] {
      half.emplace(options);
      half->progress = Between(from, to, options.progress);
      return absl::OkStatus();
    });
  };
  absl::Status status = take_half(0, 0.5);
  if (!status.ok()) return status;
  const absl::StatusOr<GlobalHausdorffResult> a_to_b =
      HausdorffDistance(a, b, limits, *half);
  if (!a_to_b.ok()) return a_to_b.status();
  status = take_half(0.5, 1);
  if (!status.ok()) return status;
  const absl::StatusOr<GlobalHausdorffResult> b_to_a =
      HausdorffDistance(b, a, limits, *half);
  if (!b_to_a.ok()) return b_to_a.status();
  return GlobalSymmetricHausdorffResult{*a_to_b, *b_to_a};
}

}  // namespace orbox
