// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/moving_neighbors.h"

#include <cmath>
#include <cstddef>

#include "orbox/overlap/motion/internal/moving_polynomials.h"

namespace orbox {
namespace {

using moving::Form;
using moving::FormVec;
using moving::Measured;
using moving::Polynomial;

Vec3 Middle(const MovingPoint& p) { return p.from + p.to; }

// Returns true if n . (p - corner) certainly has this sign at both ends, and
// therefore all the time. Coordinates are at most 1. Each difference and
// product rounds once, and their sum twice.
bool IsOnSide(const Vec3& n, const MovingPoint& p, const MovingPoint& corner,
              double sign) {
  const double size = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
  const double error = 0x1p-48 * size + moving::kTiny;
  return sign * Dot(n, p.from - corner.from) > error &&
         sign * Dot(n, p.to - corner.to) > error;
}

// Returns n times the doubled area vector of a, b, p as they move.
Polynomial<2> AreaAlong(const Vec3& n, const MovingPoint& a,
                        const MovingPoint& b, const MovingPoint& p) {
  const FormVec<2, Measured> area = moving::AreaOf<Measured>(a, b, p);
  Form<2, Measured> sum;
  for (size_t k = 0; k < 3; ++k) {
    for (size_t i = 0; i < 3; ++i) {
      sum.c[i].v += n[k] * area[k].c[i].v;
      sum.c[i].m += std::abs(n[k]) * area[k].c[i].m;
    }
  }
  return Polynomial<2>(sum);
}

}  // namespace

bool StayApartAtCorner(const std::array<MovingPoint, 3>& s,
                       const std::array<MovingPoint, 3>& t) {
  // n leads from the middle of one triangle's angle to the middle of the
  // other's, at half time.
  Vec3 n;
  for (size_t i = 1; i < 3; ++i) {
    n += DirectionOf(Middle(t[i]) - Middle(t[0])) -
         DirectionOf(Middle(s[i]) - Middle(s[0]));
  }
  return IsOnSide(n, s[1], s[0], -1) && IsOnSide(n, s[2], s[0], -1) &&
         IsOnSide(n, t[1], t[0], 1) && IsOnSide(n, t[2], t[0], 1);
}

bool StayApartAtEdge(const std::array<MovingPoint, 3>& s,
                     const std::array<MovingPoint, 3>& t) {
  // The plane's normal is at right angles to the edge and to n, a fixed vector
  // between the normals of the two triangles at half time.
  const Vec3 edge = Middle(s[1]) - Middle(s[0]);
  const Vec3 n = DirectionOf(Cross(edge, Middle(s[2]) - Middle(s[0]))) -
                 DirectionOf(Cross(edge, Middle(t[2]) - Middle(t[0])));
  const int first = AreaAlong(n, s[0], s[1], s[2]).SignOn(0, 1);
  return first != 0 && AreaAlong(n, s[0], s[1], t[2]).SignOn(0, 1) == -first;
}

}  // namespace orbox
