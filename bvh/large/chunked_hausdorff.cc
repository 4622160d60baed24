// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_hausdorff.h"

#include <utility>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_target.h"
#include "orbox/bvh/large/internal/chunked_farthest.h"
#include "orbox/bvh/query/internal/farthest_search.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForDistance[] =
    "for a Hausdorff distance of chunks; allow fewer parts, or a larger "
    "tolerance";

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
