// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/exact_ray.h"

#include <array>
#include <cstddef>
#include <limits>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/internal/ray_solver.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox::exact {
namespace {

// The values of a reported hit. v and w are rounded weights.
struct Solution {
  double t;
  double v;
  double w;
};

// Returns true if the line certainly hits both triangles at a corner or on an
// edge that they share, and so at one point. Requires that it crosses the
// planes of both.
template <typename Number>
bool CrossesSharedFeature(const RayFrame<Number>& s, const Triangle& first,
                          const Triangle& second, Judge<Number>* judge) {
  const auto crosses = [&](const Triangle& t) {
    return judge->Sign(Dot(Cross(Difference<Number>(t.b, t.a),
                                 Difference<Number>(t.c, t.a)),
                           s.d)) != 0;
  };
  std::array<const Point<Number>*, 3> shared{};
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& p = first[i];
    if (p == second.a || p == second.b || p == second.c) {
      shared[count++] = &s.corners[i];
    }
  }
  if (count == 1) {
    return IsZero(Cross(s.d, *shared[0]), judge) && crosses(first) &&
           crosses(second);
  }
  return count == 2 &&
         judge->Sign(Dot(s.d, Cross(*shared[0], *shared[1]))) == 0 &&
         crosses(first) && crosses(second);
}

}  // namespace

std::optional<RayTriangleHit> Intersect(const Ray& ray,
                                        const Triangle& triangle, double max_t,
                                        Arithmetic* used) {
  const auto solve = [&](const auto& points) {
    return [&]<typename Number>(
               Judge<Number>& judge) -> std::optional<Solution> {
      const RayFrame<Number> scene(points[0], points[1], points.At(2));
      RaySolver<Number> solver(scene, &judge);
      const auto t = solver.FirstCommon();
      if (!t || judge.is_undecided()) return std::nullopt;
      // Values above the largest double are rounded only in the integer stage.
      const bool is_limited =
          judge.kIsExact || max_t < std::numeric_limits<double>::max();
      if (is_limited && judge.Sign(t->numerator - t->denominator * max_t) > 0) {
        return std::nullopt;
      }
      const auto weights = solver.WeightsAt(*t);
      return Solution{
          judge.RoundedQuotient(t->numerator, t->denominator),
          judge.RoundedQuotient(weights.of[1], weights.sum, RoundedWeight),
          judge.RoundedQuotient(weights.of[2], weights.sum, RoundedWeight)};
    };
  };
  const std::optional<Solution> hit = DecideScaled<5>(
      {ray.direction, ray.origin, triangle.a, triangle.b, triangle.c}, solve,
      used);
  if (!hit) return std::nullopt;
  return HitAt(triangle, hit->t, hit->v, hit->w);
}

int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t) {
  const auto order_of = [&](const auto& points) {
    return [&]<typename Number>(Judge<Number>& judge) {
      if (CrossesSharedFeature(
              RayFrame<Number>(points[0], points[1], points.At(2)),
              points.At(2), points.At(5), &judge)) {
        return 0;
      }
      const auto first_common = [&](size_t corner) {
        const RayFrame<Number> scene(points[0], points[1], points.At(corner));
        return RaySolver<Number>(scene, &judge).FirstCommon();
      };
      const auto x = first_common(2);
      const auto y = first_common(5);
      if (!x || !y) {
        judge.SetUndecided();  // because the ray hits both triangles
        return 0;
      }
      return Compare(*x, *y, &judge);
    };
  };
  return DecideScaled<8>(
      {ray.direction, ray.origin, s.a, s.b, s.c, t.a, t.b, t.c}, order_of,
      nullptr);
}

int CompareHit(const Ray& ray, const Triangle& triangle, double t) {
  const auto order_of = [&](const auto& points) {
    return [&]<typename Number>(Judge<Number>& judge) {
      const RayFrame<Number> scene(points[0], points[1], points.At(2));
      const auto first = RaySolver<Number>(scene, &judge).FirstCommon();
      if (!first) {
        judge.SetUndecided();  // because the ray hits the triangle
        return 0;
      }
      return judge.Sign(first->numerator - first->denominator * t);
    };
  };
  return DecideScaled<5>(
      {ray.direction, ray.origin, triangle.a, triangle.b, triangle.c}, order_of,
      nullptr);
}

int CrossingSign(const Ray& ray, const Triangle& triangle) {
  const auto sign_of = [&](const auto& points) {
    return [&]<typename Number>(Judge<Number>& judge) {
      const RayFrame<Number> s(points[0], points[1], points.At(2));
      // Side on which the moved line passes an edge: the sign of the volume of
      // both. If all corners move by (e, e^2, e^3), the volume grows by the
      // product of this vector and d x (p - q).
      const auto side_of = [&](size_t i) {
        const Point<Number>& p = s.corners[i];
        const Point<Number>& q = s.corners[(i + 1) % 3];
        int side = judge.Sign(Dot(s.d, Cross(p, q)));
        if (side != 0) return side;
        const Point<Number> growth = Cross(s.d, p - q);
        for (size_t k = 0; k < 3 && side == 0; ++k) {
          side = judge.Sign(growth[k]);
        }
        return side;
      };
      const int side = side_of(0);
      return side == side_of(1) && side == side_of(2) ? side : 0;
    };
  };
  return DecideScaled<5>(
      {ray.direction, ray.origin, triangle.a, triangle.b, triangle.c}, sign_of,
      nullptr);
}

}  // namespace orbox::exact
