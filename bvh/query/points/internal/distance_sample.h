// SPDX-License-Identifier: Apache-2.0

// Distances of points and triangles from a target, with their precision.
// Private.
//
//   DistanceSample s = ...;                         // of a corner
//   double upper = RoughBound({s, t, u});           // of the whole triangle
#ifndef ORBOX_BVH_QUERY_POINTS_INTERNAL_DISTANCE_SAMPLE_H_
#define ORBOX_BVH_QUERY_POINTS_INTERNAL_DISTANCE_SAMPLE_H_

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point and its distance from a triangle of the target.
struct DistanceSample {
  enum class Known : uint64_t {
    kAtMost,   // upper bound of the distance from that triangle
    kNearly,   // exact except for rounding; none is nearer
    kExactly,  // correctly rounded; none is nearer
  };

  Vec3 point;
  double distance = 0;
  uint64_t triangle = 0;
  Known known = Known::kExactly;
};

using SampledCorners = std::array<DistanceSample, 3>;

// Returns an upper bound of the length of a vector.
double LengthAtMost(const Vec3& v);

inline double RoundedUp(double x) {
  return std::nextafter(x, std::numeric_limits<double>::infinity());
}

// A point of a triangle, and an upper bound of its distance. Except for
// rounding, it is the closest point.
struct PlainDistance {
  double distance;
  Vec3 on;
};
PlainDistance PlainDistanceOf(const Vec3& p, const Triangle& t);

// Returns an upper bound of the distance of p. If the result is above `enough`,
// it is the exact distance, rounded.
double DistanceAtMost(const Vec3& p, const Triangle& t, double enough);

// Returns the index of the corner at which the longest edge starts.
size_t LongestEdge(const SampledCorners& corners,
                   std::array<double, 3>& lengths);

// Returns an upper bound of the distances of all points of a triangle, from its
// edges and the distances of its corners.
ORBOX_EXPORT double RoughBound(const SampledCorners& corners);
ORBOX_EXPORT double RoughBound(const SampledCorners& corners,
                               const std::array<double, 3>& lengths,
                               double longest);

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_POINTS_INTERNAL_DISTANCE_SAMPLE_H_
