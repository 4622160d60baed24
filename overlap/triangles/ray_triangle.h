// SPDX-License-Identifier: Apache-2.0

// Does a ray, or a segment, hit a triangle, and where first?
//
//   std::optional<RayTriangleHit> hit = Intersect(ray, triangle);
//   if (hit) use(hit->t, hit->point);
//   bool blocked = Overlaps({p, q - p}, triangle, /*max_t=*/1);
//
// Whether the points origin + t * direction with 0 <= t <= max_t meet the
// closed triangle is decided as exact arithmetic on the given doubles would, so
// no ray slips between triangles that share an edge or a vertex. Rays in the
// plane of a triangle, and triangles that are segments or points, are hit at
// the first common point. Every finite input is legal; a ray whose direction is
// zero, or that is not finite, hits nothing, and so does a max_t that is
// negative or NaN. Pure and thread-safe. Costs about a tenth of a microsecond;
// one to three microseconds where an edge is hit exactly or the ray lies in the
// plane, and tens where exponents are so far apart that integers decide.
#ifndef ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_
#define ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_

#include <limits>
#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

struct RayTriangleHit {
  // The ray's parameter at the first common point; correctly rounded.
  double t = 0;
  // Its weights of the triangle's corners a, b, c: in [0, 1], with a sum of
  // exactly 1, each within 2^-51 of the exact one. Where several triples of
  // weights make the point, which only degenerate triangles have, one of them.
  Vec3 barycentric;
  // The mean of the corners by these weights: within 2^-48 of the largest of
  // their coordinates.
  Vec3 point;
};

// Hits beyond the largest double count as none.
ORBOX_EXPORT std::optional<RayTriangleHit> Intersect(
    const Ray& ray, const Triangle& triangle,
    double max_t = std::numeric_limits<double>::infinity(),
    ArithmeticCounts* counts = nullptr);

ORBOX_EXPORT bool Overlaps(
    const Ray& ray, const Triangle& triangle,
    double max_t = std::numeric_limits<double>::infinity(),
    ArithmeticCounts* counts = nullptr);

// Which of two triangles the ray hits first: negative for s, positive for t, 0
// where both are hit at the same point. Exact. Requires that it hits both.
ORBOX_EXPORT int CompareHits(const Ray& ray, const Triangle& s,
                             const Triangle& t);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_RAY_TRIANGLE_H_
