// SPDX-License-Identifier: Apache-2.0

// Which triangles of a mesh are within d of each other, though they are no
// neighbours? Cloth against itself, wall thickness, folds about to touch.
//
//   bool tight = AnySelfWithin(tree, 0.5);
//   for (const PairDistance& p : AllSelfWithin(tree, 0.5)) Report(p);  // a < b
//
// A pair belongs to the answer if and only if its triangles share no corner
// (self_options.h says when a corner is shared) and their exact distance is at
// most d, as a double. So at a distance of 0 the pairs are the overlaps of
// triangles without a common corner. Triangles two edges away from each other
// on one surface count, where d is longer than an edge. Distances are correctly
// rounded, and never above d. A negative or NaN d is not valid. Near
// O(n + pairs). Options are those of self_options.h; a max_distance below d
// takes its place. AllSelfWithin and CountSelfWithin may use many threads
// (pair_overlap.h). Thread-safe; allocates the result only.
#ifndef ORBOX_BVH_QUERY_SELF_WITHIN_H_
#define ORBOX_BVH_QUERY_SELF_WITHIN_H_

#include <cstddef>
#include <vector>

#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/query/pair_within.h"
#include "orbox/bvh/traverse/self_options.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Stops at the first pair found. One thread.
ORBOX_EXPORT bool AnySelfWithin(const Tree& tree, double distance,
                                const SelfOptions& options = {});

ORBOX_EXPORT size_t CountSelfWithin(const Tree& tree, double distance,
                                    const SelfOptions& options = {});

// All pairs with a < b, ascending by (a, b).
ORBOX_EXPORT std::vector<PairDistance> AllSelfWithin(
    const Tree& tree, double distance, const SelfOptions& options = {});

// The same pair by pair, each once with a < b, in no particular order, until
// the visitor stops it. One thread.
ORBOX_EXPORT void VisitSelfWithin(const Tree& tree, double distance,
                                  PairDistanceVisitor visitor,
                                  const SelfOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_SELF_WITHIN_H_
