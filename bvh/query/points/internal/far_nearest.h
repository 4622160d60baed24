// SPDX-License-Identifier: Apache-2.0

// Triangles nearest to a point that is far from the tree. Private.
//
//   if (!FindFromAfar(tree, batch, sink, watch)) ...     // keys in double
//
// From far away, differences of distances are far below the precision of
// floats. Let the point be u L in tree space, with a unit vector u. Then
//   key(c) = (|c - u L|^2 - L^2) / (2 L) = |c|^2 / (2 L) - u c
// increases with the distance of c. Its error is that of the tree's
// coordinates, for any L. So keys in float compare volumes and triangles, eight
// at a time. The remaining candidates are measured exactly.
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_

#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Passes triangles to the sink that are near to the first point of the batch.
// They include all of the nearest ones, as many as are wanted. Requires that
// FarSearch::MayPay is true for this point. Up to 2^41 sizes away, or 2^35 if
// one triangle is wanted, they also include all triangles whose distance rounds
// to that of the last. Returns false if more than kMostWantedTogether are
// wanted, if too many candidates remain, or if a detail tree is near. Then no
// triangle is passed to the sink. O(log n).
bool FindFromAfar(const Tree& tree, const NearestBatch& batch,
                  NearestSink& sink, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_
