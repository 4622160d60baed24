// SPDX-License-Identifier: Apache-2.0

// Hits of a ray on triangles with a common corner, the apex of a fan. If the
// ray passes through this corner, it hits all of them there. The hit is then
// computed once, instead of exactly for each triangle. Private.
//
//   RayCorners corners(ray);
//   for (const Triangle& t : fan) {
//     std::optional<RayTriangleHit> hit = corners.Intersect(t, max_t, counts);
//   }
//   bool alike = corners.AreHitAlike(s, t);   // then CompareHits returns 0
//
// Stores the last corner that was hit exactly. Its hit is within the ray's
// limit min_t. Another triangle with this corner is hit there if the ray
// certainly crosses its plane, because a line crosses a plane only once. A
// triangle with an edge that starts at this corner and is along the ray is also
// hit there first.
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
  // Refers to the ray.
  explicit RayCorners(const Ray& ray) : ray_(ray) {}

  // Returns the result of Intersect (ray_triangle.h), equal bit for bit. All
  // functions require that max_t is at most that of the ray.
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

  // Returns true if a corner is stored; the stored corner.
  bool has_corner() const { return corner_.has_value(); }
  const std::optional<Vec3>& corner() const { return corner_; }

  // Returns true if the triangle has the stored corner. Intersect may then
  // return without a computation.
  bool HasStoredCorner(const Triangle& t) const {
    return corner_.has_value() && FindCorner(t) < 3;
  }

  // Index of the stored corner in the triangle, or 3. Compares coordinates
  // only.
  size_t FindCorner(const Triangle& t) const {
    if (t.a == *corner_) return 0;
    if (t.b == *corner_) return 1;
    return t.c == *corner_ ? 2 : 3;
  }

  // Like FindCorner, but 3 unless the ray certainly hits the triangle there
  // first. Both require a stored corner.
  ORBOX_EXPORT size_t CertainHitCorner(const Triangle& t) const;

  bool IsCertainlyHitAtCorner(const Triangle& t) const {
    return HasStoredCorner(t) && CertainHitCorner(t) < 3;
  }

  // Tests if the ray hits a corner at a parameter up to max_t. Requires that
  // the line of the ray passes through the corner. Stores the corner if it is
  // hit.
  enum class CornerHit { kUndecided, kMiss, kHit };
  ORBOX_EXPORT CornerHit TestCorner(const Vec3& corner, double max_t);

  // For a hit at the stored corner. t() returns its parameter, rounded.
  // HitAtCorner returns the hit of a triangle in which the corner has this
  // index. DecidesLimit returns true if the rounded t suffices to decide if the
  // hit is up to max_t.
  double t() const { return t_; }
  RayTriangleHit HitAtCorner(const Triangle& t, size_t index) const {
    return HitAt(t, t_, index == 1 ? 1 : 0, index == 2 ? 1 : 0);
  }
  bool DecidesLimit(double max_t) const {
    return t_ != max_t || max_t_ <= max_t;
  }

  // Returns true if the ray is known to hit both triangles first at one corner.
  // The result false means that this is not known.
  bool AreHitAlike(const Triangle& s, const Triangle& t) const {
    return corner_.has_value() && CertainHitCorner(s) < 3 &&
           CertainHitCorner(t) < 3;
  }

 private:
  // Stores the corner that was hit, if one was.
  ORBOX_EXPORT void StoreCorner(const Triangle& triangle,
                                const RayTriangleHit& hit, double max_t);

  const Ray& ray_;
  std::optional<Vec3> corner_;
  double t_ = 0;      // of the hit, rounded
  double max_t_ = 0;  // an upper bound of the exact t
};

// Implementation. The test below costs little if no corner is hit, which is
// nearly always the case.

inline std::optional<RayTriangleHit> RayCorners::Intersect(
    const Triangle& triangle, double max_t, ArithmeticCounts* counts) {
  if (corner_.has_value() && DecidesLimit(max_t)) {
    const size_t index = CertainHitCorner(triangle);
    if (index < 3) {
      Count(Arithmetic::kDouble, counts);
      if (t_ > max_t) return std::nullopt;
      return HitAtCorner(triangle, index);
    }
  }
  const auto hit = orbox::Intersect(ray_, triangle, max_t, counts);
  // Weights are rounded, so a weight of 1 means that the hit is at or near a
  // corner.
  if (hit.has_value() && MaxCoordinate(hit->barycentric) == 1) {
    StoreCorner(triangle, *hit, max_t);
  }
  return hit;
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_CORNERS_H_
