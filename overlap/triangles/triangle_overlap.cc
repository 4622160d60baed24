#include "orbox/overlap/triangles/triangle_overlap.h"

#include <cmath>
#include <cstddef>

#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/internal/exact_contact.h"
#include "orbox/overlap/triangles/internal/exact_triangles.h"
#include "orbox/overlap/triangles/internal/triangle_order.h"
#include "orbox/overlap/triangles/internal/triangle_planes.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

void Count(bool used_exact, ArithmeticCounts* counts) {
  if (counts != nullptr) ++(used_exact ? counts->by_exact : counts->by_double);
}

bool AreApart(const Aabb& a, const Aabb& b) {
  return a.lo.x > b.hi.x || a.lo.y > b.hi.y || a.lo.z > b.hi.z ||
         b.lo.x > a.hi.x || b.lo.y > a.hi.y || b.lo.z > a.hi.z;
}

// Whether the boxes are farther apart than `distance` along an axis. The
// difference of two doubles rounds monotonically, hence `>` after rounding
// proves `>` before it.
bool AreFartherApart(const Aabb& a, const Aabb& b, double distance) {
  return a.lo.x - b.hi.x > distance || a.lo.y - b.hi.y > distance ||
         a.lo.z - b.hi.z > distance || b.lo.x - a.hi.x > distance ||
         b.lo.y - a.hi.y > distance || b.lo.z - a.hi.z > distance;
}

// Whether a line through an edge of `s` strictly separates it from `t`, where
// both lie in one plane, seen along the coordinate that is neither u nor v;
// `turn` is the orientation of s there.
bool EdgeSeparates(const Triangle& s, int turn, const Triangle& t, size_t u,
                   size_t v, bool* used_exact) {
  for (size_t i = 0; i < 3; ++i) {
    const Vec3& a = s[i];
    const Vec3& b = s[i == 2 ? 0 : i + 1];
    if (Orient2d(a, b, t.a, u, v, used_exact) == -turn &&
        Orient2d(a, b, t.b, u, v, used_exact) == -turn &&
        Orient2d(a, b, t.c, u, v, used_exact) == -turn) {
      return true;
    }
  }
  return false;
}

// For triangles in one plane, by the separating axis theorem in it.
bool OverlapInPlane(const Triangle& s, const Triangle& t, bool* used_exact) {
  for (size_t u = 0; u < 3; ++u) {
    const size_t v = u == 2 ? 0 : u + 1;
    const int s_turn = Orient2d(s.a, s.b, s.c, u, v, used_exact);
    const int t_turn = Orient2d(t.a, t.b, t.c, u, v, used_exact);
    if (s_turn == 0 || t_turn == 0) continue;
    return !EdgeSeparates(s, s_turn, t, u, v, used_exact) &&
           !EdgeSeparates(t, t_turn, s, u, v, used_exact);
  }
  *used_exact = true;
  // A degenerate triangle.
  return !exact::ContactOf(Sorted(s), Sorted(t)).IsEmpty();
}

bool OverlapByPlanes(const Triangle& s, const Triangle& t, bool* used_exact) {
  PlaneCuts cuts;
  switch (RelationOf(s, t, &cuts, used_exact)) {
    case PlaneRelation::kApart:
      return false;
    case PlaneRelation::kOnePlane:
      return OverlapInPlane(s, t, used_exact);
    case PlaneRelation::kCrossing:
      break;
  }
  // Neither starts after the other ends.
  return OrderOfCuts(cuts, cuts.s.b, cuts.t.b, used_exact) <= 0 &&
         OrderOfCuts(cuts, cuts.s.c, cuts.t.c, used_exact) >= 0;
}

}  // namespace

bool Overlaps(const Triangle& s, const Triangle& t, ArithmeticCounts* counts) {
  if (AreApart(BoundsOf(s), BoundsOf(t))) {
    Count(false, counts);
    return false;
  }
  bool used_exact = false;
  const bool overlap = OverlapByPlanes(s, t, &used_exact);
  Count(used_exact, counts);
  return overlap;
}

bool Overlaps(const Sphere& ball, const Triangle& t, ArithmeticCounts* counts) {
  if (AreFartherApart({ball.center, ball.center}, BoundsOf(t), ball.radius)) {
    Count(false, counts);
    return false;
  }
  const PointGuess guess = GuessClosest(ball.center, t);
  const int order = CompareWithSquare(
      RangeOf(guess.ToDifference(ball.center, t)), ball.radius);
  Count(order == 0, counts);
  if (order != 0) return order < 0;
  // What is not a number ends up here, since no comparison tells it apart.
  return IsValid(ball) && exact::WithinDistance(ball.center, t, ball.radius);
}

bool WithinDistance(const Vec3& p, const Triangle& t, double distance,
                    ArithmeticCounts* counts) {
  if (std::isinf(distance)) {
    Count(false, counts);
    return true;
  }
  return Overlaps(Sphere{p, distance}, t, counts);
}

bool WithinDistance(const Triangle& s, const Triangle& t, double distance,
                    ArithmeticCounts* counts) {
  if (std::isinf(distance)) {
    Count(false, counts);
    return true;
  }
  if (AreFartherApart(BoundsOf(s), BoundsOf(t), distance)) {
    Count(false, counts);
    return false;
  }
  const PairGuess guess = GuessClosest(s, t);
  int order = 0;
  if (guess.is_found) {
    order = CompareWithSquare(RangeOf(guess.ToDifference(s, t)), distance);
  }
  if (order == 0) {
    ArithmeticCounts overlap;
    if (Overlaps(s, t, &overlap)) {
      Count(overlap.by_exact != 0, counts);
      return true;
    }
    PairGuess closest;
    order = CompareWithSquare(
        RangeOfClosest(s, t, ClosestCandidates(s, t), &closest), distance);
  }
  Count(order == 0, counts);
  return order != 0 ? order < 0 : exact::WithinDistance(s, t, distance);
}

}  // namespace orbox
