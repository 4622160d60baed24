// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/pair_overlap.h"

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"

namespace orbox {

bool AnyOverlap(const PosedTree& a, const PosedTree& b,
                const QueryOptions& options) {
  return OverlapSearch(options).Any({a, b});
}

size_t CountOverlaps(const PosedTree& a, const PosedTree& b,
                     const QueryOptions& options) {
  return OverlapSearch(options).Count({a, b});
}

std::vector<TrianglePair> AllOverlaps(const PosedTree& a, const PosedTree& b,
                                      const QueryOptions& options) {
  return OverlapSearch(options).All({a, b});
}

void VisitOverlaps(const PosedTree& a, const PosedTree& b, PairVisitor visitor,
                   const QueryOptions& options) {
  OverlapSearch(options).Visit({a, b}, visitor);
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<uint8_t>(
          [](const auto&... args) { return AnyOverlap(args...); });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Tree& a,
                                                  std::span<const Pose> poses,
                                                  const PosedTree& b,
                                                  const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .RunEach<size_t>(
          [](const auto&... args) { return CountOverlaps(args...); });
}

absl::StatusOr<Lists<TrianglePair>> AllOverlaps(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<TrianglePair>(
          [](const auto&... args) { return AllOverlaps(args...); });
}

}  // namespace orbox
