// SPDX-License-Identifier: Apache-2.0

// Options of queries: statistics, threads, progress, cancellation, and the
// limit of the distance.
//
//   bool clash = AnyOverlap(a, b);                        // plain
//
//   absl::StatusOr<bool> found = AnyOverlap(a, b, {.cancelled = &cancelled});
//   if (!found.ok()) return found.status();               // with run options
//
//   QueryOptions near{.max_distance = 2, .statistics = &statistics};
//
// A query with RunOptions has two forms. The order of the arguments is target,
// query, options.
// - The plain form takes no options. It runs in the calling thread and cannot
//   be cancelled. If an argument is not valid, for example a distance that is
//   negative or NaN, it ends the program with the message that the status of
//   the other form has. It throws std::bad_alloc if memory runs out.
// - The form with RunOptions returns absl::StatusOr, or absl::Status if there
//   is no result. Its errors are
//   - kInvalidArgument if `threads` is negative or if another argument is not
//     valid; the message names it, and its index in a batch;
//   - kCancelled if `cancelled` became true;
//   - kResourceExhausted if memory runs out.
//   A batch has only this form.
//
// Other queries take QueryOptions, or a separate struct that ends with the
// first five fields of QueryOptions. `inside` is only for queries about the
// inside of meshes. If such a query returns absl::StatusOr, its errors are
// those above, and kInvalidArgument if `max_distance` is negative or NaN. If it
// returns a plain value, it has no value for a failure. It ends the program,
// with the message of that status, if `max_distance` is negative or NaN, or if
// another argument is not valid, for example a point that is not finite or a
// negative distance. It throws QueryCancelled if `cancelled` became true
// (base/query_cancelled.h), and std::bad_alloc if memory runs out. It uses one
// thread if `threads` is negative.
#ifndef ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
#define ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Options of how a query runs. They do not change its result.
struct RunOptions {
  // If not null, counts are added to it.
  TraversalStatistics* statistics = nullptr;
  // Largest number of threads; 0 means one per core. A small query uses the
  // calling thread.
  int threads = 1;
  // Called from time to time with the fraction of the work that is done, from 0
  // to 1, never decreasing, and at the end with 1. May be called from any
  // thread, one call at a time. May be called with a fraction again.
  std::function<void(double)> progress = {};
  // The query ends soon after this becomes true, also from inside a long query.
  const std::atomic<bool>* cancelled = nullptr;
};

// Options of a query that does not take RunOptions.
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
  std::function<void(double)> progress = {};
  // The query ends soon after this becomes true, also from inside a long query.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule that decides which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
