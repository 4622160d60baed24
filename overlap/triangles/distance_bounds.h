// SPDX-License-Identifier: Apache-2.0

// The two doubles that enclose an exact distance.
//
//   DistanceInterval d = BoundsOfDistance(p, triangle);
//   if (d.lower > clearance) ...            // certainly
//   bool is_exact = d.lower == d.upper;
//
// triangle_distance.h rounds a distance to the nearest double, which may be
// above or below the exact one. Here, `lower` is the largest double that is not
// above the exact distance, and `upper` the smallest that is not below it. If
// the distance is a double, both are equal to it. Otherwise they are
// neighbours, and one of them is the rounded distance. Both are 0 if and only
// if the shapes overlap. If the distance is above the largest double, `lower`
// is the largest double, and `upper` is infinity. The bounds of squared
// distances follow these rules too. A squared distance that underflows is
// between 0 and the smallest denormal. Every finite input is legal. The result
// does not depend on the order of vertices and arguments. Pure and thread-safe.
// Costs about twice as much as a distance. Costs a few microseconds if the
// distance is a double, or is so close to one that only exact sums of doubles
// decide.
#ifndef ORBOX_OVERLAP_TRIANGLES_DISTANCE_BOUNDS_H_
#define ORBOX_OVERLAP_TRIANGLES_DISTANCE_BOUNDS_H_

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct DistanceInterval {
  double lower = 0;
  double upper = 0;

  friend bool operator==(const DistanceInterval&,
                         const DistanceInterval&) = default;
};

ORBOX_EXPORT DistanceInterval BoundsOfDistance(const Vec3& p,
                                               const Triangle& t);
ORBOX_EXPORT DistanceInterval BoundsOfDistance(const Triangle& s,
                                               const Triangle& t);

ORBOX_EXPORT DistanceInterval BoundsOfSquaredDistance(const Vec3& p,
                                                      const Triangle& t);
ORBOX_EXPORT DistanceInterval BoundsOfSquaredDistance(const Triangle& s,
                                                      const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_DISTANCE_BOUNDS_H_
