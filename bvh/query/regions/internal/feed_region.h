// SPDX-License-Identifier: Apache-2.0

// Passes the triangles that overlap a region to a sink: one loop for each
// shape, and one sink for each kind of query (collectors.h). Private.
#ifndef ORBOX_BVH_QUERY_REGIONS_INTERNAL_FEED_REGION_H_
#define ORBOX_BVH_QUERY_REGIONS_INTERNAL_FEED_REGION_H_

#include <cstddef>
#include <variant>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/internal/in_model.h"
#include "orbox/bvh/query/region.h"
#include "orbox/bvh/traverse/internal/sink.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

// Passes each id once, in no particular order. Requires a valid region
// (check_query.h). A half-space with an infinite offset contains everything or
// nothing.
void FeedRegion(TreeAtPose tree, const Sphere& ball, IdSink& sink,
                const Watch& watch);
void FeedRegion(TreeAtPose tree, const Aabb& box, IdSink& sink,
                const Watch& watch);
void FeedRegion(TreeAtPose tree, const Obb& box, IdSink& sink,
                const Watch& watch);
void FeedRegion(TreeAtPose tree, HalfSpaces set, IdSink& sink,
                const Watch& watch);

// Like FeedRegion, for a detail tree at any pose. Uses the exact shape of the
// region.
inline void FeedRegion(TreeAtPose tree, const BallInModel& ball, IdSink& sink,
                       const Watch& watch) {
  FeedRegion(tree, ball.ball, sink, watch);
}
void FeedRegion(TreeAtPose tree, const ConvexInModel& set, IdSink& sink,
                const Watch& watch);

// Passes the triangles of a moved mesh that overlap a region other than a ball.
void FeedMoved(const PosedTree& posed, const Region::Shape& region,
               const RegionPlanes& planes, IdSink& sink, const Watch& watch);

// Positions of regions, for the order of a batch of them.
//
//   run.RunEach<bool>(PositionsOf(regions), call);
inline Vec3 PositionOf(const Sphere& ball) { return ball.center; }
inline Vec3 PositionOf(const Aabb& box) { return box.Center(); }
inline Vec3 PositionOf(const Obb& box) { return box.center; }
// Half-spaces have no position, so they keep their order.
inline Vec3 PositionOf(HalfSpaces /*set*/) { return {}; }

// Refers to the regions.
inline auto PositionsOf(const Regions& regions) {
  return [&regions](size_t i) {
    return std::visit([](const auto& shape) { return PositionOf(shape); },
                      regions[i].shape());
  };
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_REGIONS_INTERNAL_FEED_REGION_H_
