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

// The largest absolute coordinate of a box.
inline double MagnitudeOf(const Aabb& box) {
  return MaxCoordinate(Max(Abs(box.lo), Abs(box.hi)));
}

inline bool Overlap(const Aabb& a, const Aabb& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y &&
         b.lo.y <= a.hi.y && a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

inline Aabb GrownBy(const Aabb& box, double by) {
  const Vec3 v{by, by, by};
  return {box.lo - v, box.hi + v};
}

inline Aabb Intersection(const Aabb& a, const Aabb& b) {
  return {Max(a.lo, b.lo), Min(a.hi, b.hi)};
}

// Returns true also if a coordinate is NaN.
inline bool IsEmpty(const Aabb& box) {
  return !(box.lo.x <= box.hi.x && box.lo.y <= box.hi.y &&
           box.lo.z <= box.hi.z);
}

inline double SquaredDistance(const Vec3& p, const Aabb& box) {
  return SquaredNorm(Max(Max(box.lo - p, p - box.hi), Vec3{}));
}

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_BOUNDARY_TRIANGLE_H_
