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

// The fraction numerator / denominator. The denominator is positive.
template <typename Number>
struct Fraction {
  Number numerator;
  Number denominator = 1;
};

// The line of the ray, and the triangle's corners relative to its origin.
template <typename Number>
struct RayFrame {
  // Converts the direction, the origin and the corners to numbers.
  RayFrame(const Vec3& direction, const Vec3& origin, const Triangle& triangle)
      : d(Lift<Number>(direction)) {
    for (size_t i = 0; i < 3; ++i) {
      corners[i] = Difference<Number>(triangle[i], origin);
    }
  }

  Point<Number> d;
  Corners<Number> corners;
};

// Solves for the common points of a ray and a triangle. Its judge decides
// signs.
template <typename Number>
class RaySolver {
 public:
  RaySolver(const RayFrame<Number>& scene, Judge<Number>* judge)
      : s_(scene),
        n_(Cross(scene.corners[1] - scene.corners[0],
                 scene.corners[2] - scene.corners[0])),
        judge_(*judge) {}

  // Returns the parameter of the first common point of the triangle and the ray
  // of unlimited length.
  std::optional<Fraction<Number>> FirstCommon() {
    const std::optional<Interval> common = CommonPart();
    if (!common || judge_.Sign(common->to.numerator) < 0) return std::nullopt;
    if (judge_.Sign(common->from.numerator) >= 0) return common->from;
    starts_inside_ = true;
    return Fraction<Number>{0, 1};
  }

  // The weights of the corners, times a common denominator.
  struct Weights {
    std::array<Number, 3> of;
    Number sum;
  };

  // Returns the weights of the point that FirstCommon found at t.
  Weights WeightsAt(const Fraction<Number>& t) {
    switch (where_) {
      case Where::kCrossing:
        return crossing_;
      case Where::kInPlane:
        return starts_inside_ ? WeightsOfOrigin() : WeightsOfEntry();
      case Where::kNoArea:
        break;
    }
    return WeightsWithoutArea(t);
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

  // Returns the parameter at which the line crosses the plane of the triangle,
  // if this point is in the triangle. Requires rise = Dot(n, d) != 0. The rise
  // is the sum of the volumes of the line and each of the three edges. These
  // volumes are the weights of the point.
  std::optional<Interval> CrossPlane(const Number& rise) {
    const int sign = judge_.Sign(rise);
    std::array<int, 3> signs{};
    for (size_t i = 0; i < 3; ++i) {
      crossing_.of[i] =
          Dot(s_.d, Cross(s_.corners[(i + 1) % 3], s_.corners[(i + 2) % 3]));
      signs[i] = judge_.Sign(crossing_.of[i]);
      if (signs[i] * sign < 0) return std::nullopt;
    }
    where_ = Where::kCrossing;
    crossing_.sum = rise;
    const Fraction<Number> t = CrossingAt(signs, rise);
    return Interval{t, t};
  }

  // Returns the t of a crossing whose weights have these signs. At a corner or
  // on an edge, the quotient has fewer digits.
  Fraction<Number> CrossingAt(const std::array<int, 3>& signs,
                              const Number& rise) {
    for (size_t i = 0; i < 3; ++i) {
      if (signs[i] != 0) continue;
      const size_t j = (i + 1) % 3;
      const size_t k = (i + 2) % 3;
      if (signs[j] == 0 || signs[k] == 0) {
        const Point<Number>& p = s_.corners[signs[j] != 0 ? j : k];
        const size_t axis = CertainAxis(s_.d);
        if (axis < 3) return Over(p[axis], s_.d[axis]);
        continue;
      }
      const Point<Number> edge = s_.corners[k] - s_.corners[j];
      const Point<Number> across = Cross(edge, s_.d);
      const size_t axis = CertainAxis(across);
      if (axis < 3) {
        return Over(Area(axis, edge, s_.corners[j]), across[axis]);
      }
    }
    return Over(Dot(n_, s_.corners[0]), rise);
  }

  // Returns an axis on which v is certainly not zero; 3 if there is none.
  static size_t CertainAxis(const Point<Number>& v) {
    for (size_t i = 0; i < 3; ++i) {
      if (CertainSign<Number>(v[i]).value_or(0) != 0) return i;
    }
    return 3;
  }

  // Returns one coordinate of Cross(p, q): their area, projected along the
  // axis.
  static Number Area(size_t axis, const Point<Number>& p,
                     const Point<Number>& q) {
    const size_t u = (axis + 1) % 3;
    const size_t v = (axis + 2) % 3;
    return p[u] * q[v] - p[v] * q[u];
  }

  // Returns the part of the line that is on the inner side of all three edges
  // (Liang, Barsky 1984). The line is in the plane of the triangle, and both
  // are projected along an axis. Requires n[axis] != 0 and Dot(n, d) == 0.
  std::optional<Interval> ClipInPlane(size_t axis) {
    if (judge_.Sign(Dot(n_, s_.corners[0])) != 0) return std::nullopt;
    const bool turns_left = judge_.Sign(n_[axis]) > 0;
    std::optional<Fraction<Number>> from;
    std::optional<Fraction<Number>> to;
    for (size_t i = 0; i < 3; ++i) {
      const Point<Number>& p = s_.corners[i];
      const Point<Number>& q = s_.corners[(i + 1) % 3];
      const Point<Number> edge = turns_left ? q - p : p - q;
      // All points x of the triangle have Area(edge, x - p) >= 0.
      const Number rise = Area(axis, edge, s_.d);
      const Number level = Area(axis, edge, p);
      const int sign = judge_.Sign(rise);
      if (sign == 0) {
        if (judge_.Sign(level) > 0) return std::nullopt;
        continue;
      }
      const Fraction<Number> t = Over(level, rise);
      std::optional<Fraction<Number>>& end = sign > 0 ? from : to;
      if (!end || Compare(t, *end) == sign) {
        end = t;
        if (sign > 0) entered_ = i;
      }
    }
    // The line is parallel to at most one edge, and enters and leaves by the
    // others, unless a sign is undecided.
    if (!from || !to || Compare(*from, *to) > 0) return std::nullopt;
    where_ = Where::kInPlane;
    axis_ = axis;
    return Interval{*from, *to};
  }

  // Returns the two corners farthest from each other. A triangle without area
  // is the segment between them.
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
    // Solves t d = p + u edge. The cross product of both sides with edge gives
    // t, and that with d gives u, both in the direction of n.
    const Number nn = SquaredNorm(n);
    const Number u = Dot(Cross(p, s_.d), n);
    if (judge_.Sign(u) < 0 || judge_.Sign(u - nn) > 0) return std::nullopt;
    const Fraction<Number> t = Over(Dot(Cross(p, edge), n), nn);
    return Interval{t, t};
  }

  static bool IsCertainlyZero(const Number& x) {
    return CertainSign<Number>(x) == 0;
  }

  // Returns true if the line is certainly parallel to an edge, and so to the
  // plane. Rays from vertex to vertex often are. This test needs fewer digits
  // than the rise.
  bool IsAlongAnEdge() const {
    for (size_t i = 0; i < 3; ++i) {
      const Point<Number> edge = s_.corners[(i + 1) % 3] - s_.corners[i];
      bool is_along = true;
      for (size_t axis = 0; axis < 3 && is_along; ++axis) {
        is_along = IsCertainlyZero(Area(axis, edge, s_.d));
      }
      if (is_along) return true;
    }
    return false;
  }

  // Returns true if the line is parallel to the plane. `rise` is its rise above
  // the plane.
  bool IsParallel(const Number& rise) {
    const std::optional<int> sign = CertainSign<Number>(rise);
    if (sign.has_value()) return *sign == 0;
    return IsAlongAnEdge() || judge_.Sign(rise) == 0;
  }

  std::optional<Interval> CommonPart() {
    const Number rise = Dot(n_, s_.d);
    if (!IsParallel(rise)) return CrossPlane(rise);
    const size_t axis = CertainAxis(n_);
    if (axis < 3) return ClipInPlane(axis);
    IsZero(n_, &judge_);  // makes the judge undecided if this sign is
    const auto [i, j] = Ends();
    return MeetSegment(s_.corners[i], s_.corners[j]);
  }

  // In the plane: returns the weights of the point at which the line enters, p
  // + s (q - p).
  Weights WeightsOfEntry() const {
    const size_t next = (entered_ + 1) % 3;
    const Point<Number>& p = s_.corners[entered_];
    const Number along = Area(axis_, s_.d, p);
    const Number whole = Area(axis_, s_.corners[next] - p, s_.d);
    Weights weights;
    weights.of[entered_] = whole - along;
    weights.of[next] = along;
    weights.sum = whole;
    return weights;
  }

  // In the plane: returns the weights of the ray's origin.
  Weights WeightsOfOrigin() const {
    Weights weights;
    for (size_t i = 0; i < 3; ++i) {
      weights.of[i] =
          Area(axis_, s_.corners[(i + 1) % 3], s_.corners[(i + 2) % 3]);
    }
    weights.sum = n_[axis_];
    return weights;
  }

  Weights WeightsWithoutArea(const Fraction<Number>& t) {
    Weights weights;
    Corners<Number> to;  // corners minus the point, times the denominator of t
    for (size_t i = 0; i < 3; ++i) {
      to[i] = s_.corners[i] * t.denominator - s_.d * t.numerator;
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

  const RayFrame<Number>& s_;
  const Point<Number> n_;
  Judge<Number>& judge_;
  // The relation of the line and the triangle, and the values from which the
  // weights are computed.
  enum class Where { kNoArea, kCrossing, kInPlane };
  Where where_ = Where::kNoArea;
  Weights crossing_;
  size_t axis_ = 0;     // of the plane's projection
  size_t entered_ = 0;  // the number of the edge's first corner
  bool starts_inside_ = false;
};

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
bool CrossesWhatIsShared(const RayFrame<Number>& s, const Triangle& first,
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
      if (CrossesWhatIsShared(
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
      return judge.Sign(x->numerator * y->denominator -
                        y->numerator * x->denominator);
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
