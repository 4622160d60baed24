// SPDX-License-Identifier: Apache-2.0

// Feeds a sink with the triangles that overlap a region: one loop for each
// shape, and one sink for each question (id_sink.h). Private.
#ifndef ORBOX_BVH_QUERY_INTERNAL_FEED_REGION_H_
#define ORBOX_BVH_QUERY_INTERNAL_FEED_REGION_H_

#include <optional>
#include <vector>

#include "orbox/bvh/query/internal/id_sink.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

// In no particular order, each id once. What is not valid feeds nothing
// (region.h). An infinite offset makes its half-space everything or nothing.
void FeedRegion(const Tree& tree, const Sphere& ball, IdSink& sink,
                const Watch& watch);
void FeedRegion(const Tree& tree, const Aabb& box, IdSink& sink,
                const Watch& watch);
void FeedRegion(const Tree& tree, const Obb& box, IdSink& sink,
                const Watch& watch);
void FeedRegion(const Tree& tree, HalfSpaces set, IdSink& sink,
                const Watch& watch);

// The half-spaces that are finite and leave something out; nothing if their
// common points are none because one is not valid, or is empty.
std::optional<std::vector<HalfSpace>> ProperHalfSpaces(HalfSpaces set);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_FEED_REGION_H_
