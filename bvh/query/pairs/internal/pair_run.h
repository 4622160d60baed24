// SPDX-License-Identifier: Apache-2.0

// Runs a search for pairs (pair_search.h): collects, counts or visits all
// pairs, or tests if there are any. The options give the number of threads,
// progress and cancellation. Private.
//
//   return OverlapSearch(options).All({a, b});
//   return WithinSearch(0.5, options).Count(SelfScope(tree,
//   SharedCorners::kByIndex));
//
// Large queries are divided into tasks, which depend only on the trees. So
// results and statistics do not depend on the number of threads.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_RUN_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_RUN_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/self_pairs.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/internal/valid_query.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/shared_corners.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Checks a query within a distance that returns a status.
template <typename Options>
absl::Status CheckWithin(double distance, const Options& options) {
  absl::Status status = Execution(options).Check();
  return status.ok() ? CheckDistance("distance", distance) : status;
}

// Returns the limit of a query within a distance. Requires a valid distance.
inline double LimitOf(double distance, const Execution& run) {
  Require(CheckDistance("distance", distance));
  return std::min(distance, run.max_distance());
}

template <typename Pair>
class ORBOX_EXPORT PairSearch {
 public:
  virtual ~PairSearch() = default;

  // Returns all pairs, ascending.
  std::vector<Pair> All(const PairScope& scope) const;
  size_t Count(const PairScope& scope) const;
  // Visit and Any run in the calling thread.
  void Visit(const PairScope& scope,
             absl::FunctionRef<orbox::Visit(const Pair&)> visitor) const;
  bool Any(const PairScope& scope) const;

 protected:
  // `limit` bounds the distances of the pairs that are found.
  PairSearch(double limit, const Execution& run) : limit_(limit), run_(run) {}
  double limit() const { return limit_; }

 private:
  virtual Step Find(const PairScope& scope, Sink<Pair>& sink,
                    const Watch& watch) const = 0;
  // Returns true if there is a pair in the scope.
  virtual bool IsAny(const PairScope& scope, const Watch& watch) const = 0;

  void RequireValid() const { run_.RequireValid(); }

  const double limit_;
  const Execution run_;
};

class OverlapSearch final : public PairSearch<TrianglePair> {
 public:
  template <typename Options>
  explicit OverlapSearch(const Options& options)
      : PairSearch(0, Execution(options)) {}

 private:
  Step Find(const PairScope& scope, Sink<TrianglePair>& sink,
            const Watch& watch) const override {
    return FindOverlaps(scope, sink, watch);
  }
  bool IsAny(const PairScope& scope, const Watch& watch) const override {
    PairScope existence = scope;
    existence.only_whether = true;
    return FirstOverlap(existence, watch).has_value();
  }
};

class WithinSearch final : public PairSearch<PairDistance> {
 public:
  template <typename Options>
  WithinSearch(double distance, const Options& options)
      : PairSearch(LimitOf(distance, Execution(options)), Execution(options)) {}

 private:
  Step Find(const PairScope& scope, Sink<PairDistance>& sink,
            const Watch& watch) const override {
    return FindWithin(scope, limit(), sink, watch);
  }
  bool IsAny(const PairScope& scope, const Watch& watch) const override {
    return IsAnyWithin(scope, limit(), watch);
  }
};

// Returns the result of call(search), or the error.
template <typename Call>
auto RunWithin(double distance, const RunOptions& options, Call call) {
  return WithRunOptions(
      options, CheckDistance("distance", distance),
      [&](const Execution& run) { return call(WithinSearch(distance, run)); });
}

// ClosestPair and ClosestPairWithError as parts of other queries. Require a
// valid `query`.
ORBOX_EXPORT std::optional<Witness> FindClosestPair(
    const PosedTree& a, const PosedTree& b, const ClosestPairQuery& query,
    const Watch& watch);

ORBOX_EXPORT std::optional<BoundedDistance> FindWithError(
    const PosedTree& a, const PosedTree& b, const DistanceError& error,
    const ClosestPairQuery& query, const Watch& watch);

// Scope of a tree against itself.
class SelfScope {
 public:
  SelfScope(const Tree& tree, SharedCorners shared,
            const SelfKnowledge& known = {})
      : posed_(tree), pairs_(tree.mesh(), shared, known) {}

  // The returned scope refers to this object.
  operator PairScope() const {  // NOLINT: it is one
    return PairScope::OfSelf(posed_, pairs_);
  }

 private:
  const PosedTree posed_;
  const SelfPairs pairs_;
};

// Sorts by a, then by b, and polls the workers. O(n), because ids have 32 bits.
// Allocates as much memory as the pairs have.
void SortPairs(std::vector<TrianglePair>* pairs, const Workers& workers);
// Sorts stably: equal pairs keep their order.
void SortPairs(std::vector<PairDistance>* pairs, const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_PAIR_RUN_H_
