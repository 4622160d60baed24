// SPDX-License-Identifier: Apache-2.0

// Options of queries: limit of the distance, statistics, threads, progress and
// cancellation.
//
//   TraversalStatistics statistics;
//   QueryOptions near{.max_distance = 2, .statistics = &statistics};
//   QueryOptions parallel{.threads = 4};
//
// The options come last in every query. A query with options of its own has a
// struct of its own, which ends with the first five fields; `inside` belongs to
// queries about the inside of meshes.
//
// Errors. A query that returns absl::StatusOr returns
// - kInvalidArgument where `threads` is negative, or `max_distance` is negative
//   or NaN; the message names the field;
// - kCancelled where `cancelled` became true;
// - kResourceExhausted where memory runs out.
// No value that a query returns stands for a failure. So a query that returns a
// plain value ends the program, with the message of that status, where
// `max_distance` is negative or NaN, or the question is not valid: a point that
// is not finite, a negative distance. It throws QueryCancelled where
// `cancelled` became true (base/query_cancelled.h), and std::bad_alloc where
// memory runs out. It uses one thread where `threads` is negative.
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
  // Nothing farther is found: distances from a point, a mesh; t of a ray.
  double max_distance = std::numeric_limits<double>::infinity();
  // Counts are added to it where it is not null.
  TraversalStatistics* statistics = nullptr;
  // Threads for a batch or a large question; 0 means one per core. A single
  // small question uses the calling thread.
  int threads = 1;
  // Called now and then with the share that is done, 0 .. 1, never falling;
  // from any thread, one call at a time. A batch calls it from inside a long
  // question as well, with the same share again.
  std::function<void(double)> progress;
  // The query ends soon once this is true, from inside a long question as well.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule that decides which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
