// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/chunked_hausdorff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/large/internal/chunk_deviations.h"
#include "orbox/bvh/large/internal/chunk_target.h"
#include "orbox/bvh/large/internal/chunked_farthest.h"
#include "orbox/bvh/query/deviation/internal/farthest_search.h"

namespace orbox {
namespace {

constexpr char kNoMemoryForDistance[] =
    "for a Hausdorff distance of chunks; allow fewer parts, or a larger "
    "tolerance";

uint64_t LowestIdOf(const ChunkedTree& tree) {
  uint64_t lowest = tree.table().front().lowest_id;
  for (const ChunkRow& row : tree.table()) {
    lowest = std::min(lowest, row.lowest_id);
  }
  return lowest;
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationsOfChunks(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits, const RunOptions& options) {
  const absl::StatusOr<ChunkedTree> target = b.tree().MovedBy(b.pose());
  if (!target.ok()) return target.status();
  const uint64_t lowest = LowestIdOf(a.tree());
  const size_t chunks = a.tree().table().size();
  const ChunkDeviations deviations(a, *target, limits, options);
  std::vector<TriangleDeviation> field(a.tree().triangle_count());
  std::vector<GlobalDeviation> own;
  for (size_t i = 0; i < chunks; ++i) {
    const auto share = [chunks](size_t done) {
      return static_cast<double>(done) / static_cast<double>(chunks);
    };
    const absl::Status status = deviations.Find(
        i, Between(share(i), share(i + 1), options.progress), &own);
    if (!status.ok()) return status;
    // Ids have no gaps, except possibly those of a damaged file.
    for (const GlobalDeviation& d : own) {
      const uint64_t place = d.triangle - lowest;
      if (place >= field.size()) continue;
      field[place] = d;
    }
  }
  if (options.progress) options.progress(1);
  return field;
}

}  // namespace

absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits, const RunOptions& options) {
  if (absl::Status s = CheckHausdorff(limits, options); !s.ok()) return s;
  return GuardMemory(
      kNoMemoryForDistance, [&]() -> absl::StatusOr<GlobalHausdorffResult> {
        const absl::StatusOr<ChunkedTree> target = b.tree().MovedBy(b.pose());
        if (!target.ok()) return target.status();
        RunOptions own = options;
        Progress progress(options.progress, 1);
        std::function<void(double)> heartbeat;
        if (options.progress) {
          own.progress = [&](double share) { progress.Reach(share); };
          heartbeat = Heartbeat(&progress);
        }
        OneProcess alone(*target, options, heartbeat);
        return FarthestOfChunks(a, target->bounds(), limits, own, alone);
      });
}

absl::StatusOr<GlobalSymmetricHausdorffResult> SymmetricHausdorffDistance(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits, const RunOptions& options) {
  RunOptions half = options;
  half.progress = Between(0, 0.5, options.progress);
  const absl::StatusOr<GlobalHausdorffResult> a_to_b =
      HausdorffDistance(a, b, limits, half);
  if (!a_to_b.ok()) return a_to_b.status();
  half.progress = Between(0.5, 1, options.progress);
  const absl::StatusOr<GlobalHausdorffResult> b_to_a =
      HausdorffDistance(b, a, limits, half);
  if (!b_to_a.ok()) return b_to_a.status();
  return GlobalSymmetricHausdorffResult{*a_to_b, *b_to_a};
}

absl::StatusOr<std::vector<TriangleDeviation>> DeviationField(
    const PosedChunkedTree& a, const PosedChunkedTree& b,
    const HausdorffLimits& limits, const RunOptions& options) {
  if (absl::Status s = CheckHausdorff(limits, options); !s.ok()) return s;
  return GuardMemory("for the deviations of all triangles; allow fewer parts",
                     [&] { return DeviationsOfChunks(a, b, limits, options); });
}

}  // namespace orbox
