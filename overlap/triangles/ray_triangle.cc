// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/ray_triangle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/triangles/internal/exact_ray.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/internal/ray_through_corner.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"

namespace orbox {
namespace {

bool IsProper(const Ray& ray) {
  return IsFinite(ray.origin) && IsFinite(ray.direction) &&
         ray.direction != Vec3{};
}

// The sign of (the exact t of x) - limit, or 0 where x leaves it open.
int CompareWith(const RaySolution& x, double limit) {
  if (x.t != limit) return x.t < limit ? -1 : 1;
  if (x.rest + x.slack < 0) return -1;
  return x.rest - x.slack > 0 ? 1 : 0;
}

// t may round to 0.
bool IsBehind(const CornerCrossing& c) {
  return c.way != 0 && (c.way < 0) != (c.direction < 0);
}

}  // namespace

std::optional<RayTriangleHit> Intersect(const Ray& ray,
                                        const Triangle& triangle, double max_t,
                                        ArithmeticCounts* counts) {
  if (!IsProper(ray) || !(max_t >= 0)) return std::nullopt;
  max_t = std::min(max_t, std::numeric_limits<double>::max());
  const RaySolution x = SolveRay(ray, triangle);
  const int order = x.verdict == RayVerdict::kHit ? CompareWith(x, max_t) : 0;
  if (x.verdict == RayVerdict::kMiss || order != 0) {
    Count(Arithmetic::kDouble, counts);
    if (order < 0) return HitAt(triangle, x.t, x.v, x.w);
    return std::nullopt;
  }
  const CornerCrossing at_corner = CornerCrossingOf(ray, triangle);
  if (at_corner.is_known && at_corner.t() != max_t) {
    Count(Arithmetic::kDouble, counts);
    const double t = at_corner.t();
    if (IsBehind(at_corner) || t > max_t) return std::nullopt;
    return HitAt(triangle, t, at_corner.corner == 1 ? 1 : 0,
                 at_corner.corner == 2 ? 1 : 0);
  }
  Arithmetic used = Arithmetic::kDouble;
  const auto hit = exact::Intersect(ray, triangle, max_t, &used);
  Count(used, counts);
  return hit;
}

bool Overlaps(const Ray& ray, const Triangle& triangle, double max_t,
              ArithmeticCounts* counts) {
  return Intersect(ray, triangle, max_t, counts).has_value();
}

int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t) {
  const RaySolution x = SolveRay(ray, s);
  const RaySolution y = SolveRay(ray, t);
  if (x.verdict == RayVerdict::kHit && y.verdict == RayVerdict::kHit) {
    if (x.t != y.t) return x.t < y.t ? -1 : 1;
    const double slack = (x.slack + y.slack) * (1 + 0x1p-50);
    if (std::abs(x.rest - y.rest) * (1 - 0x1p-50) > slack) {
      return x.rest < y.rest ? -1 : 1;
    }
  }
  // Copies of one triangle, of which there may be many, are hit alike.
  if (Sorted(s) == Sorted(t)) return 0;
  const CornerCrossing p = CornerCrossingOf(ray, s);
  if (p.is_known) {
    // Of one ray, the quotients have one denominator.
    const CornerCrossing q = CornerCrossingOf(ray, t);
    if (q.is_known && p.way == q.way) return 0;
    if (q.is_known) return (p.way < q.way) == (p.direction > 0) ? -1 : 1;
  }
  return exact::CompareHits(ray, s, t);
}

}  // namespace orbox
