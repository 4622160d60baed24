// Points with exact and with rational coordinates. Private to the exact stages.
#ifndef ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_
#define ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_

#include <array>

#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::exact {

using Point = BasicVec3<Exact>;
using Corners = std::array<Point, 3>;

inline Point Lift(const Vec3& p) { return {p.x, p.y, p.z}; }
inline Corners Lift(const Triangle& t) {
  return {Lift(t.a), Lift(t.b), Lift(t.c)};
}

// The point base + offset / denominator.
struct RationalPoint {
  Point base;
  Point offset;
  Exact denominator = 1;

  // The coordinates times the denominator.
  Point Numerator() const { return base * denominator + offset; }

  // Each coordinate rounded to nearest.
  Vec3 Rounded() const {
    const Point numerator = Numerator();
    return {RoundedQuotient(numerator.x, denominator),
            RoundedQuotient(numerator.y, denominator),
            RoundedQuotient(numerator.z, denominator)};
  }
};

}  // namespace orbox::exact

#endif  // ORBOX_OVERLAP_TRIANGLES_INTERNAL_EXACT_POINTS_H_
