// SPDX-License-Identifier: Apache-2.0

// The common points of a ray and a triangle, over any number type (ladder.h).
// Private to exact_ray.cc.
//
//   const RayFrame<Number> scene(direction, origin, triangle);
//   RaySolver<Number> solver(scene, &judge);
//   std::optional<Ratio<Number>> t = solver.FirstCommon();
//   RaySolver<Number>::Weights weights = solver.WeightsAt(*t);
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLVER_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLVER_H_

#include <array>
#include <cstddef>
#include <optional>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/exact_points.h"

namespace orbox::exact {

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
// signs. The frame and the judge must outlive it.
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
  std::optional<Ratio<Number>> FirstCommon() {
    const std::optional<Interval> common = CommonPart();
    if (!common || judge_.Sign(common->to.numerator) < 0) return std::nullopt;
    if (judge_.Sign(common->from.numerator) >= 0) return common->from;
    starts_inside_ = true;
    return Ratio<Number>{0, 1};
  }

  // The weights of the corners, times a common denominator.
  struct Weights {
    std::array<Number, 3> of;
    Number sum;
  };

  // Returns the weights of the point that FirstCommon found at t.
  Weights WeightsAt(const Ratio<Number>& t) {
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
    Ratio<Number> from;
    Ratio<Number> to;
  };

  Ratio<Number> Over(const Number& numerator, const Number& denominator) {
    if (judge_.Sign(denominator) < 0) return {-numerator, -denominator};
    return {numerator, denominator};
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
    const Ratio<Number> t = CrossingAt(signs, rise);
    return Interval{t, t};
  }

  // Returns the t of a crossing whose weights have these signs. At a corner or
  // on an edge, the quotient has fewer digits.
  Ratio<Number> CrossingAt(const std::array<int, 3>& signs,
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
    std::optional<Ratio<Number>> from;
    std::optional<Ratio<Number>> to;
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
      const Ratio<Number> t = Over(level, rise);
      std::optional<Ratio<Number>>& end = sign > 0 ? from : to;
      if (!end || Compare(t, *end, &judge_) == sign) {
        end = t;
        if (sign > 0) entered_ = i;
      }
    }
    // The line is parallel to at most one edge, and enters and leaves by the
    // others, unless a sign is undecided.
    if (!from || !to || Compare(*from, *to, &judge_) > 0) return std::nullopt;
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
    const Ratio<Number> t = Over(Dot(s_.d, p), SquaredNorm(s_.d));
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
      return Compare(at_p->from, at_q->from, &judge_) <= 0
                 ? Interval{at_p->from, at_q->from}
                 : Interval{at_q->from, at_p->from};
    }
    if (judge_.Sign(Dot(n, p)) != 0) return std::nullopt;
    // Solves t d = p + u edge. The cross product of both sides with edge gives
    // t, and that with d gives u, both in the direction of n.
    const Number nn = SquaredNorm(n);
    const Number u = Dot(Cross(p, s_.d), n);
    if (judge_.Sign(u) < 0 || judge_.Sign(u - nn) > 0) return std::nullopt;
    const Ratio<Number> t = Over(Dot(Cross(p, edge), n), nn);
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

  Weights WeightsWithoutArea(const Ratio<Number>& t) {
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

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_RAY_SOLVER_H_
