// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_sweep_hit.h"

#include "orbox/bvh/large/internal/sweep_traits.h"
#include "orbox/bvh/mpi/internal/rank_answers.h"

namespace orbox {
namespace {

using DistributedSweepMode = SweepChunkTraits::Mode;
using SweepAnswer = SweepChunkTraits::Answer;

SweepChunkTraits Sweeping(DistributedSweepMode mode,
                          const DistributedOptions& options) {
  return {.mode = mode, .max_distance = options.max_distance};
}

}  // namespace

absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options) {
  using Result = std::vector<uint8_t>;
  return AnswersOfRanks<Result>(
      tree, Sweeping(DistributedSweepMode::kAny, options),
      Fingerprint("AnyHit of balls"), own_balls, options,
      [](const SweepAnswer& answer, Result* result) {
        result->push_back(answer.count != 0 ? 1 : 0);
      });
}

absl::StatusOr<std::vector<uint64_t>> CountHits(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options) {
  using Result = std::vector<uint64_t>;
  return AnswersOfRanks<Result>(
      tree, Sweeping(DistributedSweepMode::kCount, options),
      Fingerprint("CountHits of balls"), own_balls, options,
      [](const SweepAnswer& answer, Result* result) {
        result->push_back(answer.count);
      });
}

absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>> ClosestHit(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options) {
  using Result = std::vector<std::optional<GlobalSweepHit>>;
  return AnswersOfRanks<Result>(
      tree, Sweeping(DistributedSweepMode::kFirst, options),
      Fingerprint("ClosestHit of balls"), own_balls, options,
      [](const SweepAnswer& answer, Result* result) {
        result->emplace_back();
        if (!answer.hits.empty()) result->back() = answer.hits.front();
      });
}

absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options) {
  using Result = Lists<GlobalSweepHit>;
  return AnswersOfRanks<Result>(
      tree, Sweeping(DistributedSweepMode::kAll, options),
      Fingerprint("AllHits of balls"), own_balls, options,
      [](const SweepAnswer& answer, Result* result) {
        AppendList<GlobalSweepHit>(answer.hits, result);
      });
}

absl::Status VisitHits(const DistributedTree& tree,
                       std::span<const SweptSphere> own_balls,
                       SweepVisitor own_visitor,
                       const DistributedOptions& options) {
  return VisitAnswersOfRanks(
      tree, Sweeping(DistributedSweepMode::kAll, options),
      Fingerprint("VisitHits of balls"), own_balls, options,
      [&](int rank, uint64_t ball, const SweepAnswer& found) {
        for (const GlobalSweepHit& hit : found.hits) {
          own_visitor(rank, ball, hit);
        }
      });
}

}  // namespace orbox
