// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/triangle_overlap.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/internal/exact_contact.h"
#include "orbox/overlap/triangles/internal/exact_triangles.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

// Returns true if a line through an edge of `s` strictly separates s from `t`.
// Both are in one plane and are projected along the coordinate that is neither
// u nor v. `turn` is the orientation of s in the projection.
bool EdgeSeparates(const Triangle& s, int turn, const Triangle& t, size_t u,
                   size_t v, Arithmetic* used) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& a = s[i];
    const Vec3& b = s[i == 2 ? 0 : i + 1];
    if (Orient2d(a, b, t.a, u, v, used) == -turn &&
        Orient2d(a, b, t.b, u, v, used) == -turn &&
        Orient2d(a, b, t.c, u, v, used) == -turn) {
      return true;
    }
  }
  return false;
}

// Requires triangles in one plane. Uses the separating axis theorem in the
// plane.
bool OverlapInPlane(const Triangle& s, const Triangle& t, Arithmetic* used) {
  const auto in = ProjectionOf(s, t, used);
  if (in.has_value()) {
    return !EdgeSeparates(s, in->s_turn, t, in->u, in->v, used) &&
           !EdgeSeparates(t, in->t_turn, s, in->u, in->v, used);
  }
  // One of the triangles is degenerate.
  return !exact::ContactOf(Sorted(s), Sorted(t), used).IsEmpty();
}

// Returns the sign of the side of the line from a to b on which p is, projected
// along the coordinate that is neither u nor v. Returns 0 if double does not
// decide.
int CertainTurn(const Vec3& a, const Vec3& b, const Vec3& p, size_t u,
                size_t v) {
  const double left = (b[u] - a[u]) * (p[v] - a[v]);
  const double right = (b[v] - a[v]) * (p[u] - a[u]);
  // Two differences, a product, p - q, and the underflow of products.
  const double error_bound =
      0x1p-50 * (std::abs(left) + std::abs(right)) + 0x1p-1000;
  const double turn = left - right;
  return (turn > error_bound ? 1 : 0) - (turn < -error_bound ? 1 : 0);
}

bool EdgeCertainlySeparates(const Triangle& s, const Triangle& t, size_t u,
                            size_t v) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& a = s[i];
    const Vec3& b = s[i == 2 ? 0 : i + 1];
    const int turn = CertainTurn(a, b, s[i == 0 ? 2 : i - 1], u, v);
    if (turn != 0 && CertainTurn(a, b, t.a, u, v) == -turn &&
        CertainTurn(a, b, t.b, u, v) == -turn &&
        CertainTurn(a, b, t.c, u, v) == -turn) {
      return true;
    }
  }
  return false;
}

// Returns true if triangles that are nearly in one plane are certainly apart in
// it. There, only sums of doubles could decide the sides of the corners. False
// for other triangles. If projections are apart, the triangles are apart.
bool AreApartInPlane(const Triangle& s, const Triangle& t) {
  const Vec3 normal = Cross(s.b - s.a, s.c - s.a);
  const Vec3 n = Abs(normal);
  const size_t w = n.x >= n.y && n.x >= n.z ? 0 : (n.y >= n.z ? 1 : 2);
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 way = t[i] - s.a;
    if (!(std::abs(Dot(normal, way)) <= 0x1p-44 * Dot(n, Abs(way)))) {
      return false;
    }
  }
  const size_t u = w == 2 ? 0 : w + 1;
  const size_t v = u == 2 ? 0 : u + 1;
  return EdgeCertainlySeparates(s, t, u, v) ||
         EdgeCertainlySeparates(t, s, u, v);
}

bool HaveCommonCorner(const Triangle& s, const Triangle& t) {
  for (const Vec3& p : {s.a, s.b, s.c}) {
    if (p == t.a || p == t.b || p == t.c) return true;
  }
  return false;
}

bool OverlapByPlanes(const Triangle& s, const Triangle& t, Arithmetic* used) {
  if (AreApartInPlane(s, t)) return false;
  PlaneCuts cuts;
  switch (RelationOf(s, t, &cuts, used)) {
    case PlaneRelation::kApart:
      return false;
    case PlaneRelation::kOnePlane:
      return OverlapInPlane(s, t, used);
    case PlaneRelation::kCrossing:
      break;
  }
  // Overlap if neither interval starts after the end of the other.
  return OrderOfCuts(cuts, cuts.s.b, cuts.t.b, used) <= 0 &&
         OrderOfCuts(cuts, cuts.s.c, cuts.t.c, used) >= 0;
}

// Returns the sign of (the distance of p along an axis from h) - r.
int CompareHeight(double p, double h, double r) {
  DoubleDouble height = TwoDifference(p, h);
  if (height.hi < 0) height = {-height.hi, -height.lo};
  // Rounding is monotonic: it may make the two equal, but cannot swap them.
  if (height.hi != r) return height.hi < r ? -1 : 1;
  return (height.lo > 0) - (height.lo < 0);
}

// Returns true if a ball touches a triangle at right angles to an axis, if the
// distance of the ball to the triangle's plane decides; otherwise nullopt. For
// balls that rest on floors and walls.
std::optional<bool> TouchesAcross(const Sphere& ball, const Triangle& t,
                                  Arithmetic* used) {
  for (size_t axis = 0; axis < 3; ++axis) {
    const double h = t.a[axis];
    if (t.b[axis] != h || t.c[axis] != h) continue;
    const size_t u = (axis + 1) % 3;
    const size_t v = (axis + 2) % 3;
    const int turn = Orient2d(t.a, t.b, t.c, u, v, used);
    if (turn == 0) return std::nullopt;
    const int order = CompareHeight(ball.center[axis], h, ball.radius);
    if (order > 0) return false;
    for (size_t i = 0; i < 3; ++i) {
      const Vec3& next = t[i == 2 ? 0 : i + 1];
      if (Orient2d(t[i], next, ball.center, u, v, used) == -turn) {
        // The triangle is farther than its plane.
        return order == 0 ? std::optional<bool>(false) : std::nullopt;
      }
    }
    return true;
  }
  return std::nullopt;
}

}  // namespace

bool Overlaps(const Triangle& s, const Triangle& t, ArithmeticCounts* counts) {
  if (!Overlaps(BoundsOf(s), BoundsOf(t))) {
    Count(Arithmetic::kDouble, counts);
    return false;
  }
  // Triangles with a common corner are mostly side by side, which is the
  // slowest case for planes.
  if (HaveCommonCorner(s, t)) {
    Count(Arithmetic::kDouble, counts);
    return true;
  }
  Arithmetic used = Arithmetic::kDouble;
  const auto scaled = Rescaled<6>({s.a, s.b, s.c, t.a, t.b, t.c});
  const bool overlap =
      scaled.has_value() ? OverlapByPlanes(scaled->At(0), scaled->At(3), &used)
                         : OverlapByPlanes(s, t, &used);
  Count(used, counts);
  return overlap;
}

bool Overlaps(const Sphere& ball, const Triangle& t, ArithmeticCounts* counts) {
  if (AxisGap({ball.center, ball.center}, BoundsOf(t)) > ball.radius) {
    Count(Arithmetic::kDouble, counts);
    return false;
  }
  const PointGuess guess = GuessClosest(ball.center, t);
  const int order = CompareWithSquare(
      RangeOf(guess.ToDifference(ball.center, t)), ball.radius);
  if (order == 0) {
    auto scaled = Rescaled<4>({ball.center, t.a, t.b, t.c});
    if (scaled.has_value()) {
      const Sphere same{(*scaled)[0], scaled->Scaled(ball.radius)};
      if (scaled->is_exact()) return Overlaps(same, scaled->At(1), counts);
    }
  }
  Arithmetic used = Arithmetic::kDouble;
  if (order == 0 && IsValid(ball)) {
    const std::optional<bool> touches = TouchesAcross(ball, t, &used);
    if (touches.has_value()) {
      Count(used, counts);
      return *touches;
    }
  }
  // A ball that is not valid arrives here, because no comparison with NaN is
  // true.
  const bool overlap =
      order != 0
          ? order < 0
          : IsValid(ball) &&
                exact::CompareDistance(ball.center, t, ball.radius, &used) <= 0;
  Count(used, counts);
  return overlap;
}

bool WithinDistance(const Vec3& p, const Triangle& t, double distance,
                    ArithmeticCounts* counts) {
  if (std::isinf(distance)) {
    Count(Arithmetic::kDouble, counts);
    return true;
  }
  return Overlaps(Sphere{p, distance}, t, counts);
}

bool WithinDistance(const Triangle& s, const Triangle& t, double distance,
                    ArithmeticCounts* counts) {
  if (std::isinf(distance)) {
    Count(Arithmetic::kDouble, counts);
    return true;
  }
  if (AxisGap(BoundsOf(s), BoundsOf(t)) > distance) {
    Count(Arithmetic::kDouble, counts);
    return false;
  }
  const PairGuess guess = GuessClosest(s, t);
  int order = 0;
  if (guess.is_found) {
    order = CompareWithSquare(RangeOf(guess.ToDifference(s, t)), distance);
  }
  if (order == 0) {
    auto scaled = Rescaled<6>({s.a, s.b, s.c, t.a, t.b, t.c});
    if (scaled.has_value()) {
      const double same = scaled->Scaled(distance);
      if (scaled->is_exact()) {
        return WithinDistance(scaled->At(0), scaled->At(3), same, counts);
      }
    }
    ArithmeticCounts overlap;
    if (Overlaps(s, t, &overlap)) {
      Count(overlap.Highest(), counts);
      return true;
    }
    if (distance == 0) {
      Count(overlap.Highest(), counts);
      return false;
    }
    PairGuess closest;
    order = CompareWithSquare(
        RangeOfClosest(s, t, ClosestCandidates(s, t), &closest), distance);
  }
  Arithmetic used = Arithmetic::kDouble;
  if (order == 0) order = exact::CompareDistance(s, t, distance, &used);
  Count(used, counts);
  return order <= 0;
}

}  // namespace orbox
