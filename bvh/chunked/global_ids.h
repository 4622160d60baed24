// SPDX-License-Identifier: Apache-2.0

// Answers that name triangles by ids of 64 bits: those of a mesh that is kept
// in chunks (chunked_tree.h), and may have more than 2^32 triangles.
//
//   GlobalPair pair{.a = 7, .b = uint64_t{1} << 40};
//   GlobalPairDistance gap{pair, 0.25};
//
// Each is the struct of the same name without "Global", but for the ids.
#ifndef ORBOX_BVH_CHUNKED_GLOBAL_IDS_H_
#define ORBOX_BVH_CHUNKED_GLOBAL_IDS_H_

#include <compare>
#include <cstdint>

#include "orbox/overlap/base/language.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// For a mesh and itself, a < b.
struct GlobalPair {
  uint64_t a = 0;
  uint64_t b = 0;

  friend auto operator<=>(const GlobalPair&, const GlobalPair&) = default;
};

// As PairDistance (posed/triangle_pair.h).
struct GlobalPairDistance {
  GlobalPair triangles;
  double distance = 0;

  friend auto operator<=>(const GlobalPairDistance&,
                          const GlobalPairDistance&) = default;
};

// As Witness (posed/witness.h).
struct GlobalWitness {
  GlobalPair triangles;
  double distance = 0;
  Vec3 on_a;
  Vec3 on_b;
};

// As SurfacePoint (query/closest_point.h).
struct GlobalSurfacePoint {
  uint64_t triangle = 0;
  double distance = 0;
  Vec3 point;
};

// As RayHit (query/ray_hit.h).
struct GlobalRayHit {
  uint64_t triangle = 0;
  double t = 0;
  Vec3 barycentric;
  Vec3 point;
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_GLOBAL_IDS_H_
