// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pair_overlap.h"

#include "orbox/bvh/query/internal/pair_run.h"
#include "orbox/bvh/query/internal/pose_batch.h"

namespace orbox {

bool AnyOverlap(const PosedTree& a, const PosedTree& b,
                const QueryOptions& options) {
  const auto ask = [](const PairScope& scope, TraversalStatistics* s) {
    return FirstOverlap(scope, s).has_value();
  };
  return AnyPair({a, b}, 0, ask, Execution(options));
}

size_t CountOverlaps(const PosedTree& a, const PosedTree& b,
                     const QueryOptions& options) {
  return CountPairs<TrianglePair>({a, b}, 0, FindOverlaps, Execution(options));
}

std::vector<TrianglePair> AllOverlaps(const PosedTree& a, const PosedTree& b,
                                      const QueryOptions& options) {
  return AllPairs<TrianglePair>({a, b}, 0, FindOverlaps, Execution(options));
}

void VisitOverlaps(const PosedTree& a, const PosedTree& b, PairVisitor visitor,
                   const QueryOptions& options) {
  VisitPairs<TrianglePair>({a, b}, 0, FindOverlaps, visitor,
                           Execution(options));
}

absl::StatusOr<std::vector<uint8_t>> AnyOverlap(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .AskEach<Nothing, uint8_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return FirstOverlap({posed, b}, s) ? 1 : 0;
          });
}

absl::StatusOr<std::vector<size_t>> CountOverlaps(const Tree& a,
                                                  std::span<const Pose> poses,
                                                  const PosedTree& b,
                                                  const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .AskEach<Nothing, size_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return CountOverlaps(posed, b, {.statistics = s});
          });
}

absl::StatusOr<Lists<TrianglePair>> AllOverlaps(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                const QueryOptions& options) {
  return PoseBatch(a, poses, b, Execution(options))
      .CollectEach<TrianglePair>(
          [&](const PosedTree& posed, TraversalStatistics* s) {
            return AllOverlaps(posed, b, {.statistics = s});
          });
}

}  // namespace orbox
