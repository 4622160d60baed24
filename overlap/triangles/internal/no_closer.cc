// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/no_closer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/vec3.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/internal/exact_points.h"

namespace orbox {
namespace {

// Outside of these limits, products of lengths may leave the range of double.
constexpr double kLeastLength = 0x1p-100;
constexpr double kMostLength = 0x1p100;

struct PlaneVec3 {
  DoubleDouble x, y, z;
};

// Returns the exact difference.
PlaneVec3 Between(const Vec3& from, const Vec3& to) {
  return {TwoDifference(to.x, from.x), TwoDifference(to.y, from.y),
          TwoDifference(to.z, from.z)};
}

DoubleDouble Minus(const DoubleDouble& a, const DoubleDouble& b) {
  return Sum(a, Negated(b));
}

PlaneVec3 Cross(const PlaneVec3& u, const PlaneVec3& v) {
  return {Minus(Product(u.y, v.z), Product(u.z, v.y)),
          Minus(Product(u.z, v.x), Product(u.x, v.z)),
          Minus(Product(u.x, v.y), Product(u.y, v.x))};
}

DoubleDouble Dot(const PlaneVec3& u, const PlaneVec3& v) {
  return Sum(Sum(Product(u.x, v.x), Product(u.y, v.y)), Product(u.z, v.z));
}

// Returns the gap along an axis, rounded like the distance. For triangles on
// opposite sides of a wall at right angles to an axis, the coordinates decide.
double GapAlongAxis(const Triangle& s, const Triangle& t) {
  const Vec3 s_below = Min(Min(s.a, s.b), s.c) - Max(Max(t.a, t.b), t.c);
  const Vec3 t_below = Min(Min(t.a, t.b), t.c) - Max(Max(s.a, s.b), s.c);
  return std::max(MaxCoordinate(s_below), MaxCoordinate(t_below));
}

double LargestOf(const Vec3& v) { return MaxCoordinate(Abs(v)); }

// The edges of a triangle from its corner a, and the corners of the other
// triangle, relative to a.
struct EdgeView {
  EdgeView(const Triangle& t, const Triangle& other)
      : from(t.a),
        corners{t.b, t.c, other.a, other.b, other.c},
        edge(std::max(LargestOf(t.b - t.a), LargestOf(t.c - t.a))),
        reach(std::max(
            LargestOf(other.a - t.a),
            std::max(LargestOf(other.b - t.a), LargestOf(other.c - t.a)))) {}

  bool IsInRange() const {
    return edge > kLeastLength && edge < kMostLength && reach > kLeastLength &&
           reach < kMostLength;
  }

  const Vec3& from;
  std::array<Vec3, 5> corners;  // the first two span the plane
  double edge;                  // the largest coordinate of the two edges
  double reach;                 // the largest coordinate of the other corners
};

// Returns true if all `heights` are on one side of 0. In this case, sets *least
// to the smallest distance from 0.
bool AreOnOneSide(const std::array<double, 3>& heights, double* least) {
  const auto [lowest, highest] =
      std::minmax({heights[0], heights[1], heights[2]});
  *least = std::max(lowest, -highest);
  return *least > 0;
}

// Decides in double if the triangles are clearly farther.
bool AreClearlyFarther(const EdgeView& view, double distance) {
  const Vec3 n =
      Cross(view.corners[0] - view.from, view.corners[1] - view.from);
  double least = 0;
  if (!AreOnOneSide({Dot(n, view.corners[2] - view.from),
                     Dot(n, view.corners[3] - view.from),
                     Dot(n, view.corners[4] - view.from)},
                    &least)) {
    return false;
  }
  // Let u = 2^-53. Coordinates of n have errors of 7 u e^2 and are below 2 e^2.
  // So the heights of the other triangle's corners have errors of 3 (7 + 2 * 5)
  // u e^2 r. The heights of the triangle's own corners are 0, with errors of
  // the same multiple of e^3.
  const double error =
      0x1p-46 * view.edge * view.edge * (view.reach + view.edge);
  return least - error > distance * Norm(n) * (1 + 0x1p-40);
}

// Decides in double-double if the triangles are farther or equally far.
bool AreFartherByFar(const EdgeView& view, double distance) {
  const PlaneVec3 n = Cross(Between(view.from, view.corners[0]),
                            Between(view.from, view.corners[1]));
  std::array<DoubleDouble, 3> heights;
  for (size_t i = 0; i < 3; ++i) {
    heights[i] = Dot(n, Between(view.from, view.corners[i + 2]));
  }
  double least = 0;
  if (!AreOnOneSide({heights[0].hi, heights[1].hi, heights[2].hi}, &least)) {
    return false;
  }
  DoubleDouble height = heights[0];
  const bool is_above = height.hi > 0;
  for (const DoubleDouble& h : heights) {
    const DoubleDouble above = Minus(h, height);
    if (is_above ? above.hi < 0 : above.hi > 0) height = h;
  }
  if (!is_above) height = Negated(height);
  // Sums and products have errors of 4 u^2 = 2^-104. The rest is as in
  // AreClearlyFarther, with the computed n for both sides of the plane.
  const double error =
      0x1p-94 * view.edge * view.edge * (view.reach + view.edge);
  const DoubleDouble lower = Minus(height, {error, 0});
  if (!(lower.hi > 0)) return false;
  // Tests lower^2 >= (distance |n|)^2, up to an error that rounding removes: a
  // number above distance (1 - 2^-54) is nearer to `distance` than to the next
  // smaller double.
  const DoubleDouble wanted =
      Product(Dot(n, n), TwoProduct(distance, distance));
  const DoubleDouble spare = Minus(Product(lower, lower), wanted);
  return spare.hi >= -0x1p-56 * wanted.hi;
}

// For distances that are smaller than this, relative to the triangle, the error
// of AreFartherByFar, 2^-94 of the triangle's size, is more than the allowed
// 2^-56 of the distance.
constexpr double kSmallDistance = 0x1p-38;

using LongPoint = exact::Point<LongBounded>;
using exact::Difference;

// Returns a vector at right angles to both features, times a constant. A vertex
// imposes no condition.
LongPoint AcrossFeatures(const Triangle& s, const Triangle& t,
                         const PairGuess& closest) {
  const auto& [first, second, is_found] = closest;
  const auto edge = [](const Triangle& of, const Feature& f, size_t i) {
    return Difference<LongBounded>(of[f.corner[i]], of[f.corner[0]]);
  };
  if (first.size == 3) return Cross(edge(s, first, 1), edge(s, first, 2));
  if (second.size == 3) return Cross(edge(t, second, 1), edge(t, second, 2));
  if (first.size == 2 && second.size == 2) {
    return Cross(edge(s, first, 1), edge(t, second, 1));
  }
  const LongPoint way =
      Difference<LongBounded>(t[second.corner[0]], s[first.corner[0]]);
  if (first.size == 1 && second.size == 1) return way;
  const LongPoint along =
      first.size == 2 ? edge(s, first, 1) : edge(t, second, 1);
  return way * SquaredNorm(along) - along * Dot(way, along);
}

// Decides in sums of three doubles. Projects on the vector between the features
// that seem to be the closest. Returns true if each corner of one triangle is
// so far from each corner of the other that no such distance rounds below
// `distance`.
bool AreFartherByFeatures(const Triangle& s, const Triangle& t,
                          double distance) {
  PairGuess closest;
  RangeOfClosest(s, t, ClosestCandidates(s, t), &closest);
  if (!closest.is_found) return false;
  const LongPoint n = AcrossFeatures(s, t, closest);
  const double below = std::nextafter(distance, 0.0);
  const LongBounded middle =
      LongBounded(distance) + LongBounded(-0.5 * (distance - below));
  const LongBounded wanted = middle * middle * SquaredNorm(n);
  // Heights whose leading double is above this are high enough.
  const double high = std::sqrt(wanted.hi) * (1 + 0x1p-40);
  // Heights of all corners, relative to s.a.
  std::array<LongBounded, 3> of_s;
  std::array<LongBounded, 3> of_t;
  for (size_t i = 0; i < 3; ++i) {
    if (i > 0) of_s[i] = Dot(n, Difference<LongBounded>(s[i], s.a));
    of_t[i] = Dot(n, Difference<LongBounded>(t[i], s.a));
  }
  const bool is_up = of_t[0].hi > 0;
  for (const LongBounded& from : of_s) {
    for (const LongBounded& to : of_t) {
      const LongBounded height = is_up ? to - from : from - to;
      if (height.hi > high && height.error < 0x1p-60 * high) continue;
      if (height.CertainSign() != 1 ||
          (height * height - wanted).CertainSign() != 1) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool AreNoCloser(const Triangle& s, const Triangle& t, double distance) {
  // Rounding keeps the order, and the distance is at least the gap.
  if (GapAlongAxis(s, t) >= distance) return true;
  if (!(distance > kLeastLength && distance < kMostLength)) return false;
  const EdgeView views[] = {{s, t}, {t, s}};
  for (const EdgeView& view : views) {
    if (!view.IsInRange()) return false;
    if (AreClearlyFarther(view, distance)) return true;
  }
  if (AreFartherByFar(views[0], distance) ||
      AreFartherByFar(views[1], distance)) {
    return true;
  }
  return distance < kSmallDistance * views[0].edge &&
         AreFartherByFeatures(s, t, distance);
}

}  // namespace orbox
