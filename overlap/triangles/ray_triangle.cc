// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/ray_triangle.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/overlap/triangles/internal/exact_ray.h"
#include "orbox/overlap/triangles/internal/ray_in_plane.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/internal/ray_through_corner.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"

namespace orbox {
namespace {

bool IsProper(const Ray& ray) {
  return IsFinite(ray.origin) && IsFinite(ray.direction) &&
         ray.direction != Vec3{};
}

// Returns the lower limit, or NaN if one of them is NaN.
double LowerLimit(double x, double y) { return std::isnan(x) || x < y ? x : y; }

// Returns the sign of (the exact t of x) - limit. Returns 0 if x does not
// decide it.
int CompareWith(const RaySolution& x, double limit) {
  if (x.t != limit) return x.t < limit ? -1 : 1;
  if (x.rest + x.slack < 0) return -1;
  return x.rest - x.slack > 0 ? 1 : 0;
}

// Returns the hit up to max_t that x describes. Returns nullopt if x does not
// decide it.
std::optional<std::optional<RayTriangleHit>> AnswerOf(const RaySolution& x,
                                                      const Triangle& triangle,
                                                      double max_t) {
  const int order = x.verdict == RayVerdict::kHit ? CompareWith(x, max_t) : 0;
  if (order < 0) return HitAt(triangle, x.t, x.v, x.w);
  if (order > 0 || x.verdict == RayVerdict::kMiss) {
    return std::optional<RayTriangleHit>();
  }
  return std::nullopt;
}

// Returns the order of two hits. Returns nullopt if the solutions do not decide
// it.
std::optional<int> Compare(const RaySolution& x, const RaySolution& y) {
  if (x.verdict != RayVerdict::kHit || y.verdict != RayVerdict::kHit) {
    return std::nullopt;
  }
  if (x.t != y.t) return x.t < y.t ? -1 : 1;
  const double slack = (x.slack + y.slack) * (1 + 0x1p-50);
  if (std::abs(x.rest - y.rest) * (1 - 0x1p-50) > slack) {
    return x.rest < y.rest ? -1 : 1;
  }
  return std::nullopt;
}

// Intersect without the limits of the ray.
std::optional<RayTriangleHit> IntersectFromOrigin(const Ray& ray,
                                                  const Triangle& triangle,
                                                  double max_t,
                                                  ArithmeticCounts* counts) {
  if (!IsProper(ray) || !(max_t >= 0)) return std::nullopt;
  max_t = std::min(max_t, std::numeric_limits<double>::max());
  const size_t axis = AxisOfPlane(ray, triangle);
  const auto answer = axis < 3
                          ? IntersectInPlane(ray, triangle, axis, max_t)
                          : AnswerOf(SolveRay(ray, triangle), triangle, max_t);
  if (answer.has_value()) {
    Count(Arithmetic::kDouble, counts);
    return *answer;
  }
  // After rescaling, products neither underflow nor overflow. t does not
  // change.
  const auto scaled = Rescaled<5>(
      {ray.direction, ray.origin, triangle.a, triangle.b, triangle.c});
  if (scaled.has_value()) {
    const auto hit = IntersectFromOrigin({(*scaled)[1], (*scaled)[0]},
                                         scaled->At(2), max_t, counts);
    if (!hit.has_value()) return std::nullopt;
    return HitAt(triangle, hit->t, hit->barycentric.y, hit->barycentric.z);
  }
  const CornerCrossing at_corner = CornerCrossingOf(ray, triangle);
  if (at_corner.is_known && at_corner.t != max_t) {
    Count(Arithmetic::kDouble, counts);
    if (at_corner.is_behind() || at_corner.t > max_t) return std::nullopt;
    return HitAt(triangle, at_corner.t, at_corner.corner == 1 ? 1 : 0,
                 at_corner.corner == 2 ? 1 : 0);
  }
  if (axis == 3) {
    const auto closely =
        AnswerOf(SolveRayClosely(ray, triangle), triangle, max_t);
    if (closely.has_value()) {
      Count(Arithmetic::kDouble, counts);
      return *closely;
    }
  }
  Arithmetic used = Arithmetic::kDouble;
  const auto hit = exact::Intersect(ray, triangle, max_t, &used);
  Count(used, counts);
  return hit;
}

}  // namespace

std::optional<RayTriangleHit> Intersect(const Ray& ray,
                                        const Triangle& triangle, double max_t,
                                        ArithmeticCounts* counts) {
  if (!(max_t <= ray.max_t)) max_t = LowerLimit(max_t, ray.max_t);
  auto hit = IntersectFromOrigin(ray, triangle, max_t, counts);
  if (ray.min_t > 0 && hit.has_value() &&
      CompareHit(ray, triangle, *hit, ray.min_t) < 0) {
    hit.reset();
  }
  return hit;
}

bool Overlaps(const Ray& ray, const Triangle& triangle, double max_t,
              ArithmeticCounts* counts) {
  if (!(max_t <= ray.max_t)) max_t = LowerLimit(max_t, ray.max_t);
  const size_t axis = AxisOfPlane(ray, triangle);
  if (axis < 3 && IsProper(ray) && max_t >= 0 && !(ray.min_t > 0)) {
    const auto answer = OverlapsInPlane(ray, triangle, axis, max_t);
    if (answer.has_value()) {
      Count(Arithmetic::kDouble, counts);
      return *answer;
    }
  }
  return Intersect(ray, triangle, max_t, counts).has_value();
}

int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t) {
  // Equal triangles are hit at one point. A mesh may contain many copies of a
  // triangle.
  if (Sorted(s) == Sorted(t)) return 0;
  const CornerCrossing p = CornerCrossingOf(ray, s);
  if (p.is_known) {
    // All quotients of one ray have a common denominator, so numerators are
    // compared.
    const CornerCrossing q = CornerCrossingOf(ray, t);
    if (q.is_known) {
      const int order = CompareWays(p.way, q.way);
      return p.direction > 0 ? order : -order;
    }
  }
  const auto order = Compare(SolveRay(ray, s), SolveRay(ray, t));
  if (order.has_value()) return *order;
  const auto closely =
      Compare(SolveRayClosely(ray, s), SolveRayClosely(ray, t));
  return closely.has_value() ? *closely : exact::CompareHits(ray, s, t);
}

int CompareHit(const Ray& ray, const Triangle& triangle,
               const RayTriangleHit& hit, double t) {
  // Rounding is monotonic.
  if (hit.t != t) return hit.t < t ? -1 : 1;
  for (const auto solve : {SolveRay, SolveRayClosely}) {
    const RaySolution x = solve(ray, triangle);
    const int order = x.verdict == RayVerdict::kHit ? CompareWith(x, t) : 0;
    if (order != 0) return order;
  }
  return exact::CompareHit(ray, triangle, t);
}

int CrossingSign(const Ray& ray, const Triangle& triangle) {
  return exact::CrossingSign(ray, triangle);
}

}  // namespace orbox
