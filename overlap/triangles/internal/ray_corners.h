// SPDX-License-Identifier: Apache-2.0

// A ray that passes through a corner of many triangles, the apex of a fan, hits
// them all there. The hit is computed once, instead of exactly for each
// triangle. Private.
//
//   RayCorners corners(ray);
//   for (const Triangle& t : fan) {
//     std::optional<RayTriangleHit> hit = corners.Intersect(t, max_t, counts);
//   }
//   bool alike = corners.AreHitAlike(s, t);   // CompareHits would say 0
//
// Stores the last corner that was hit exactly. A triangle with that corner is
// hit there if the ray certainly crosses its plane, because a line crosses a
// plane once. A triangle with an edge from that corner along the ray is hit
// there first.
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

  // Returns the result of Intersect (ray_triangle.h), equal in every bit.
  std::optional<RayTriangleHit> Intersect(const Triangle& triangle,
                                          double max_t,
                                          ArithmeticCounts* counts);

  // Returns true if there is a hit.
  bool Overlaps(const Triangle& triangle, double max_t,
                ArithmeticCounts* counts) {
    return AxisOfPlane(ray_, triangle) < 3
               ? orbox::Overlaps(ray_, triangle, max_t, counts)
               : Intersect(triangle, max_t, counts).has_value();
  }

  // The stored corner.
  bool knows_corner() const { return corner_.has_value(); }
  const std::optional<Vec3>& corner() const { return corner_; }

  // Returns true if Intersect may return at once, because the triangle has the
  // stored corner.
  bool MayKnow(const Triangle& t) const {
    return corner_.has_value() && PlaceOfCorner(t) < 3;
  }

  // Returns the index of the stored corner in the triangle, and 3 if the
  // triangle does not have it. Does not test where the ray hits the triangle.
  size_t PlaceOfCorner(const Triangle& t) const {
    if (t.a == *corner_) return 0;
    if (t.b == *corner_) return 1;
    return t.c == *corner_ ? 2 : 3;
  }

  // Returns the index of the stored corner, if the ray is known to hit the
  // triangle there first; 3 says nothing. Requires a stored corner.
  ORBOX_EXPORT size_t IndexOfCorner(const Triangle& t) const;

  bool IsHitThere(const Triangle& t) const {
    return MayKnow(t) && IndexOfCorner(t) < 3;
  }

  // Tests if the ray hits a corner at a parameter up to max_t. The line of the
  // ray is known to pass through the corner. Stores the corner if it is hit.
  enum class Meeting { kUndecided, kMiss, kHit };
  ORBOX_EXPORT Meeting Meet(const Vec3& corner, double max_t);

  // For a hit at the stored corner: its t, rounded; the hit of a triangle in
  // which the corner has this index; a test if t decides that the hit is up to
  // max_t, or that it is not.
  double t() const { return t_; }
  RayTriangleHit HitThere(const Triangle& t, size_t index) const {
    return HitAt(t, t_, index == 1 ? 1 : 0, index == 2 ? 1 : 0);
  }
  bool TellsUpTo(double max_t) const { return t_ != max_t || max_t_ <= max_t; }

  // Returns true if the ray is known to hit both triangles first at one corner.
  // False says nothing.
  bool AreHitAlike(const Triangle& s, const Triangle& t) const {
    return corner_.has_value() && IndexOfCorner(s) < 3 && IndexOfCorner(t) < 3;
  }

 private:
  // Stores the corner that was hit, if one was.
  ORBOX_EXPORT void Learn(const Triangle& triangle, const RayTriangleHit& hit,
                          double max_t);

  const Ray ray_;
  std::optional<Vec3> corner_;
  double t_ = 0;      // of the hit, rounded
  double max_t_ = 0;  // an upper bound of the exact t
};

// Implementation. Costs little if no corner is hit, which is nearly always.

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
  // Weights are rounded, so a weight of 1 means at a corner, or near it.
  if (hit.has_value() && MaxCoordinate(hit->barycentric) == 1) {
    Learn(triangle, *hit, max_t);
  }
  return hit;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_CORNERS_H_
