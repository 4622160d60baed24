// Feeds a sink with the triangles that meet a convex set of half-spaces: the
// part of range.h that has a loop of its own. Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_HALF_SPACE_RANGE_H_
#define ORBOX_BVH_QUERY_INTERNAL_HALF_SPACE_RANGE_H_

#include "orbox/bvh/query/internal/id_sink.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

// In no particular order. A NaN or an infinite normal makes the set empty; an
// infinite offset makes its half-space everything or nothing.
void FeedHalfSpaces(const Tree& tree, HalfSpaces set, IdSink& sink,
                    TraversalStatistics* statistics);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_HALF_SPACE_RANGE_H_
