// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_hausdorff.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orbox/bvh/chunked/internal/chunked_farthest.h"
#include "orbox/bvh/mpi/internal/byte_join.h"
#include "orbox/bvh/mpi/internal/owner_loop.h"
#include "orbox/bvh/query/internal/farthest_search.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {

namespace {

constexpr char kWhatFor[] = "for a Hausdorff distance";

// All ranks.
class Crew final : public FarthestTeam {
 public:
  Crew(const DistributedTree& target, const DistributedOptions& options)
      : target_(target),
        ranks_(target.ranks()),
        question_{SpaceAround(target.chunks().bounds())},
        options_(options) {
    options_.progress = nullptr;  // it takes several questions
  }

  size_t size() const override { return static_cast<size_t>(ranks_.size()); }
  size_t number() const override { return static_cast<size_t>(ranks_.rank()); }
  uint64_t memory() const override { return options_.memory; }

  absl::Status Together(absl::FunctionRef<absl::Status()> work) override {
    return RunPhase(ranks_, kWhatFor, work);
  }
  absl::Status Closest(
      std::span<const DistanceQuestion> own,
      std::vector<DistanceChunkQuestion::Answer>* found) override {
    const absl::Status status = RunPhase(ranks_, kWhatFor, [&] {
      found->clear();
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return AskOwners(target_, question_, Fingerprint("HausdorffDistance"), own,
                     options_, found);
  }
  absl::Status Join(const std::vector<std::byte>& own,
                    std::vector<std::byte>* all) override {
    return join_.Run(ranks_, own, kWhatFor, all);
  }

 private:
  const DistributedTree& target_;
  Communicator& ranks_;
  const DistanceChunkQuestion question_;
  DistributedOptions options_;
  ByteJoin join_;
};

// What is asked of all ranks is asked of them alike.
absl::Status AgreeOnArguments(const PosedDistributedTree& a,
                              const PosedDistributedTree& b,
                              const HausdorffOptions& goal,
                              const DistributedOptions& options) {
  Fingerprint of("HausdorffDistance");
  of.Add(a.tree.chunks()).Add(a.pose).Add(b.tree.chunks()).Add(b.pose);
  of.Add(uint64_t{goal.tolerance.has_value()});
  of.Add(goal.tolerance.value_or(0)).Add(goal.relative_tolerance);
  of.Add(uint64_t{goal.max_parts}).Add(options);
  return a.tree.ranks().AgreeOn(of.value(), "the arguments");
}

}  // namespace

absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffOptions& goal, const DistributedOptions& options) {
  Communicator& ranks = a.tree.ranks();
  absl::Status status = AgreeOnArguments(a, b, goal, options);
  if (!status.ok()) return status;
  std::optional<HausdorffOptions> own;
  std::optional<PosedChunkedTree> posed_a;
  std::optional<ChunkedTree> moved_b;
  status = RunPhase(ranks, kWhatFor, [&]() -> absl::Status {
    if (&b.tree.ranks() != &ranks) {
      return absl::InvalidArgumentError(
          "the trees have different communicators");
    }
    own.emplace();
    own->tolerance = goal.tolerance;
    own->relative_tolerance = goal.relative_tolerance;
    own->max_parts = goal.max_parts;
    own->max_distance = options.max_distance;
    own->progress = options.progress;
    own->cancelled = options.cancelled;
    if (absl::Status s = CheckHausdorff(*own); !s.ok()) return s;
    absl::StatusOr<PosedChunkedTree> of_a =
        PosedChunkedTree::Create(a.tree.chunks(), a.pose);
    if (!of_a.ok()) return of_a.status();
    posed_a.emplace(*std::move(of_a));
    absl::StatusOr<ChunkedTree> of_b = b.tree.chunks().MovedBy(b.pose);
    if (of_b.ok()) moved_b.emplace(*std::move(of_b));
    return of_b.status();
  });
  if (!status.ok()) return status;
  const absl::StatusOr<DistributedTree> target =
      DistributedTree::Replicate(ranks, *moved_b);
  if (!target.ok()) return target.status();
  // Empty ones take memory, too.
  std::optional<Crew> crew;
  DistributedOptions unlimited;
  status = RunPhase(ranks, kWhatFor, [&] {
    unlimited = options;
    unlimited.max_distance = kInfinity;
    crew.emplace(*target, unlimited);
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return FarthestOfChunks(*posed_a, moved_b->bounds(), *own, *crew);
}

absl::StatusOr<GlobalSymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffOptions& goal, const DistributedOptions& options) {
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
      HausdorffDistance(a, b, goal, *half);
  if (!a_to_b.ok()) return a_to_b.status();
  status = take_half(0.5, 1);
  if (!status.ok()) return status;
  const absl::StatusOr<GlobalHausdorffResult> b_to_a =
      HausdorffDistance(b, a, goal, *half);
  if (!b_to_a.ok()) return b_to_a.status();
  return GlobalSymmetricHausdorffResult{*a_to_b, *b_to_a};
}

}  // namespace orbox
