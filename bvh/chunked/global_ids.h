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

#include <algorithm>
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

// As SweepHit (query/sweep_hit.h).
struct GlobalSweepHit {
  uint64_t triangle = 0;
  double earliest = 0;
  double latest = 0;
  Vec3 point;
};

// As TriangleDeviation (query/hausdorff.h).
struct GlobalDeviation {
  uint64_t triangle = 0;
  double nearest = 0;
  double farthest_lower = 0;
  double farthest_upper = 0;
};

// As HausdorffResult and SymmetricHausdorffResult (query/hausdorff.h).
struct GlobalHausdorffResult {
  double lower = 0;
  double upper = 0;
  uint64_t triangle_a = 0;
  Vec3 on_a;
  uint64_t triangle_b = 0;
  Vec3 on_b;
};
struct GlobalSymmetricHausdorffResult {
  GlobalHausdorffResult a_to_b;
  GlobalHausdorffResult b_to_a;

  double lower() const { return std::max(a_to_b.lower, b_to_a.lower); }
  double upper() const { return std::max(a_to_b.upper, b_to_a.upper); }
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_GLOBAL_IDS_H_
