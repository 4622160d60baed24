#include "orbox/overlap/triangle_overlap.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "orbox/overlap/closest_guess.h"
#include "orbox/overlap/closest_range.h"
#include "orbox/overlap/exact_triangles.h"
#include "orbox/overlap/predicates.h"

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

// The sides of a plane on which the corners of a triangle lie.
struct Sides {
  int a;
  int b;
  int c;

  bool AreAllZero() const { return a == 0 && b == 0 && c == 0; }
  // Strictly.
  bool AreOneSide() const {
    return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
  }
};

Sides SidesOf(const Triangle& plane, const Triangle& t, bool* used_exact) {
  return {Orient3d(plane.a, plane.b, plane.c, t.a, used_exact),
          Orient3d(plane.a, plane.b, plane.c, t.b, used_exact),
          Orient3d(plane.a, plane.b, plane.c, t.c, used_exact)};
}

// Rotates the corners of `t` until the first one is alone on its closed side of
// a plane; returns whether this is the positive side. Requires sides that are
// neither all zero nor strictly one.
bool PutLoneCornerFirst(const Sides& sides, Triangle* t) {
  const int side[3] = {sides.a, sides.b, sides.c};
  for (size_t i = 0; i < 3; ++i) {
    const int first = side[i];
    const int second = side[(i + 1) % 3];
    const int third = side[(i + 2) % 3];
    const bool above = first >= 0 && second <= 0 && third <= 0;
    const bool below = first <= 0 && second >= 0 && third >= 0;
    if (!above && !below) continue;
    // A corner on the plane shares that with no other, or it is not alone.
    if (first == 0 && (second == 0 || third == 0)) continue;
    *t = {(*t)[i], (*t)[(i + 1) % 3], (*t)[(i + 2) % 3]};
    return above;
  }
  return true;  // not reached
}

// Guigue, Devillers, "Fast and robust triangle-triangle overlap test using
// orientation predicates", 2003: the planes cut each triangle in an interval of
// their common line, and two more orientations compare the ends of those.
bool IntervalsOverlap(Triangle s, Triangle t, const Sides& s_sides,
                      const Sides& t_sides, bool* used_exact) {
  const bool s_above = PutLoneCornerFirst(s_sides, &s);
  const bool t_above = PutLoneCornerFirst(t_sides, &t);
  // Turned around where needed, each has the other's lone corner above it.
  if (!s_above) std::swap(t.b, t.c);
  if (!t_above) std::swap(s.b, s.c);
  return Orient3d(s.a, s.b, t.a, t.b, used_exact) <= 0 &&
         Orient3d(s.a, s.c, t.c, t.a, used_exact) <= 0;
}

}  // namespace

bool Overlaps(const Triangle& s, const Triangle& t, ArithmeticCounts* counts) {
  if (AreApart(BoundsOf(s), BoundsOf(t))) {
    Count(false, counts);
    return false;
  }
  bool used_exact = false;
  const Sides t_sides = SidesOf(s, t, &used_exact);
  if (t_sides.AreOneSide()) {
    Count(used_exact, counts);
    return false;
  }
  const Sides s_sides = SidesOf(t, s, &used_exact);
  if (s_sides.AreOneSide()) {
    Count(used_exact, counts);
    return false;
  }
  // One plane for both, or none at all where a triangle is degenerate.
  if (t_sides.AreAllZero() || s_sides.AreAllZero()) {
    Count(true, counts);
    return exact::Overlaps(s, t);
  }
  const bool overlap = IntervalsOverlap(s, t, s_sides, t_sides, &used_exact);
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
  return exact::WithinDistance(ball.center, t, ball.radius);
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
  const int order =
      CompareWithSquare(RangeOf(guess.ToDifference(s, t)), distance);
  if (order != 0) {
    Count(false, counts);
    return order < 0;
  }
  // The range says nothing of triangles that meet.
  ArithmeticCounts overlap;
  if (Overlaps(s, t, &overlap)) {
    if (counts != nullptr) {
      counts->by_double += overlap.by_double;
      counts->by_exact += overlap.by_exact;
    }
    return true;
  }
  Count(true, counts);
  return exact::WithinDistance(s, t, distance);
}

}  // namespace orbox
