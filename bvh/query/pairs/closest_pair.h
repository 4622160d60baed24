// SPDX-License-Identifier: Apache-2.0

// Distance of two meshes, and the points at which they are closest.
//
//   std::optional<Witness> gap = ClosestPair(a, b);      // never empty
//   gap = ClosestPair(a, b, {.max_distance = 2});        // empty beyond 2
//   gap = ClosestPair(moved, b, {.guess = gap->triangles});  // a warm start
//   std::vector<TrianglePair> ties = AllClosestPairs(a, b);
//   auto rough = ClosestPairWithError(a, b, {.relative = 0.1});
//   auto gaps = ClosestPair(arm, poses, wall, {}, {.threads = 0});  // a batch
//   if (!gaps.ok()) return gaps.status();
//
// The distance is the exact one, correctly rounded. It is 0 if and only if the
// surfaces overlap (pair_overlap.h). The witness points are on triangles a and
// b, and are that far apart except for rounding. Among pairs at equal
// distances, ClosestPair reports the lowest (a, b). There are exceptions,
// because the lowest pair can take longer to find than the distance.
// ClosestPair reports the first pair that it finds for
// - meshes that overlap,
// - meshes whose distance equals that of their boxes along an axis,
// - meshes that are more than 64 sizes apart.
// That pair depends only on the trees and poses, not on guesses, threads or
// machines.
//
// Costs near O(log n + pairs about as near as the closest), at any distance and
// scale. Costs about as much as AnyOverlap if the meshes overlap.
//
// Each query has a form with run options (query_options.h). A single query runs
// in one thread. Thread-safe; allocates a list of the pairs of nodes still to
// visit.
#ifndef ORBOX_BVH_QUERY_PAIRS_CLOSEST_PAIR_H_
#define ORBOX_BVH_QUERY_PAIRS_CLOSEST_PAIR_H_

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Limits of the search for the closest pair.
struct ClosestPairQuery {
  // Meshes that are farther apart have no closest pair. This is decided
  // exactly: a distance above the limit that rounds to it is too far. A
  // negative or NaN limit is not valid.
  double max_distance = std::numeric_limits<double>::infinity();
  // Two triangles that are probably close, such as the last result for meshes
  // that move a little. The guess does not change the result, to the last bit,
  // except which pair ClosestPairWithError reports. The closer the two
  // triangles are, the faster the search is. Ids that a mesh does not have are
  // not valid. A batch uses the guess only for its first poses.
  std::optional<TrianglePair> guess = {};
};

// Returns nothing if the meshes are farther apart than max_distance.
ORBOX_EXPORT std::optional<Witness> ClosestPair(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query = {});
ORBOX_EXPORT absl::StatusOr<std::optional<Witness>> ClosestPair(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query,
    const RunOptions& options);

// Returns all pairs whose distance, correctly rounded, is that of the meshes,
// ascending by (a, b). If the meshes overlap, these are the overlapping pairs.
ORBOX_EXPORT std::vector<TrianglePair> AllClosestPairs(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query = {});
ORBOX_EXPORT absl::StatusOr<std::vector<TrianglePair>> AllClosestPairs(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query,
    const RunOptions& options);

// Permitted error of a distance: the larger of the two values.
struct DistanceError {
  double relative = 0;  // times the smallest distance
  double absolute = 0;
};

struct BoundedDistance {
  // A pair of triangles and its distance, which is at least that of the meshes.
  // The choice of the pair depends on the trees.
  Witness nearest;
  // A lower bound of the distance of the meshes. nearest.distance exceeds it by
  // at most the permitted error.
  double lower = 0;
};

// Returns a distance within `error` of the smallest. Errors that are negative
// or NaN count as 0. Returns nothing if the meshes are farther apart than
// max_distance.
ORBOX_EXPORT std::optional<BoundedDistance> ClosestPairWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const ClosestPairQuery& query = {});
ORBOX_EXPORT absl::StatusOr<std::optional<BoundedDistance>>
ClosestPairWithError(const PosedTree& a, const PosedTree& b,
                     const DistanceError& error, const ClosestPairQuery& query,
                     const RunOptions& options);

// ClosestPair at each of many poses of `a`; pair_overlap.h describes such
// batches. The closest pair at one pose bounds the distance at the next.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<Witness>>> ClosestPair(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const ClosestPairQuery& query = {}, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_CLOSEST_PAIR_H_
