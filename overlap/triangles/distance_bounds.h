// SPDX-License-Identifier: Apache-2.0

// Between which two doubles does an exact distance lie?
//
//   DistanceInterval d = BoundsOfDistance(p, triangle);
//   if (d.lower > clearance) ...            // certainly
//   bool is_exact = d.lower == d.upper;
//
// triangle_distance.h rounds a distance to the nearest double, which may be
// above the exact one or below it. Here is what it certainly is: `lower` is the
// largest double that does not exceed the exact distance, `upper` the smallest
// that is not below it. So the two are neighbours, one of them the rounded
// distance, or both are the distance, where that is a double; both are 0 if and
// only if the shapes meet. A distance beyond the largest double lies between
// that and infinity. Squared distances likewise; these may underflow, and then
// lie between 0 and the smallest denormal. For every finite input, whatever the
// order of vertices and arguments. Pure and thread-safe. Costs about twice a
// distance, and a few microseconds where the distance is a double, or so close
// to one that only sums of doubles that lose nothing tell.
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
