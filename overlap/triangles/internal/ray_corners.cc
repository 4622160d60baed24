// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/ray_corners.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/ray_through_corner.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

// Returns true if the line of the ray passes through p, decided exactly.
bool PassesThrough(const Ray& ray, const Vec3& p) {
  const auto passes = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      const auto d = exact::Lift<Number>(points[0]);
      const auto way = exact::Difference<Number>(points[2], points[1]);
      return exact::IsZero(Cross(d, way), &judge);
    };
  };
  return DecideScaled<3>({ray.direction, ray.origin, p}, passes, nullptr);
}

}  // namespace

size_t RayCorners::CertainHitCorner(const Triangle& t) const {
  for (size_t i = 0; i < 3; ++i) {
    if (t[i] != *corner_) continue;
    if (CertainlyCrosses(ray_, t)) return i;
    const CornerCrossing first = CornerCrossingOf(ray_, t);
    return first.is_known && first.corner == i ? i : 3;
  }
  return 3;
}

RayCorners::CornerHit RayCorners::TestCorner(const Vec3& corner, double max_t) {
  if (corner_ == corner) {
    if (!DecidesLimit(max_t)) return CornerHit::kUndecided;
    return t_ <= max_t ? CornerHit::kHit : CornerHit::kMiss;
  }
  max_t = std::min(max_t, std::numeric_limits<double>::max());
  const CornerCrossing at = CrossingOfPoint(ray_, corner);
  // A min_t of 0 is no limit.
  const bool is_at_min = at.t == ray_.min_t && ray_.min_t > 0;
  if (!at.is_known || at.t == max_t || is_at_min) return CornerHit::kUndecided;
  if (at.is_behind() || at.t > max_t || at.t < ray_.min_t) {
    return CornerHit::kMiss;
  }
  corner_ = corner;
  t_ = at.t;
  max_t_ = max_t;
  return CornerHit::kHit;
}

void RayCorners::StoreCorner(const Triangle& triangle,
                             const RayTriangleHit& hit, double max_t) {
  for (size_t i = 0; i < 3; ++i) {
    if (hit.barycentric[i] != 1) continue;
    const CornerCrossing first = CornerCrossingOf(ray_, triangle);
    // A ray in the plane of the triangle may enter the triangle before the
    // corner.
    if (first.is_known ? first.corner == i
                       : CertainlyCrosses(ray_, triangle) &&
                             PassesThrough(ray_, triangle[i])) {
      corner_ = triangle[i];
      t_ = hit.t;
      max_t_ = max_t;
    }
  }
}

}  // namespace orbox
