// SPDX-License-Identifier: Apache-2.0

// Two triangles, how far they are apart, and where.
//
//   Witness w = ...;                          // of ClosestPair, for example
//   Segment gap{w.on_a, w.on_b};
#ifndef ORBOX_BVH_POSED_WITNESS_H_
#define ORBOX_BVH_POSED_WITNESS_H_

#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// The witness points lie on triangles a and b, at the distance, which is
// correctly rounded; they are not, in general, exact.
struct Witness {
  TrianglePair triangles;
  double distance = 0;
  Vec3 on_a;
  Vec3 on_b;
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_WITNESS_H_
