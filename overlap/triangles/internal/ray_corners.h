// SPDX-License-Identifier: Apache-2.0

// A ray that passes through a corner of many triangles, the apex of a fan, hits
// them all there: worked out once, in place of exactly for each. Private.
//
//   RayCorners corners(ray);
//   for (const Triangle& t : fan) {
//     std::optional<RayTriangleHit> hit = corners.Intersect(t, max_t, counts);
//   }
//   bool alike = corners.AreHitAlike(s, t);   // CompareHits would say 0
//
// Remembers the last corner that was hit exactly. A triangle with that corner
// and a plane that the ray certainly crosses is hit there, since a line crosses
// a plane once; and one with an edge from there along the ray is hit there
// first.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_CORNERS_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_CORNERS_H_

#include <cstddef>
#include <optional>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_in_plane.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/ray_triangle.h"

namespace orbox {

class RayCorners {
 public:
  explicit RayCorners(const Ray& ray) : ray_(ray) {}

  // As Intersect (ray_triangle.h), to the last bit.
  std::optional<RayTriangleHit> Intersect(const Triangle& triangle,
                                          double max_t,
                                          ArithmeticCounts* counts);

  // Whether that is a hit.
  bool Overlaps(const Triangle& triangle, double max_t,
                ArithmeticCounts* counts) {
    return AxisOfPlane(ray_, triangle) < 3
               ? orbox::Overlaps(ray_, triangle, max_t, counts)
               : Intersect(triangle, max_t, counts).has_value();
  }

  // The corner that is remembered.
  bool knows_corner() const { return corner_.has_value(); }
  const std::optional<Vec3>& corner() const { return corner_; }

  // Whether Intersect may answer at once, since the triangle has the corner
  // that is remembered.
  bool MayKnow(const Triangle& t) const {
    return corner_.has_value() && PlaceOfCorner(t) < 3;
  }

  // The index that the corner that is remembered has in a triangle, and 3 if it
  // has none: wherever the ray hits that.
  size_t PlaceOfCorner(const Triangle& t) const {
    if (t.a == *corner_) return 0;
    if (t.b == *corner_) return 1;
    return t.c == *corner_ ? 2 : 3;
  }

  // The index of that corner, if the ray is known to hit the triangle there
  // first; 3 says nothing. Requires a corner that is remembered.
  ORBOX_EXPORT size_t IndexOfCorner(const Triangle& t) const;

  bool IsHitThere(const Triangle& t) const {
    return MayKnow(t) && IndexOfCorner(t) < 3;
  }

  // Whether the ray hits a corner, through which its line is known to pass, up
  // to max_t; remembers the corner if it does.
  enum class Meeting { kOpen, kMiss, kHit };
  ORBOX_EXPORT Meeting Meet(const Vec3& corner, double max_t);

  // The t of a hit there, rounded; the hit of a triangle of which that corner
  // has this index; and whether t tells if that is up to max_t.
  double t() const { return t_; }
  RayTriangleHit HitThere(const Triangle& t, size_t index) const {
    return HitAt(t, t_, index == 1 ? 1 : 0, index == 2 ? 1 : 0);
  }
  bool TellsUpTo(double max_t) const { return t_ != max_t || max_t_ <= max_t; }

  // Whether the ray is known to hit both at the same corner first. False says
  // nothing.
  bool AreHitAlike(const Triangle& s, const Triangle& t) const {
    return corner_.has_value() && IndexOfCorner(s) < 3 && IndexOfCorner(t) < 3;
  }

 private:
  // Remembers the corner that was hit, if one was.
  ORBOX_EXPORT void Learn(const Triangle& triangle, const RayTriangleHit& hit,
                          double max_t);

  const Ray ray_;
  std::optional<Vec3> corner_;
  double t_ = 0;      // where it is hit, rounded
  double max_t_ = 0;  // which the exact t is no larger than
};

// Implementation. Where no corner is hit, nearly always, this costs little.

inline std::optional<RayTriangleHit> RayCorners::Intersect(
    const Triangle& triangle, double max_t, ArithmeticCounts* counts) {
  if (corner_.has_value() && TellsUpTo(max_t)) {
    const size_t index = IndexOfCorner(triangle);
    if (index < 3) {
      Count(Arithmetic::kDouble, counts);
      if (t_ > max_t) return std::nullopt;
      return HitThere(triangle, index);
    }
  }
  const auto hit = orbox::Intersect(ray_, triangle, max_t, counts);
  // Weights are rounded: 1 is at a corner, or near it.
  if (hit.has_value() && MaxCoordinate(hit->barycentric) == 1) {
    Learn(triangle, *hit, max_t);
  }
  return hit;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_CORNERS_H_
