// SPDX-License-Identifier: Apache-2.0

// Clearance check: pairs of triangles of two meshes that are within d of each
// other.
//
//   bool tight = AnyWithin(a, b, 0.5);
//   for (const PairDistance& p : AllWithin(a, b, 0.5)) Report(p);
//   auto unsafe = AnyWithin(arm, poses, wall, 0.5, {.threads = 0});  // a batch
//
// A pair is reported if and only if the exact distance of its posed triangles
// is at most d, as a double. The distances reported are correctly rounded, and
// never above d. All pairs are reported if d is infinite. A negative or NaN d
// is not valid (query_options.h).
//
// Each query has a form with run options (query_options.h). AllWithin and
// CountWithin may use many threads (pair_overlap.h). Thread-safe.
// AllWithin allocates twice the size of the result, because it sorts the
// result.
#ifndef ORBOX_BVH_QUERY_PAIRS_PAIR_WITHIN_H_
#define ORBOX_BVH_QUERY_PAIRS_PAIR_WITHIN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Returns true if any pair is within `distance`. Stops at the first pair found.
// One thread.
ORBOX_EXPORT bool AnyWithin(const PosedTree& a, const PosedTree& b,
                            double distance);
ORBOX_EXPORT absl::StatusOr<bool> AnyWithin(const PosedTree& a,
                                            const PosedTree& b, double distance,
                                            const RunOptions& options);

ORBOX_EXPORT size_t CountWithin(const PosedTree& a, const PosedTree& b,
                                double distance);
ORBOX_EXPORT absl::StatusOr<size_t> CountWithin(const PosedTree& a,
                                                const PosedTree& b,
                                                double distance,
                                                const RunOptions& options);

// Returns all pairs within `distance`, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> AllWithin(const PosedTree& a,
                                                 const PosedTree& b,
                                                 double distance);
ORBOX_EXPORT absl::StatusOr<std::vector<PairDistance>> AllWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const RunOptions& options);

// Calls `visitor` with each pair within `distance`, in no particular order,
// until it returns kStop. Needs no memory, for any number of pairs. One thread.
using PairDistanceVisitor = absl::FunctionRef<Visit(const PairDistance& pair)>;
ORBOX_EXPORT void VisitWithin(const PosedTree& a, const PosedTree& b,
                              double distance, PairDistanceVisitor visitor);
ORBOX_EXPORT absl::Status VisitWithin(const PosedTree& a, const PosedTree& b,
                                      double distance,
                                      PairDistanceVisitor visitor,
                                      const RunOptions& options);

// Batches: the query at each of many poses of `a` (pair_overlap.h). AnyWithin
// returns 1 for poses at which the meshes are within `distance`, else 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const RunOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<PairDistance>> AllWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const RunOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_PAIR_WITHIN_H_
