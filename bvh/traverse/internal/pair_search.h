// SPDX-License-Identifier: Apache-2.0

// Searches for pairs of triangles: overlap, within a distance, closest. All
// queries of two trees, and of one against itself, are their clients. Private.
//
//   std::optional<TrianglePair> any = FirstOverlap({a, b}, watch);
//   FindOverlaps({a, b}, sink, watch);                // all of them
//   bool tight = IsAnyWithin({a, b}, 0.5, watch);
//   FindWithin({posed, posed, &self_pairs, task}, 0.5, sink, watch);
//   std::optional<Witness> w = FindClosest(a, b, {}, watch);
//
// Each is one loop, compiled once per instruction set in a file of its own. The
// loops with counters are compiled for the least of these sets alone, since all
// give equal counts. This header has no vector code.
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
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/subtree_pair.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Receives the pairs that a search finds: one virtual call a batch.
template <typename Pair>
class PairSink {
 public:
  virtual ~PairSink() = default;

  // Receives a batch of pairs: not empty, in no particular order, each pair
  // once in all batches together. A batch that stops the search is the last.
  virtual Step Add(std::span<const Pair> pairs) = 0;
};

// Scope of a search: two trees, or one against itself, all of it or a task.
struct PairScope {
  const PosedTree& a;
  const PosedTree& b;
  // If not null, `a` and `b` are one tree, and this knows its neighbours. Each
  // pair is then found once, with a < b.
  const SelfPairs* self = nullptr;
  // For two trees, only `below` is used.
  SelfTask task = {};
  // FindFirstOverlap searches below these nodes first. Any numbers are valid.
  NodePair first = {};
  // True if only the existence of an overlap matters. FindFirstOverlap then
  // also tests planes between the meshes (separating_plane-inl.h), and leaves
  // `near` empty.
  bool only_whether = false;
  // In one tree: true if neighbours that overlap beyond their common corners
  // are pairs.
  bool neighbours_count = true;

  static PairScope OfSelf(const PosedTree& tree, const SelfPairs& pairs) {
    return {tree, tree, &pairs, SelfTask::Of(tree.tree())};
  }
};

struct FirstFound {
  // First pair that the search finds. It depends on the trees alone.
  std::optional<TrianglePair> overlap;
  // A pair in leaves that overlap, if there were any.
  std::optional<TrianglePair> near;
  // The nodes of these leaves, if the trees have no detail trees.
  NodePair nodes;
};

ORBOX_EXPORT FirstFound FindFirstOverlap(const PairScope& scope,
                                         const Watch& watch);

inline std::optional<TrianglePair> FirstOverlap(const PairScope& scope,
                                                const Watch& watch) {
  return FindFirstOverlap(scope, watch).overlap;
}

// Returns kStop if the sink stopped the search; so does FindWithin.
ORBOX_EXPORT Step FindOverlaps(const PairScope& scope,
                               PairSink<TrianglePair>& sink,
                               const Watch& watch);

// Require a distance that is not negative. Neighbours in one tree are no pairs.
ORBOX_EXPORT bool IsAnyWithin(const PairScope& scope, double distance,
                              const Watch& watch);
ORBOX_EXPORT Step FindWithin(const PairScope& scope, double distance,
                             PairSink<PairDistance>& sink, const Watch& watch);

struct ClosestSearch {
  // Exact limit: a distance that only rounds to it is beyond it. Not negative.
  double max_distance = std::numeric_limits<double>::infinity();
  // A pair that may be close: the search begins with its distance as a bound.
  std::optional<TrianglePair> guess;
  // Allowed excess over the smallest distance: the larger of the two. Negative
  // or NaN counts as 0.
  double relative_error = 0;
  double absolute_error = 0;
};

struct ClosestFound {
  // The closest pair. Among pairs at the smallest distance:
  // - if the meshes overlap, the pair of FirstOverlap, or the first triangles
  //   of two copies;
  // - if the distance is that of the meshes' boxes, or the meshes are far apart
  //   (far_search.h), the pair found first;
  // - otherwise, if no error is allowed, the lowest pair.
  std::optional<Witness> witness;
  // Lower bound of all distances; the distance itself without an error.
  double lower = 0;
};

ClosestFound FindClosest(const PosedTree& a, const PosedTree& b,
                         const ClosestSearch& search, const Watch& watch);

// A task of a search, and what its statistics need of it.
struct SearchTask {
  SelfTask task;
  Counters::Ticket ticket;
};

// Appends about `count` tasks that contain the pairs within `distance`: of two
// trees, or of the children of `nodes` of one tree. Counts if `counters` is not
// null.
void SplitPairs(const PairScope& scope, double distance,
                std::span<const uint32_t> nodes, size_t count,
                Counters* counters, std::vector<SearchTask>* tasks);

// Passes pairs on to a sink in batches of 64.
//
//   FoundPairs<TrianglePair> found(sink);
//   if (found.Add(pair) == Step::kStop) ...
//   found.Flush();
template <typename Pair>
class FoundPairs {
 public:
  explicit FoundPairs(PairSink<Pair>& sink) : sink_(sink) {}

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
  PairSink<Pair>& sink_;
  std::array<Pair, 64> pairs_;
  size_t count_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_PAIR_SEARCH_H_
