// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/exact_ray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox::exact {
namespace {

// numerator / denominator, with a positive denominator.
template <typename Number>
struct Fraction {
  Number numerator;
  Number denominator = 1;
};

// The line through the ray, and the triangle's corners seen from its origin.
template <typename Number>
struct Scene {
  // Of the direction, the origin, and the corners.
  Scene(const Vec3& direction, const Vec3& origin, const Triangle& triangle)
      : d(Lift<Number>(direction)) {
    for (size_t i = 0; i < 3; ++i) {
      corners[i] = Difference<Number>(triangle[i], origin);
    }
  }

  Point<Number> d;
  Corners<Number> corners;
};

// Asks its judge about a ray and a triangle.
template <typename Number>
class RaySolver {
 public:
  RaySolver(const Scene<Number>& scene, Judge<Number>* judge)
      : s_(scene),
        n_(Cross(scene.corners[1] - scene.corners[0],
                 scene.corners[2] - scene.corners[0])),
        judge_(*judge) {}

  // The first common point of the triangle and the ray, whatever its length.
  std::optional<Fraction<Number>> FirstCommon() {
    const std::optional<Interval> common = CommonPart();
    if (!common || judge_.Sign(common->to.numerator) < 0) return std::nullopt;
    if (judge_.Sign(common->from.numerator) >= 0) return common->from;
    return Fraction<Number>{0, 1};
  }

  // The weights of the corners, times a common denominator.
  struct Weights {
    std::array<Number, 3> of;
    Number sum;
  };

  // Of the point that FirstCommon found at t.
  Weights WeightsAt(const Fraction<Number>& t) {
    return crosses_plane_ ? crossing_ : WeightsInPlane(t);
  }

 private:
  // A closed interval of the line's parameter.
  struct Interval {
    Fraction<Number> from;
    Fraction<Number> to;
  };

  Fraction<Number> Over(const Number& numerator, const Number& denominator) {
    if (judge_.Sign(denominator) < 0) return {-numerator, -denominator};
    return {numerator, denominator};
  }

  int Compare(const Fraction<Number>& x, const Fraction<Number>& y) {
    return judge_.Sign(x.numerator * y.denominator -
                       y.numerator * x.denominator);
  }

  // Where the line crosses the plane of the triangle in one point of the
  // triangle. Requires rise = Dot(n, d) != 0, which the volumes that the line
  // has with the three edges add up to: they are the weights.
  std::optional<Interval> CrossPlane(const Number& rise) {
    const int sign = judge_.Sign(rise);
    for (size_t i = 0; i < 3; ++i) {
      crossing_.of[i] =
          Dot(s_.d, Cross(s_.corners[(i + 1) % 3], s_.corners[(i + 2) % 3]));
      if (judge_.Sign(crossing_.of[i]) * sign < 0) return std::nullopt;
    }
    crosses_plane_ = true;
    crossing_.sum = rise;
    const Fraction<Number> t = Over(Dot(n_, s_.corners[0]), rise);
    return Interval{t, t};
  }

  // The part of the line, in the plane of the triangle, that is on the inner
  // side of all three edges (Liang, Barsky 1984). Requires n != 0 and Dot(n, d)
  // == 0.
  std::optional<Interval> ClipInPlane() {
    if (judge_.Sign(Dot(n_, s_.corners[0])) != 0) return std::nullopt;
    std::optional<Fraction<Number>> from;
    std::optional<Fraction<Number>> to;
    for (size_t i = 0; i < 3; ++i) {
      const Point<Number>& p = s_.corners[i];
      // Points x of the triangle have Dot(inward, x - p) >= 0.
      const Point<Number> inward = Cross(n_, s_.corners[(i + 1) % 3] - p);
      const Number rise = Dot(inward, s_.d);
      const Number level = Dot(inward, p);
      const int sign = judge_.Sign(rise);
      if (sign == 0) {
        if (judge_.Sign(level) > 0) return std::nullopt;
        continue;
      }
      const Fraction<Number> t = Over(level, rise);
      std::optional<Fraction<Number>>& end = sign > 0 ? from : to;
      if (!end || Compare(t, *end) == sign) end = t;
    }
    // The line is parallel to one edge at most, and enters and leaves by
    // others, unless a sign is open.
    if (!from || !to || Compare(*from, *to) > 0) return std::nullopt;
    return Interval{*from, *to};
  }

  // The corners farthest from each other of a triangle without area: all of it.
  std::array<size_t, 2> Ends() {
    std::array<size_t, 2> ends = {0, 0};
    Number longest = 0;
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = (i + 1) % 3;
      const Number length = SquaredNorm(s_.corners[j] - s_.corners[i]);
      if (judge_.Sign(length - longest) > 0) {
        longest = length;
        ends = {i, j};
      }
    }
    return ends;
  }

  std::optional<Interval> MeetPoint(const Point<Number>& p) {
    if (!IsZero(Cross(s_.d, p), &judge_)) return std::nullopt;
    const Fraction<Number> t = Over(Dot(s_.d, p), SquaredNorm(s_.d));
    return Interval{t, t};
  }

  std::optional<Interval> MeetSegment(const Point<Number>& p,
                                      const Point<Number>& q) {
    const Point<Number> edge = q - p;
    if (IsZero(edge, &judge_)) return MeetPoint(p);
    const Point<Number> n = Cross(s_.d, edge);
    if (IsZero(n, &judge_)) {
      const std::optional<Interval> at_p = MeetPoint(p);
      const std::optional<Interval> at_q = MeetPoint(q);
      if (!at_p || !at_q) return std::nullopt;
      return Compare(at_p->from, at_q->from) <= 0
                 ? Interval{at_p->from, at_q->from}
                 : Interval{at_q->from, at_p->from};
    }
    if (judge_.Sign(Dot(n, p)) != 0) return std::nullopt;
    // t d = p + u edge: both sides times edge, or d, in the direction of n.
    const Number nn = SquaredNorm(n);
    const Number u = Dot(Cross(p, s_.d), n);
    if (judge_.Sign(u) < 0 || judge_.Sign(u - nn) > 0) return std::nullopt;
    const Fraction<Number> t = Over(Dot(Cross(p, edge), n), nn);
    return Interval{t, t};
  }

  std::optional<Interval> CommonPart() {
    const Number rise = Dot(n_, s_.d);
    if (judge_.Sign(rise) != 0) return CrossPlane(rise);
    if (!IsZero(n_, &judge_)) return ClipInPlane();
    const auto [i, j] = Ends();
    return MeetSegment(s_.corners[i], s_.corners[j]);
  }

  Weights WeightsInPlane(const Fraction<Number>& t) {
    Weights weights;
    Corners<Number> to;  // from the point, times t's denominator
    for (size_t i = 0; i < 3; ++i) {
      to[i] = s_.corners[i] * t.denominator - s_.d * t.numerator;
    }
    if (!IsZero(n_, &judge_)) {
      for (size_t i = 0; i < 3; ++i) {
        weights.of[i] = Dot(n_, Cross(to[(i + 1) % 3], to[(i + 2) % 3]));
      }
      weights.sum = SquaredNorm(n_) * t.denominator * t.denominator;
      return weights;
    }
    const auto [i, j] = Ends();
    const Point<Number> edge = s_.corners[j] - s_.corners[i];
    if (IsZero(edge, &judge_)) {
      weights.of[i] = weights.sum = 1;
      return weights;
    }
    weights.of[i] = Dot(to[j], edge);
    weights.of[j] = -Dot(to[i], edge);
    weights.sum = SquaredNorm(edge) * t.denominator;
    return weights;
  }

  const Scene<Number>& s_;
  const Point<Number> n_;
  Judge<Number>& judge_;
  // Where one point of the plane is crossed.
  bool crosses_plane_ = false;
  Weights crossing_;
};

// What is reported of a hit: v and w are rounded weights.
struct Solution {
  double t;
  double v;
  double w;
};

// Whether the line, which crosses both triangles' planes, certainly does so in
// a corner or on an edge that they share, and hence in one point.
template <typename Number>
bool CrossesWhatIsShared(const Scene<Number>& s, const Triangle& first,
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
      const Scene<Number> scene(points[0], points[1], points.At(2));
      RaySolver<Number> solver(scene, &judge);
      const auto t = solver.FirstCommon();
      if (!t || judge.is_open()) return std::nullopt;
      // What is beyond the largest double is not rounded but in integers.
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
      if (CrossesWhatIsShared(Scene<Number>(points[0], points[1], points.At(2)),
                              points.At(2), points.At(5), &judge)) {
        return 0;
      }
      const auto first_common = [&](size_t corner) {
        const Scene<Number> scene(points[0], points[1], points.At(corner));
        return RaySolver<Number>(scene, &judge).FirstCommon();
      };
      const auto x = first_common(2);
      const auto y = first_common(5);
      if (!x || !y) {
        judge.Open();  // since both are hit
        return 0;
      }
      return judge.Sign(x->numerator * y->denominator -
                        y->numerator * x->denominator);
    };
  };
  return DecideScaled<8>(
      {ray.direction, ray.origin, s.a, s.b, s.c, t.a, t.b, t.c}, order_of,
      nullptr);
}

}  // namespace orbox::exact
