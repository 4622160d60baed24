// SPDX-License-Identifier: Apache-2.0

// What is known of distances of points and of triangles from a target. Private.
//
//   DistanceSample s = ...;                         // of a corner
//   double upper = RoughBound({s, t, u});           // of what lies between
#ifndef ORBOX_BVH_QUERY_INTERNAL_DISTANCE_SAMPLE_H_
#define ORBOX_BVH_QUERY_INTERNAL_DISTANCE_SAMPLE_H_

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point and how far it is from a triangle of the target.
struct DistanceSample {
  enum class Known : uint64_t {
    kAtMost,   // an upper bound of the distance from that triangle
    kNearly,   // the same, but for rounding, and none is nearer
    kExactly,  // correctly rounded, and none is nearer
  };

  Vec3 point;
  double distance = 0;
  uint64_t triangle = 0;
  Known known = Known::kExactly;
};

using SampledCorners = std::array<DistanceSample, 3>;

// A bound of the length of a vector from above.
double LengthAtMost(const Vec3& v);

inline double RoundedUp(double x) {
  return std::nextafter(x, std::numeric_limits<double>::infinity());
}

// A point of a triangle, and an upper bound of how far it is. But for rounding,
// it is the closest one.
struct PlainDistance {
  double distance;
  Vec3 on;
};
PlainDistance PlainDistanceOf(const Vec3& p, const Triangle& t);

// At least the distance, and no more where it is above `enough`.
double DistanceAtMost(const Vec3& p, const Triangle& t, double enough);

// The longest edge begins at the corner with this index.
size_t LongestEdge(const SampledCorners& corners,
                   std::array<double, 3>& lengths);

// What edges and distances of corners say of all points of a triangle.
ORBOX_EXPORT double RoughBound(const SampledCorners& corners);
double RoughBound(const SampledCorners& corners,
                  const std::array<double, 3>& lengths, double longest);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INTERNAL_DISTANCE_SAMPLE_H_
