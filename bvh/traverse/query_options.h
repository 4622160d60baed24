// SPDX-License-Identifier: Apache-2.0

// Options of queries: statistics, threads, progress and cancellation.
//
//   bool clash = AnyOverlap(a, b);                        // plain
//
//   absl::StatusOr<bool> found = AnyOverlap(a, b, {.cancelled = &cancelled});
//   if (!found.ok()) return found.status();               // with run options
//
//   auto near = ClosestPoint(tree, p, /*max_distance=*/2, {.threads = 1});
//
// A query that takes RunOptions has two forms. The order of the arguments is
// target, query, limits and modes of the query, options. Limits and modes, such
// as a largest distance, may be left out.
// - The plain form takes no options. It runs in the calling thread and cannot
//   be cancelled. If an argument is not valid, for example a distance that is
//   negative or NaN, it ends the program with the message of the other form's
//   status. It throws std::bad_alloc if memory runs out.
// - The form with RunOptions returns absl::StatusOr, or absl::Status if there
//   is no result. Its errors are
//   - kInvalidArgument if `threads` is negative or if another argument is not
//     valid; the message names it, and its index in a batch;
//   - kCancelled if `cancelled` became true;
//   - kResourceExhausted if memory runs out.
//   A batch has only this form.
//
// Other queries have one form. They take QueryOptions, or a separate struct
// that ends with the first five fields of QueryOptions.
// - A query that returns absl::StatusOr has the errors above. It also returns
//   kInvalidArgument if `max_distance` is negative or NaN.
// - A query that returns a plain value has no value for a failure. If
//   `max_distance` or another argument is not valid, it ends the program with
//   the message of that status. It throws QueryCancelled
//   (base/query_cancelled.h) if `cancelled` became true, and std::bad_alloc if
//   memory runs out. If `threads` is negative, it uses one thread.
// `inside` is only for queries about the inside of meshes.
#ifndef ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
#define ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_

#include <atomic>
#include <functional>
#include <limits>

#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Options for running a query. They do not change its result.
struct RunOptions {
  // If not null, counts are added to it.
  TraversalStatistics* statistics = nullptr;
  // Largest number of threads; 0 means one per core. A small query uses the
  // calling thread.
  int threads = 1;
  // Called from time to time with the fraction of the work that is done, from 0
  // to 1, never decreasing, and at the end with 1. Fractions may be repeated.
  // May be called from any thread, one call at a time.
  std::function<void(double)> progress = {};
  // If not null, the query ends soon after this becomes true, even if a single
  // query takes long.
  const std::atomic<bool>* cancelled = nullptr;
};

// Options of a query that does not take RunOptions.
struct QueryOptions {
  // Limit of the distance from a point or a mesh, or of t of a ray. Nothing
  // beyond the limit is found.
  double max_distance = std::numeric_limits<double>::infinity();
  // If not null, counts are added to it.
  TraversalStatistics* statistics = nullptr;
  // Largest number of threads; 0 means one per core. A small query uses the
  // calling thread.
  int threads = 1;
  // Called from time to time with the fraction of the work that is done, from 0
  // to 1, never decreasing. Fractions may be repeated. May be called from any
  // thread, one call at a time.
  std::function<void(double)> progress = {};
  // If not null, the query ends soon after this becomes true, even if a single
  // query takes long.
  const std::atomic<bool>* cancelled = nullptr;
  // Rule that decides which points are inside a closed mesh.
  InsideRule inside = InsideRule::kWinding;
};

}  // namespace orbox

#endif  // ORBOX_BVH_TRAVERSE_QUERY_OPTIONS_H_
