// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_overlap.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

bool AnyOverlap(const PosedTree& a, const PosedTree& b) {
  return OverlapSearch(RunOptions()).Any({a, b});
}

size_t CountOverlaps(const PosedTree& a, const PosedTree& b) {
  return OverlapSearch(RunOptions()).Count({a, b});
}

std::vector<TrianglePair> AllOverlaps(const PosedTree& a, const PosedTree& b) {
  return OverlapSearch(RunOptions()).All({a, b});
}

void VisitOverlaps(const PosedTree& a, const PosedTree& b,
                   PairVisitor visitor) {
  OverlapSearch(RunOptions()).Visit({a, b}, visitor);
}

absl::StatusOr<bool> AnyOverlap(const PosedTree& a, const PosedTree& b,
                                const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).Any({a, b});
  });
}

absl::StatusOr<size_t> CountOverlaps(const PosedTree& a, const PosedTree& b,
                                     const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).Count({a, b});
  });
}

absl::StatusOr<std::vector<TrianglePair>> AllOverlaps(
    const PosedTree& a, const PosedTree& b, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    return OverlapSearch(run).All({a, b});
  });
}

absl::Status VisitOverlaps(const PosedTree& a, const PosedTree& b,
                           PairVisitor visitor, const RunOptions& options) {
  return WithRunOptions(options, [&](const Execution& run) {
    OverlapSearch(run).Visit({a, b}, visitor);
  });
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const RunOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<uint8_t>([&](const PosedTree& posed, const Execution& run) {
        return OverlapSearch(run).Any({posed, b});
      });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Tree& a,
                                                  std::span<const Pose> poses,
                                                  const PosedTree& b,
                                                  const RunOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<size_t>([&](const PosedTree& posed, const Execution& run) {
        return OverlapSearch(run).Count({posed, b});
      });
}

absl::StatusOr<Lists<TrianglePair>> AllOverlaps(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const RunOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<TrianglePair>(
          [&](const PosedTree& posed, const Execution& run) {
            return OverlapSearch(run).All({posed, b});
          });
}

}  // namespace orbox
