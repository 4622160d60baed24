// SPDX-License-Identifier: Apache-2.0

// Results with 64-bit ids of triangles, for meshes in chunks (chunked_tree.h).
// Such meshes may have more than 2^32 triangles.
//
//   GlobalPair pair{.a = 7, .b = uint64_t{1} << 40};
//   GlobalPairDistance gap{pair, 0.25};
//
// Each struct has the members of the one without "Global" in its name; only the
// types of ids differ.
#ifndef ORBOX_BVH_LARGE_GLOBAL_IDS_H_
#define ORBOX_BVH_LARGE_GLOBAL_IDS_H_

#include <algorithm>
#include <compare>
#include <cstdint>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/base/language.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

using GlobalId = uint64_t;

// For one mesh with itself, a < b.
struct ORBOX_EXPORT GlobalPair {
  uint64_t a = 0;
  uint64_t b = 0;

  friend auto operator<=>(const GlobalPair&, const GlobalPair&) = default;
};

// See PairDistance (posed/triangle_pair.h).
struct ORBOX_EXPORT GlobalPairDistance {
  GlobalPair triangles;
  double distance = 0;

  friend auto operator<=>(const GlobalPairDistance&,
                          const GlobalPairDistance&) = default;
};

// See Witness (posed/witness.h).
struct ORBOX_EXPORT GlobalWitness {
  GlobalPair triangles;
  double distance = 0;
  Vec3 on_a;
  Vec3 on_b;
};

// See SurfacePoint (query/points/closest_point.h).
struct GlobalSurfacePoint {
  uint64_t triangle = 0;
  double distance = 0;
  Vec3 point;
};

// See RayHit (query/rays/ray_hit.h).
struct GlobalRayHit {
  uint64_t triangle = 0;
  double t = 0;
  Vec3 barycentric;
  Vec3 point;
};

// See SweepHit (query/rays/sweep_hit.h).
struct GlobalSweepHit {
  uint64_t triangle = 0;
  double earliest = 0;
  double latest = 0;
  Vec3 point;
};

// See TriangleDeviation (query/deviation/hausdorff.h).
struct GlobalDeviation {
  uint64_t triangle = 0;
  double nearest = 0;
  double farthest_lower = 0;
  double farthest_upper = 0;
};

// See HausdorffResult and SymmetricHausdorffResult
// (query/deviation/hausdorff.h).
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

#endif  // ORBOX_BVH_LARGE_GLOBAL_IDS_H_
