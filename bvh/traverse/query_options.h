// SPDX-License-Identifier: Apache-2.0

// Options of queries: limit of the distance, statistics, threads, progress and
// cancellation.
//
//   TraversalStatistics statistics;
//   QueryOptions near{.max_distance = 2, .statistics = &statistics};
//   QueryOptions parallel{.threads = 4};
//
// The options are the last argument of every query. A query with options of its
// own has a struct of its own, which ends with the first five fields. `inside`
// belongs to queries about the inside of meshes.
//
// Errors. A query that returns absl::StatusOr returns
// - kInvalidArgument if `threads` is negative, or `max_distance` is negative or
//   NaN; the message names the field;
// - kCancelled if `cancelled` became true;
// - kResourceExhausted if memory runs out.
// No value that a query returns represents a failure. So a query that returns a
// plain value ends the program, with the message of that status, if
// `max_distance` is negative or NaN, or if the query is not valid: a point that
// is not finite, a negative distance. It throws QueryCancelled if `cancelled`
// became true (base/query_cancelled.h), and std::bad_alloc if memory runs out.
// It uses one thread if `threads` is negative.
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
  // Limit of distances from a point or a mesh, or of t of a ray. Nothing beyond
  // it is found.
  double max_distance = std::numeric_limits<double>::infinity();
  // Counts are added to it if it is not null.
  TraversalStatistics* statistics = nullptr;
  // Number of threads of a batch or a large query; 0 means one per core. A
  // single small query uses the calling thread.
  int threads = 1;
  // Called from time to time with the fraction that is done, 0 .. 1, never
  // falling; from any thread, one call at a time. A batch calls it from inside
  // a long query as well, with the same fraction again.
  std::function<void(double)> progress;
  // The query ends soon after this becomes true, also from inside a long query.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule that decides which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
