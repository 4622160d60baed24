// SPDX-License-Identifier: Apache-2.0

// Options of queries: limit of the distance, statistics, threads, progress and
// cancellation.
//
//   TraversalStatistics statistics;
//   QueryOptions near{.max_distance = 2, .statistics = &statistics};
//   QueryOptions parallel{.threads = 4};
//
// The options are the last argument of every query. A query with more options
// has a separate struct, which ends with the first five fields of QueryOptions.
// `inside` is only for queries about the inside of meshes.
//
// Errors. A query that returns absl::StatusOr returns
// - kInvalidArgument if `threads` is negative, or `max_distance` is negative or
//   NaN; the message names the field;
// - kCancelled if `cancelled` became true;
// - kResourceExhausted if memory runs out.
// A query that returns a plain value has no value for a failure. It ends the
// program, with the message of that status, if `max_distance` is negative or
// NaN, or if another argument is not valid, for example a point that is not
// finite or a negative distance. It throws QueryCancelled if `cancelled` became
// true (base/query_cancelled.h), and std::bad_alloc if memory runs out. It uses
// one thread if `threads` is negative.
#ifndef ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
#define ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Options of a query.
struct QueryOptions {
  // Limit of the distance from a point or a mesh, or of t of a ray. Nothing
  // beyond the limit is found.
  double max_distance = std::numeric_limits<double>::infinity();
  // If not null, counts are added to it.
  TraversalStatistics* statistics = nullptr;
  // Number of threads of a batch or a large query; 0 means one per core. A
  // single small query uses the calling thread.
  int threads = 1;
  // Called from time to time with the fraction of the work that is done, from 0
  // to 1, never decreasing. May be called from any thread, one call at a time.
  // During a long query of a batch, it may be called with the same fraction
  // again.
  std::function<void(double)> progress;
  // The query ends soon after this becomes true, also from inside a long query.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule that decides which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
