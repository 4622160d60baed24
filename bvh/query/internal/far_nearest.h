// SPDX-License-Identifier: Apache-2.0

// Which triangles are closest to a point far from the tree? Private.
//
//   if (!FindFromAfar(tree, question, sink, watch)) ...   // FarSearch
//
// Seen from afar, what tells distances apart is far below the float nearest to
// them. With the point at u L in the tree's space, u a unit vector,
//   key(c) = (|c - u L|^2 - L^2) / (2 L) = |c|^2 / (2 L) - u c
// ascends with the distance of c, and its error is that of the tree's own
// coordinates, however large L is. So floats compare volumes and triangles by
// keys, eight at a time, and what they leave is measured as from nearby.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FAR_NEAREST_H_
#define ORBOX_BVH_QUERY_INTERNAL_FAR_NEAREST_H_

#include "orbox/bvh/query/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Tells the sink of triangles among which are all that are nearest, as many as
// are wanted, to the first of the question's points, for which
// FarSearch::MayPay says yes. Up to 2^41 sizes away, or 2^35 where one triangle
// is wanted, all others are among them whose distance rounds to that of the
// last. False where more than kMostWantedTogether are wanted, or where keys of
// floats leave too many: then what the sink was told of is of no use. Takes
// O(log n).
bool FindFromAfar(const Tree& tree, const NearestQuestion& question,
                  NearestSink& sink, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FAR_NEAREST_H_
