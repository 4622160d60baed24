// SPDX-License-Identifier: Apache-2.0

// Two triangles, their distance, and their closest points.
//
//   Witness w = ...;                          // of ClosestPair, for example
//   Segment gap{w.on_a, w.on_b};
#ifndef ORBOX_BVH_POSED_WITNESS_H_
#define ORBOX_BVH_POSED_WITNESS_H_

#include <cstdint>

#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The distance is correctly rounded. The witness points on triangles a and b
// have this distance; they are rounded, so in general they are not exact.
template <typename Id>
struct ORBOX_EXPORT BasicWitness {
  BasicTrianglePair<Id> triangles;
  double distance = 0;
  Vec3 on_a;
  Vec3 on_b;
};
using Witness = BasicWitness<uint32_t>;

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_WITNESS_H_
