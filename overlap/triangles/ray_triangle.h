// SPDX-License-Identifier: Apache-2.0

// First hit of a ray or a segment and a triangle.
//
//   std::optional<RayTriangleHit> hit = Intersect(ray, triangle);
//   if (hit) use(hit->t, hit->point);
//   bool blocked = Overlaps(Ray{p, q - p, 0, 1}, triangle);
//
// Finds the first common point of the closed triangle and the points origin + t
// * direction with t >= 0. It is a hit if ray.min_t <= t <= ray.max_t. The
// argument max_t is a further upper limit, for searches. The result is that of
// exact arithmetic on the given doubles, so no ray slips between triangles that
// share an edge or a vertex. If the ray is in the plane of the triangle, or if
// the triangle is a segment or a point, the hit is the first common point.
// Every finite input is legal. A ray whose direction is zero, or that is not
// finite, hits nothing; neither does any ray if an upper limit is negative or
// NaN. A min_t that is negative or NaN is no limit. A triangle in the plane of
// the ray, hit before min_t, is not hit again later. Pure and thread-safe.
// Costs about a tenth of a microsecond. Costs one to three microseconds if an
// edge is hit exactly or the ray is in the plane, and tens of microseconds if
// exponents differ so much that integers must decide.
#ifndef ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_
#define ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_

#include <limits>
#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct RayTriangleHit {
  // The ray's parameter at the first common point, correctly rounded.
  double t = 0;
  // The weights of the triangle's corners a, b, c at that point. Each is in [0,
  // 1] and within 2^-51 of the exact one, and their sum is exactly 1. In a
  // degenerate triangle, several triples of weights may give the point. Then
  // this is one of them.
  Vec3 barycentric;
  // The mean of the corners with these weights. Its error is at most 2^-48 of
  // the largest coordinate of the corners.
  Vec3 point;
};

// Hits with a parameter above the largest double are not reported.
ORBOX_EXPORT std::optional<RayTriangleHit> Intersect(
    const Ray& ray, const Triangle& triangle,
    double max_t = std::numeric_limits<double>::infinity(),
    ArithmeticCounts* counts = nullptr);

ORBOX_EXPORT bool Overlaps(
    const Ray& ray, const Triangle& triangle,
    double max_t = std::numeric_limits<double>::infinity(),
    ArithmeticCounts* counts = nullptr);

// Compares the hits of the ray on two triangles: negative if s is hit first,
// positive if t is, 0 if both are hit at one point. Exact. Requires that the
// ray hits both.
ORBOX_EXPORT int CompareHits(const Ray& ray, const Triangle& s,
                             const Triangle& t);

// Compares the t of the hit with a number: returns the sign of their
// difference. Exact. `hit` is the result of Intersect without limits of t.
ORBOX_EXPORT int CompareHit(const Ray& ray, const Triangle& triangle,
                            const RayTriangleHit& hit, double t);

// Returns 1 if the line of the ray leaves through the front of the triangle,
// the side from which the corners are counterclockwise, -1 if it enters through
// the front, and 0 if it does not cross. Exact and without special cases, as in
// axis_crossing.h: the line is moved aside by infinitely little, by the same
// for all triangles, so that it touches no edge and no corner. The sum of the
// signs of the triangles that a ray hits at one point of a closed surface is
// the change of the winding number there, negated. Degenerate triangles and
// those parallel to the ray are not crossed. Ignores the limits of the ray.
ORBOX_EXPORT int CrossingSign(const Ray& ray, const Triangle& triangle);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_
