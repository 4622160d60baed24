// The last stage of the triangle tests: the same questions as
// triangle_overlap.h and triangle_distance.h, answered in exact arithmetic from
// the start. Private.
//
// Right on every finite input, and slow: microseconds to tens of microseconds,
// in which speed never decides what is written. Distances and the coordinates
// of witness points are exact values rounded once, to nearest.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_

#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/distance_bounds.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox::exact {

bool Overlaps(const Aabb& box, const Triangle& t);
bool Overlaps(const Obb& box, const Triangle& t);

// Requires a finite distance >= 0.
bool WithinDistance(const Vec3& p, const Triangle& t, double distance);

// Requires the same, and triangles that do not meet, as does their Distance: it
// looks for closest points on their boundaries only.
bool WithinDistance(const Triangle& s, const Triangle& t, double distance);

// The sign of (the distance) - `limit`, which is finite and not negative; of
// triangles that do not meet.
int CompareDistance(const Vec3& p, const Triangle& t, double limit);
int CompareDistance(const Triangle& s, const Triangle& t, double limit);

// As distance_bounds.h has them, of triangles that do not meet.
DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t);
DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t);

PointTriangleDistance Distance(const Vec3& p, const Triangle& t);

// Of several closest pairs, the first in a fixed order of features is taken:
// vertices before edges before faces.
TrianglePairDistance Distance(const Triangle& s, const Triangle& t);

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_TRIANGLES_H_
