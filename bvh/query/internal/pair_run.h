// SPDX-License-Identifier: Apache-2.0

// What a query does with a search for pairs (pair_search.h): all of them, how
// many, one by one, or whether there are any; as its options say, in many
// threads, with progress, until it is cancelled. Private.
//
//   return AllPairs<TrianglePair>({a, b}, 0, FindOverlaps, Execution(options));
//
// Large questions are cut into parts (pair_parts.h), which depend on the trees
// alone: answers and statistics are those of one thread. Nothing is found where
// the limit is negative or NaN.
#ifndef ORBOX_BVH_QUERY_INTERNAL_PAIR_RUN_H_
#define ORBOX_BVH_QUERY_INTERNAL_PAIR_RUN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/bvh/traverse/internal/pair_search.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

template <typename Pair>
using FindPairs = absl::FunctionRef<Step(
    const PairScope& scope, PairSink<Pair>& sink, TraversalStatistics*)>;

// Ascending. `limit` bounds the distances of the pairs that `find` finds.
template <typename Pair>
std::vector<Pair> AllPairs(const PairScope& scope, double limit,
                           FindPairs<Pair> find, const Execution& run);

template <typename Pair>
size_t CountPairs(const PairScope& scope, double limit, FindPairs<Pair> find,
                  const Execution& run);

// In the calling thread, as the next one.
template <typename Pair>
void VisitPairs(const PairScope& scope, double limit, FindPairs<Pair> find,
                absl::FunctionRef<Visit(const Pair&)> visitor,
                const Execution& run);

// `ask` says whether there is a pair in a scope.
bool AnyPair(
    const PairScope& scope, double limit,
    absl::FunctionRef<bool(const PairScope& scope, TraversalStatistics*)> ask,
    const Execution& run);

// Of queries within a distance.
inline double LimitOf(double distance, const Execution& run) {
  return std::min(distance, run.max_distance());
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_PAIR_RUN_H_
