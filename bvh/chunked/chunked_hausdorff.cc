// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/chunked/chunked_hausdorff.h"

#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/chunked/internal/chunk_loop.h"
#include "orbox/bvh/chunked/internal/chunk_questions.h"
#include "orbox/bvh/chunked/internal/chunked_farthest.h"
#include "orbox/bvh/query/internal/farthest_search.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForDistance[] =
    "for a Hausdorff distance of chunks; allow fewer parts, or a larger "
    "tolerance";

// This process alone.
class OneProcess final : public FarthestTeam {
 public:
  OneProcess(const ChunkedTree& target, const HausdorffOptions& options)
      : target_(target), question_{SpaceAround(target.bounds())} {
    options_.statistics = options.statistics;
    options_.threads = options.threads;
    options_.cancelled = options.cancelled;
  }

  absl::Status Together(absl::FunctionRef<absl::Status()> work) override {
    return work();
  }
  absl::Status Closest(
      std::span<const DistanceQuestion> own,
      std::vector<DistanceChunkQuestion::Answer>* found) override {
    auto answers = AskChunks(target_, question_, own, options_);
    if (!answers.ok()) return answers.status();
    found->resize(own.size());
    for (size_t n = 0; n < own.size(); ++n) {
      (*found)[answers->order[n]] = answers->answers[n];
    }
    return absl::OkStatus();
  }
  absl::Status Join(const std::vector<std::byte>& own,
                    std::vector<std::byte>* all) override {
    *all = own;
    return absl::OkStatus();
  }

 private:
  const ChunkedTree& target_;
  const DistanceChunkQuestion question_;
  QueryOptions options_;
};

}  // namespace

absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options) {
  if (absl::Status s = CheckHausdorff(options); !s.ok()) return s;
  return GuardMemory(
      kNoMemoryForDistance, [&]() -> absl::StatusOr<GlobalHausdorffResult> {
        const absl::StatusOr<ChunkedTree> target = b.tree().MovedBy(b.pose());
        if (!target.ok()) return target.status();
        OneProcess alone(*target, options);
        return FarthestOfChunks(a, target->bounds(), options, alone);
      });
}

absl::StatusOr<GlobalSymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffOptions& options) {
  HausdorffOptions half = options;
  half.progress = Between(0, 0.5, options.progress);
  const absl::StatusOr<GlobalHausdorffResult> a_to_b =
      HausdorffDistance(a, b, half);
  if (!a_to_b.ok()) return a_to_b.status();
  half.progress = Between(0.5, 1, options.progress);
  const absl::StatusOr<GlobalHausdorffResult> b_to_a =
      HausdorffDistance(b, a, half);
  if (!b_to_a.ok()) return b_to_a.status();
  return GlobalSymmetricHausdorffResult{*a_to_b, *b_to_a};
}

}  // namespace orbox
