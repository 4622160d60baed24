// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/closest_pair.h"

#include <cstddef>
#include <utility>

#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"
#include "orbox/bvh/query/pairs/internal/small_and_large.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {

std::optional<Witness> ClosestPair(const PosedTree& a, const PosedTree& b,
                                   const ClosestPairOptions& options) {
  const Execution run(options);
  run.RequireValid();
  if (const auto witness =
          ClosestOfSmallAndLarge(a, b, run.max_distance(), run)) {
    return witness;
  }
  const ClosestSearch search{.max_distance = run.max_distance(),
                             .guess = options.guess};
  return FindClosest(a, b, search, run).witness;
}

std::vector<TrianglePair> AllClosestPairs(const PosedTree& a,
                                          const PosedTree& b,
                                          const QueryOptions& options) {
  const Execution run(options);
  const std::optional<Witness> closest =
      ClosestPair(a, b, run.Alone<ClosestPairOptions>(run.max_distance()));
  if (!closest.has_value()) return {};
  if (closest->distance == 0) return OverlapSearch(run).All({a, b});
  if (closest->distance < options.max_distance) {
    if (auto pairs = PairsAtOfSmallAndLarge(a, b, closest->distance, run)) {
      return *std::move(pairs);
    }
  }
  if (const auto far = FarSearch::Between(a, b)) {
    return far->AllAt(closest->distance, run);
  }
  // The search may return pairs that are farther but round to the distance.
  std::vector<TrianglePair> ties;
  for (const PairDistance& pair :
       WithinSearch(AboveRounded(closest->distance), run).All({a, b})) {
    if (pair.distance == closest->distance) ties.push_back(pair.triangles);
  }
  return ties;
}

std::optional<BoundedDistance> ClosestPairWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const QueryOptions& options) {
  const Execution run(options);
  run.RequireValid();
  const ClosestSearch search{.max_distance = run.max_distance(),
                             .relative_error = error.relative,
                             .absolute_error = error.absolute};
  const ClosestFound found = FindClosest(a, b, search, run);
  if (!found.witness.has_value()) return std::nullopt;
  return BoundedDistance{*found.witness, found.lower};
}

absl::StatusOr<std::vector<std::optional<Witness>>> ClosestPair(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const ClosestPairOptions& options) {
  using LastPair = std::optional<TrianglePair>;
  // A pose without a guess takes up to twice as long as one with a guess.
  constexpr size_t kLeastTask = 4;
  return PoseBatch(a, poses, b, Execution(options), kLeastTask)
      .RunEachInTurn<LastPair, std::optional<Witness>>(
          [&](const PosedTree& posed, const Watch& watch, LastPair& last) {
            auto alone = watch.Alone<ClosestPairOptions>(options.max_distance);
            alone.guess = last ? last : options.guess;
            const std::optional<Witness> closest = ClosestPair(posed, b, alone);
            if (closest.has_value()) last = closest->triangles;
            return closest;
          });
}

}  // namespace orbox
