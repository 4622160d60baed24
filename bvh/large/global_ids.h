// SPDX-License-Identifier: Apache-2.0

// Results with 64-bit ids of triangles, for meshes in chunks (chunked_tree.h).
// Such meshes may have more than 2^32 triangles.
//
//   GlobalPair pair{.a = 7, .b = uint64_t{1} << 40};
//   GlobalPairDistance gap{pair, 0.25};
#ifndef ORBOX_BVH_LARGE_GLOBAL_IDS_H_
#define ORBOX_BVH_LARGE_GLOBAL_IDS_H_

#include <cstdint>

#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/posed/witness.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "orbox/bvh/query/rays/sweep_hit.h"

namespace orbox {

using GlobalId = uint64_t;

using GlobalPair = BasicTrianglePair<GlobalId>;
using GlobalPairDistance = BasicPairDistance<GlobalId>;
using GlobalWitness = BasicWitness<GlobalId>;
using GlobalSelfContact = BasicSelfContact<GlobalId>;
using GlobalSurfacePoint = BasicSurfacePoint<GlobalId>;
using GlobalRayHit = BasicRayHit<GlobalId>;
using GlobalSweepHit = BasicSweepHit<GlobalId>;
using GlobalHausdorffResult = BasicHausdorffResult<GlobalId>;
using GlobalSymmetricHausdorffResult = BasicSymmetricHausdorffResult<GlobalId>;

// The deviation of a triangle (query/deviation/hausdorff.h).
struct GlobalDeviation : TriangleDeviation {
  GlobalId triangle = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_GLOBAL_IDS_H_
