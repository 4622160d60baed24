// SPDX-License-Identifier: Apache-2.0

// Positions of regions, for the order of a batch of them. Private.
//
//   run.RunEach<bool>(PositionsOf(regions), call);
#ifndef ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_POSITIONS_H_
#define ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_POSITIONS_H_

#include <cstddef>
#include <variant>

#include "orbox/bvh/query/region.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"

namespace orbox {

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

#endif  // ORBOX_BVH_QUERY_REGIONS_INTERNAL_REGION_POSITIONS_H_
