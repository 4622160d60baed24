// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/axis_crossing.h"

#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

int SignOf(double x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

// On which side of the line through a and b the moved ray passes, seen along
// it: never 0 unless the line is seen as a point. Reverses with the edge.
int SideOf(const Vec3& a, const Vec3& b, const Vec3& p, Arithmetic* used) {
  const int side = Orient2d(a, b, p, 1, 2, used);
  if (side != 0) return side;
  // The first of the derivatives by y and by z that is not zero.
  const int by_y = SignOf(a.z - b.z);
  return by_y != 0 ? by_y : SignOf(b.y - a.y);
}

// Whether all of the triangle is surely beside the moved ray, or behind p. A
// ray level with the highest y or z is moved beyond it.
bool IsBeside(const Vec3& p, const Aabb& bounds) {
  return p.x > bounds.hi.x || p.y < bounds.lo.y || p.y >= bounds.hi.y ||
         p.z < bounds.lo.z || p.z >= bounds.hi.z;
}

AxisCrossing Decide(const Vec3& p, const Triangle& t, Arithmetic* used) {
  const Aabb bounds = BoundsOf(t);
  AxisCrossing result;
  if (!IsBeside(p, bounds)) {
    const int side = SideOf(t.a, t.b, p, used);
    if (side != 0 && SideOf(t.b, t.c, p, used) == side &&
        SideOf(t.c, t.a, p, used) == side) {
      // Seen along the ray, the triangle turns as `side` says, and so does its
      // normal's x; it is ahead where p is on the other side of its plane.
      const int height = Orient3d(t.a, t.b, t.c, p, used);
      if (height == 0) return {0, true};
      result.sign = height == -side ? side : 0;
      return result;
    }
  }
  const bool is_in_bounds = Max(p, bounds.lo) == p && Min(p, bounds.hi) == p;
  if (is_in_bounds) {
    ArithmeticCounts counts;
    result.is_on_triangle = Contains(t, p, &counts);
    Raise(used, counts.Highest());
  }
  return result;
}

}  // namespace

AxisCrossing CrossingAlongX(const Vec3& p, const Triangle& t,
                            ArithmeticCounts* counts) {
  Arithmetic used = Arithmetic::kDouble;
  const AxisCrossing result = Decide(p, t, &used);
  Count(used, counts);
  return result;
}

}  // namespace orbox
