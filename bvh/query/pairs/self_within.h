// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of one mesh that are within d of each other and are not
// neighbours: cloth against itself, wall thickness, folds about to touch.
//
//   bool tight = AnySelfWithin(tree, 0.5);
//   for (const PairDistance& p : AllSelfWithin(tree, 0.5)) Report(p);  // a < b
//   auto count = CountSelfWithin(tree, 0.5, SharedCorners::kByIndex,
//                                {.threads = 4});
//   if (!count.ok()) return count.status();
//
// A pair is reported if and only if its triangles share no corner
// (shared_corners.h) and their exact distance is at most d, as a double. At a
// distance of 0, the pairs are the overlaps of triangles without a common
// corner. If d is longer than an edge, a pair may also be two triangles of one
// surface that are an edge apart. Distances are correctly rounded, and never
// above d. A negative or NaN d is not valid (query_options.h). Costs near
// O(n + pairs).
//
// Each query has a form with run options (query_options.h). AllSelfWithin and
// CountSelfWithin may use many threads (pair_overlap.h). Thread-safe.
// AllSelfWithin allocates twice the size of the result, because it sorts the
// result.
#ifndef ORBOX_BVH_QUERY_PAIRS_SELF_WITHIN_H_
#define ORBOX_BVH_QUERY_PAIRS_SELF_WITHIN_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/bvh/traverse/shared_corners.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Returns true if any pair is within `distance`. Stops at the first pair found.
// One thread.
ORBOX_EXPORT bool AnySelfWithin(
    const Tree& tree, double distance,
    SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<bool> AnySelfWithin(const Tree& tree,
                                                double distance,
                                                SharedCorners shared,
                                                const RunOptions& options);

ORBOX_EXPORT size_t
CountSelfWithin(const Tree& tree, double distance,
                SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<size_t> CountSelfWithin(const Tree& tree,
                                                    double distance,
                                                    SharedCorners shared,
                                                    const RunOptions& options);

// Returns all pairs with a < b, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> AllSelfWithin(
    const Tree& tree, double distance,
    SharedCorners shared = SharedCorners::kByPosition);
ORBOX_EXPORT absl::StatusOr<std::vector<PairDistance>> AllSelfWithin(
    const Tree& tree, double distance, SharedCorners shared,
    const RunOptions& options);

// Calls `visitor` with each pair once, with a < b, in no particular order,
// until it returns kStop. One thread.
ORBOX_EXPORT void VisitSelfWithin(const Tree& tree, double distance,
                                  SharedCorners shared,
                                  PairDistanceVisitor visitor);
ORBOX_EXPORT absl::Status VisitSelfWithin(const Tree& tree, double distance,
                                          SharedCorners shared,
                                          PairDistanceVisitor visitor,
                                          const RunOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_SELF_WITHIN_H_
