// SPDX-License-Identifier: Apache-2.0

// Triangles closest to a point far from the tree. Private.
//
//   if (!FindFromAfar(tree, batch, sink, watch)) ...   // FarSearch
//
// From far away, differences of distances are far below the precision of
// floats. With the point at u L in tree space, u a unit vector,
//   key(c) = (|c - u L|^2 - L^2) / (2 L) = |c|^2 / (2 L) - u c
// ascends with the distance of c. Its error is that of the tree's own
// coordinates, for any L. So floats compare volumes and triangles by keys,
// eight at a time. The triangles that are left are measured as from nearby.
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_

#include "orbox/bvh/query/points/internal/nearest_search.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

// Passes triangles to the sink that include all nearest ones, as many as are
// wanted, to the first point of the question. Requires that FarSearch::MayPay
// is true for this point. Up to 2^41 sizes away, or 2^35 if one triangle is
// wanted, the triangles also include all others whose distance rounds to that
// of the last. Returns false if more than kMostWantedTogether are wanted, or if
// keys of floats leave too many triangles. Then the triangles passed to the
// sink are useless. O(log n).
bool FindFromAfar(const Tree& tree, const NearestBatch& batch,
                  NearestSink& sink, const Watch& watch);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_FAR_NEAREST_H_
