// SPDX-License-Identifier: Apache-2.0

// Searches for pairs of triangles: overlapping, within a distance, or closest.
// All queries of two trees, and of one tree against itself, use them. Private.
//
//   std::optional<TrianglePair> any = FirstOverlap({a, b}, watch);
//   FindOverlaps({a, b}, sink, watch);                // all of them
//   bool tight = IsAnyWithin({a, b}, 0.5, watch);
//   FindWithin({posed, posed, &self_pairs, task}, 0.5, sink, watch);
//   std::optional<Witness> w = FindClosest(a, b, {}, watch);
//
// Each search is one loop in a separate file, compiled once per instruction
// set. The loops with counters are compiled only for the lowest of these sets,
// because all sets give equal counts. This header has no vector code.
#ifndef ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_SEARCH_H_
#define ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/traverse/internal/counters.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/bvh/traverse/internal/sink.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Scope of a search: two trees, or one tree against itself; either completely
// or one task of it.
struct PairScope {
  const PosedTree& a;
  const PosedTree& b;
  // If not null, `a` and `b` are the same tree, and this object knows its
  // neighbours. Each pair is then found once, with a < b.
  const SelfPairs* self = nullptr;
  PairTask task = {};
  // FindFirstOverlap searches below these nodes first. Any numbers are legal.
  NodePair first = {};
  // True if only the existence of an overlap matters. FindFirstOverlap then
  // also tests planes between leaves (separating_plane-inl.h), and does not
  // set `near`.
  bool only_whether = false;
  // For one tree: true if neighbours that overlap beyond their common corners
  // are reported.
  bool neighbours_count = true;

  static PairScope OfSelf(const PosedTree& tree, const SelfPairs& pairs) {
    return {tree, tree, &pairs, PairTask::Of(tree.tree())};
  }
};

struct FirstFound {
  // The first pair that the search finds. It depends only on the trees.
  std::optional<TrianglePair> overlap;
  // A pair of triangles in leaves that overlap, if there are such leaves.
  std::optional<TrianglePair> near;
  // The nodes that contain these leaves, if the trees have no detail trees.
  NodePair nodes;
};

ORBOX_EXPORT FirstFound FindFirstOverlap(const PairScope& scope,
                                         const Watch& watch);

inline std::optional<TrianglePair> FirstOverlap(const PairScope& scope,
                                                const Watch& watch) {
  return FindFirstOverlap(scope, watch).overlap;
}

// Returns kStop if the sink stopped the search, and kContinue otherwise.
// FindWithin does the same.
ORBOX_EXPORT Step FindOverlaps(const PairScope& scope, Sink<TrianglePair>& sink,
                               const Watch& watch);

// Require a distance that is not negative. Neighbours in one tree are not
// reported.
ORBOX_EXPORT bool IsAnyWithin(const PairScope& scope, double distance,
                              const Watch& watch);
ORBOX_EXPORT Step FindWithin(const PairScope& scope, double distance,
                             Sink<PairDistance>& sink, const Watch& watch);

struct ClosestSearch {
  // Exact limit: a pair whose distance is above it and rounds to it is not
  // found. Not negative.
  double max_distance = std::numeric_limits<double>::infinity();
  // A pair that may be close. The search starts with its distance as a bound.
  std::optional<TrianglePair> guess;
  // Allowed excess over the smallest distance: the larger one of the two.
  // Negative numbers and NaN count as 0.
  double relative_error = 0;
  double absolute_error = 0;
};

struct ClosestFound {
  // The closest pair. Among pairs at the smallest distance:
  // - if the meshes overlap, the pair of FirstOverlap;
  // - if the distance is that of the meshes' boxes, or the meshes are far apart
  //   (far_search.h), the pair found first;
  // - otherwise, if no error is allowed, the lowest pair.
  std::optional<Witness> witness;
  // Lower bound of all distances. Equal to the distance if no error is allowed.
  double lower = 0;
};

ClosestFound FindClosest(const PosedTree& a, const PosedTree& b,
                         const ClosestSearch& search, const Watch& watch);

// Returns a lower bound of the distance of the meshes, but at most `reach`.
// Returns `within` if leaves are within `within` of each other, or may be.
// Otherwise, the bound is at least 0.6 of the distance minus the size of
// leaves. If a tree has detail trees, returns `within` for any distance up to
// `reach`. Requires 0 <= within <= reach.
double RoughDistance(const PosedTree& a, const PosedTree& b, double within,
                     double reach, const Watch& watch);

// A task of a search, and the counts of its statistics.
struct SearchTask {
  PairTask task;
  StatisticsCounters::Ticket ticket;
};

// Appends about `count` tasks that together contain the pairs within
// `distance`: of two trees, or of the children of `nodes` of one tree. Adds to
// `counters` if it is not null.
void SplitPairs(const PairScope& scope, double distance,
                std::span<const uint32_t> nodes, size_t count,
                StatisticsCounters* counters, std::vector<SearchTask>* tasks);

// Passes pairs on to a sink in batches of 64.
//
//   FoundPairs<TrianglePair> found(sink);
//   if (found.Add(pair) == Step::kStop) ...
//   found.Flush();
template <typename Pair>
class FoundPairs {
 public:
  explicit FoundPairs(Sink<Pair>& sink) : sink_(sink) {}

  Step Add(const Pair& pair) {
    pairs_[count_++] = pair;
    return count_ == pairs_.size() ? Flush() : Step::kContinue;
  }

  Step Flush() {
    if (count_ == 0) return Step::kContinue;
    const size_t count = count_;
    count_ = 0;
    return sink_.Add(std::span<const Pair>(pairs_.data(), count));
  }

 private:
  Sink<Pair>& sink_;
  std::array<Pair, 64> pairs_;
  size_t count_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_SEARCH_H_
