// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/axis_crossing.h"

#include "orbox/overlap/triangles/contact.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

int SignOf(double x) { return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0); }

// Returns the side of the line through a and b on which the moved ray passes,
// seen along the ray. Returns 0 only if the line is seen as a point. The sign
// changes if a and b are swapped.
int SideOf(const Vec3& a, const Vec3& b, const Vec3& p, Arithmetic* used) {
  const int side = Orient2d(a, b, p, 1, 2, used);
  if (side != 0) return side;
  // The first derivative that is not zero, by y or else by z.
  const int by_y = SignOf(a.z - b.z);
  return by_y != 0 ? by_y : SignOf(b.y - a.y);
}

// Returns true if the triangle certainly does not cross the moved ray, because
// it is to the side of the ray or behind p. A ray at the highest y or z of the
// triangle is moved out of it.
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
      // Seen along the ray, the triangle turns as `side` says, and the x
      // coordinate of its normal has this sign. The triangle is in front of p
      // if p is on the other side of its plane.
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
