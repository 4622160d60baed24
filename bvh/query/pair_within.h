// SPDX-License-Identifier: Apache-2.0

// Are two meshes within d of each other, and which of their triangles are? The
// clearance check.
//
//   bool tight = AnyWithin(a, b, 0.5);
//   for (const PairDistance& p : AllWithin(a, b, 0.5)) Report(p);
//   auto unsafe = AnyWithin(arm, poses, wall, 0.5, {.threads = 0});  // a batch
//
// Exact: a pair belongs to the answer if and only if the exact distance of its
// posed triangles is at most d, as a double. The distances reported are
// correctly rounded, and never above d. An infinite d has all pairs; one that
// is negative or NaN is not valid (query_options.h).
//
// Options are those of query_options.h; a max_distance below d takes its place.
// AllWithin and CountWithin may use many threads (pair_overlap.h). Thread-safe.
// AllWithin allocates the result, and as much again to sort it.
#ifndef ORBOX_BVH_QUERY_PAIR_WITHIN_H_
#define ORBOX_BVH_QUERY_PAIR_WITHIN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/traverse/query_options.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// Stops at the first pair found. One thread.
ORBOX_EXPORT bool AnyWithin(const PosedTree& a, const PosedTree& b,
                            double distance, const QueryOptions& options = {});

ORBOX_EXPORT size_t CountWithin(const PosedTree& a, const PosedTree& b,
                                double distance,
                                const QueryOptions& options = {});

// All pairs within `distance`, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> AllWithin(
    const PosedTree& a, const PosedTree& b, double distance,
    const QueryOptions& options = {});

// The same pair by pair, in no particular order, until the visitor stops it:
// needs no memory, however many pairs there are. One thread.
using PairDistanceVisitor = absl::FunctionRef<Visit(const PairDistance& pair)>;
ORBOX_EXPORT void VisitWithin(const PosedTree& a, const PosedTree& b,
                              double distance, PairDistanceVisitor visitor,
                              const QueryOptions& options = {});

// The same at each of many poses of `a`, as pair_overlap.h says. 1 where the
// meshes are within `distance`, and 0.
ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<size_t>> CountWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const QueryOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<PairDistance>> AllWithin(
    const Tree& a, std::span<const Pose> poses, const PosedTree& b,
    double distance, const QueryOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIR_WITHIN_H_
