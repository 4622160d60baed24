// SPDX-License-Identifier: Apache-2.0

// How far are two meshes apart, and where are they closest?
//
//   std::optional<Witness> gap = ClosestPair(a, b);      // always there
//   gap = ClosestPair(a, b, {.max_distance = 2});        // where within 2
//   gap = ClosestPair(moved, b, {.guess = gap->triangles});  // a warm start
//   std::vector<TrianglePair> ties = AllClosestPairs(a, b);
//   auto rough = ClosestPairWithError(a, b, {.relative = 0.1});
//   auto gaps = ClosestPair(arm, poses, wall, {.threads = 0});  // a batch
//
// The distance is the exact one, correctly rounded, and 0 if and only if the
// surfaces overlap (pair_overlap.h); the witness points lie on triangles a and
// b, and are that far apart but for rounding. Among pairs at the same
// distance, ClosestPair reports the lowest (a, b), unless that takes longer
// than the distance: it reports the first pair that it finds
// - of meshes that overlap,
// - of meshes whose boxes, along an axis, are as far apart as they are,
// - of meshes that are more than 64 sizes apart.
// Which pair that is depends on the trees and poses alone: not on guesses,
// threads or machines.
//
// Costs near O(log n + pairs about as near as the closest), at any distance and
// scale; about as much as AnyOverlap where the meshes overlap.
//
// Options are those of query_options.h. A question runs in one thread, a batch
// in as many as it is given. Thread-safe; allocates a list of what is left to
// visit.
#ifndef ORBOX_BVH_QUERY_CLOSEST_PAIR_H_
#define ORBOX_BVH_QUERY_CLOSEST_PAIR_H_

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

struct ClosestPairOptions {
  // The answer is the same to the last bit, and found sooner the closer these
  // two triangles are: the last answer where meshes move a little. Has to be
  // ids of the meshes. A batch takes it for its first poses.
  std::optional<TrianglePair> guess;

  // As QueryOptions has them.
  double max_distance = std::numeric_limits<double>::infinity();
  TraversalStatistics* statistics = nullptr;
  int threads = 1;
  std::function<void(double)> progress;
  const std::atomic<bool>* cancelled = nullptr;
};

// Nothing where the meshes are further apart than max_distance: exactly, so
// that a distance which only rounds to it is too far.
ORBOX_EXPORT std::optional<Witness> ClosestPair(
    const PosedTree& a, const PosedTree& b,
    const ClosestPairOptions& options = {});

// All pairs whose distance, correctly rounded, is that of the meshes, ascending
// by (a, b): those that overlap, where any do.
ORBOX_EXPORT std::vector<TrianglePair> AllClosestPairs(
    const PosedTree& a, const PosedTree& b, const QueryOptions& options = {});

// How much more than the smallest distance will do: the larger of the two.
struct DistanceError {
  double relative = 0;  // of the smallest distance
  double absolute = 0;
};

struct BoundedDistance {
  // A pair of triangles and its distance, which is no less than that of the
  // meshes. Which one depends on the trees.
  Witness nearest;
  // The meshes are at least so far apart, and nearest.distance exceeds this by
  // no more than the error that was allowed.
  double lower = 0;
};

// Errors that are negative or NaN count as 0. Nothing where the meshes are
// further apart than max_distance.
ORBOX_EXPORT std::optional<BoundedDistance> ClosestPairWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const QueryOptions& options = {});

// As ClosestPair at each of many poses of `a`, as pair_overlap.h says. The
// closest pair at one pose bounds the distance at the next.
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<Witness>>> ClosestPair(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    const ClosestPairOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_CLOSEST_PAIR_H_
