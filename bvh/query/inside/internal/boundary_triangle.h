// SPDX-License-Identifier: Apache-2.0

// A triangle of a solid's boundary, with precomputed values for distances.
// Private.
//
//   const BoundaryTriangle t(triangle);
//   double d = t.DistanceFrom(p);       // within t.error
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_TRIANGLE_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_TRIANGLE_H_

#include <array>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/boxes/sphere_aabb.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Bound of the rounding error of about twelve operations in a row on
// coordinates up to 1.
inline constexpr double kSolidRounding = 0x1p-46;

struct ORBOX_EXPORT BoundaryTriangle {
  explicit BoundaryTriangle(const Triangle& t);

  // Returns the distance from p, with an error of at most `error`.
  double DistanceFrom(const Vec3& p) const;
  // Returns the closest point to p, as DistanceFrom measures it.
  Vec3 ClosestTo(const Vec3& p) const;

  Triangle corners;
  Aabb box;
  std::array<Vec3, 3> sides;                // from corner k to the next
  std::array<double, 3> by_squared_length;  // 0 for a side of no length
  std::array<Vec3, 3> inward;  // from side k, in the plane; 0 without a face
  Vec3 normal;                 // of length 1; 0 without a face
  double error = 0;
};

// Returns the normal of length 1. Returns 0 for a triangle that is almost a
// segment, because its normal would be too inaccurate.
ORBOX_EXPORT Vec3 NormalOf(const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_TRIANGLE_H_
