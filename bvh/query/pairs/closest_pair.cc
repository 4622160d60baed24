// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/closest_pair.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/pairs/internal/pose_batch.h"
#include "orbox/bvh/query/pairs/internal/small_and_large.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/far_search.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/internal/rounding.h"

namespace orbox {
namespace {

absl::Status CheckQuery(const Tree& a, const Tree& b,
                        const ClosestPairQuery& query) {
  if (query.guess.has_value() &&
      (query.guess->a >= a.mesh().triangle_count() ||
       query.guess->b >= b.mesh().triangle_count())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "guess is (", query.guess->a, ", ", query.guess->b,
        "), but there are no such triangles; give those of an earlier result"));
  }
  return CheckDistance("max_distance", query.max_distance);
}

std::vector<TrianglePair> FindAllClosest(const PosedTree& a, const PosedTree& b,
                                         const ClosestPairQuery& query,
                                         const Execution& run) {
  const std::optional<Witness> closest = FindClosestPair(a, b, query, run);
  if (!closest.has_value()) return {};
  if (closest->distance == 0) return OverlapSearch(run).All({a, b});
  if (closest->distance < query.max_distance) {
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

}  // namespace

std::optional<BoundedDistance> FindWithError(const PosedTree& a,
                                             const PosedTree& b,
                                             const DistanceError& error,
                                             const ClosestPairQuery& query,
                                             const Watch& watch) {
  const ClosestSearch search{.max_distance = query.max_distance,
                             .guess = query.guess,
                             .relative_error = error.relative,
                             .absolute_error = error.absolute};
  const ClosestFound found = FindClosest(a, b, search, watch);
  if (!found.witness.has_value()) return std::nullopt;
  return BoundedDistance{*found.witness, found.lower};
}

std::optional<Witness> FindClosestPair(const PosedTree& a, const PosedTree& b,
                                       const ClosestPairQuery& query,
                                       const Watch& watch) {
  if (const auto witness =
          ClosestOfSmallAndLarge(a, b, query.max_distance, watch)) {
    return witness;
  }
  const ClosestSearch search{.max_distance = query.max_distance,
                             .guess = query.guess};
  return FindClosest(a, b, search, watch).witness;
}

std::optional<Witness> ClosestPair(const PosedTree& a, const PosedTree& b,
                                   const ClosestPairQuery& query) {
  Require(CheckQuery(a.tree(), b.tree(), query));
  return FindClosestPair(a, b, query, Watch());
}

std::vector<TrianglePair> AllClosestPairs(const PosedTree& a,
                                          const PosedTree& b,
                                          const ClosestPairQuery& query) {
  Require(CheckQuery(a.tree(), b.tree(), query));
  return FindAllClosest(a, b, query, Execution(RunOptions()));
}

std::optional<BoundedDistance> ClosestPairWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const ClosestPairQuery& query) {
  Require(CheckQuery(a.tree(), b.tree(), query));
  return FindWithError(a, b, error, query, Watch());
}

absl::StatusOr<std::optional<Witness>> ClosestPair(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query,
    const RunOptions& options) {
  return WithRunOptions(
      options, CheckQuery(a.tree(), b.tree(), query),
      [&](const Execution& run) { return FindClosestPair(a, b, query, run); });
}

absl::StatusOr<std::vector<TrianglePair>> AllClosestPairs(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query,
    const RunOptions& options) {
  return WithRunOptions(
      options, CheckQuery(a.tree(), b.tree(), query),
      [&](const Execution& run) { return FindAllClosest(a, b, query, run); });
}

absl::StatusOr<std::optional<BoundedDistance>> ClosestPairWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const ClosestPairQuery& query, const RunOptions& options) {
  return WithRunOptions(options, CheckQuery(a.tree(), b.tree(), query),
                        [&](const Execution& run) {
                          return FindWithError(a, b, error, query, run);
                        });
}

absl::StatusOr<std::vector<std::optional<Witness>>> ClosestPair(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const ClosestPairQuery& query, const RunOptions& options) {
  if (absl::Status s = CheckQuery(a, b.tree(), query); !s.ok()) return s;
  using LastPair = std::optional<TrianglePair>;
  // A pose without a guess takes up to twice as long as one with a guess.
  constexpr size_t kLeastTask = 4;
  return PoseBatch(a, poses, b, Execution(options), kLeastTask)
      .RunEachInTurn<LastPair, std::optional<Witness>>(
          [&](const PosedTree& posed, const Watch& watch, LastPair& last) {
            ClosestPairQuery alone = query;
            if (last.has_value()) alone.guess = last;
            auto closest = FindClosestPair(posed, b, alone, watch);
            if (closest.has_value()) last = closest->triangles;
            return closest;
          });
}

}  // namespace orbox
