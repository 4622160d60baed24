// Closest points of many queries, several of them under way at a time: while
// one waits for memory, or for the outcome of a comparison, others go on. What
// query/batch.h does with each piece of a batch.
//
//   ClosestPointsInterleaved(tree, points, order, max_distance, results);
//
// Private. results[i] becomes ClosestPoint(tree, points[i], max_distance) for
// each i of `order`, to the last bit; requires that it was empty.
#ifndef ORBOX_BVH_QUERY_INTERNAL_INTERLEAVED_NEAREST_H_
#define ORBOX_BVH_QUERY_INTERNAL_INTERLEAVED_NEAREST_H_

#include <cstdint>
#include <optional>
#include <span>

#include "orbox/bvh/query/closest_point.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

void ClosestPointsInterleaved(const Tree& tree, std::span<const Vec3> points,
                              std::span<const uint32_t> order,
                              double max_distance,
                              std::span<std::optional<SurfacePoint>> results);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_INTERLEAVED_NEAREST_H_
