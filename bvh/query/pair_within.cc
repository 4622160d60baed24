// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pair_within.h"

#include "orbox/bvh/query/internal/pair_run.h"
#include "orbox/bvh/query/internal/pose_batch.h"

namespace orbox {
namespace {

auto FindWithinLimit(double limit) {
  return [limit](const PairScope& scope, PairSink<PairDistance>& sink,
                 TraversalStatistics* statistics) {
    return FindWithin(scope, limit, sink, statistics);
  };
}

}  // namespace

bool AnyWithin(const PosedTree& a, const PosedTree& b, double distance,
               const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  const auto ask = [limit](const PairScope& scope, TraversalStatistics* s) {
    return IsAnyWithin(scope, limit, s);
  };
  return AnyPair({a, b}, limit, ask, run);
}

size_t CountWithin(const PosedTree& a, const PosedTree& b, double distance,
                   const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  return CountPairs<PairDistance>({a, b}, limit, FindWithinLimit(limit), run);
}

std::vector<PairDistance> AllWithin(const PosedTree& a, const PosedTree& b,
                                    double distance,
                                    const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  return AllPairs<PairDistance>({a, b}, limit, FindWithinLimit(limit), run);
}

void VisitWithin(const PosedTree& a, const PosedTree& b, double distance,
                 PairDistanceVisitor visitor, const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  VisitPairs<PairDistance>({a, b}, limit, FindWithinLimit(limit), visitor, run);
}

absl::StatusOr<std::vector<uint8_t>> AnyWithin(const Tree& a,
                                               std::span<const Pose> poses,
                                               const PosedTree& b,
                                               double distance,
                                               const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  return PoseBatch(a, poses, b, run)
      .AskEach<Nothing, uint8_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return AnyWithin(posed, b, limit, {.statistics = s}) ? 1 : 0;
          });
}

absl::StatusOr<std::vector<size_t>> CountWithin(const Tree& a,
                                                std::span<const Pose> poses,
                                                const PosedTree& b,
                                                double distance,
                                                const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  return PoseBatch(a, poses, b, run)
      .AskEach<Nothing, size_t>(
          [&](const PosedTree& posed, TraversalStatistics* s, Nothing&) {
            return CountWithin(posed, b, limit, {.statistics = s});
          });
}

absl::StatusOr<Lists<PairDistance>> AllWithin(const Tree& a,
                                              std::span<const Pose> poses,
                                              const PosedTree& b,
                                              double distance,
                                              const QueryOptions& options) {
  const Execution run(options);
  const double limit = LimitOf(distance, run);
  return PoseBatch(a, poses, b, run)
      .CollectEach<PairDistance>(
          [&](const PosedTree& posed, TraversalStatistics* s) {
            return AllWithin(posed, b, limit, {.statistics = s});
          });
}

}  // namespace orbox
