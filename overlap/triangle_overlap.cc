#include "orbox/overlap/triangle_overlap.h"

#include <cmath>

#include "orbox/overlap/exact_triangles.h"

namespace orbox {
namespace {

void CountDouble(ArithmeticCounts* counts) {
  if (counts != nullptr) ++counts->by_double;
}

void CountExact(ArithmeticCounts* counts) {
  if (counts != nullptr) ++counts->by_exact;
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

}  // namespace

bool Overlaps(const Triangle& s, const Triangle& t, ArithmeticCounts* counts) {
  if (AreApart(BoundsOf(s), BoundsOf(t))) {
    CountDouble(counts);
    return false;
  }
  CountExact(counts);
  return exact::Overlaps(s, t);
}

bool Overlaps(const Sphere& ball, const Triangle& t, ArithmeticCounts* counts) {
  if (AreFartherApart({ball.center, ball.center}, BoundsOf(t), ball.radius)) {
    CountDouble(counts);
    return false;
  }
  CountExact(counts);
  return exact::WithinDistance(ball.center, t, ball.radius);
}

bool Overlaps(const Aabb& box, const Triangle& t, ArithmeticCounts* counts) {
  if (AreApart(box, BoundsOf(t))) {
    CountDouble(counts);
    return false;
  }
  CountExact(counts);
  return exact::Overlaps(box, t);
}

bool Overlaps(const Obb& box, const Triangle& t, ArithmeticCounts* counts) {
  CountExact(counts);
  return exact::Overlaps(box, t);
}

bool WithinDistance(const Triangle& s, const Triangle& t, double distance,
                    ArithmeticCounts* counts) {
  if (std::isinf(distance)) {
    CountDouble(counts);
    return true;
  }
  if (AreFartherApart(BoundsOf(s), BoundsOf(t), distance)) {
    CountDouble(counts);
    return false;
  }
  CountExact(counts);
  return exact::WithinDistance(s, t, distance);
}

}  // namespace orbox
