// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/cell_point.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

// Returns the sign of a formula, computed with doubles if they are certain,
// else with rational numbers.
template <typename Formula>
int SignOfFormula(const Formula& formula) {
  const std::optional<int> sign =
      formula([](const CellNumber& x) { return x.near; },
              [](double x) { return Bounded(x); })
          .CertainSign();
  if (sign) return *sign;
  return formula([](const CellNumber& x) { return x.exact; },
                 [](double x) { return Rational(x); })
      .sign();
}

// Returns the side of p from the line from a to b, in the view along the axis.
int SideOf(const Vec3& a, const Vec3& b, const CellPoint& p, size_t axis) {
  const size_t u = AxisU(axis);
  const size_t v = AxisV(axis);
  const int side = SignOfFormula([&](const auto& of, const auto& number) {
    using Number = decltype(number(0.0));
    return Number((number(b[u]) - number(a[u])) * (of(p.v) - number(a[v])) -
                  (number(b[v]) - number(a[v])) * (of(p.u) - number(a[u])));
  });
  if (side != 0) return side;
  // On the line, the shift of p decides: by u first, then by v.
  if (a[v] != b[v]) return a[v] > b[v] ? 1 : -1;
  return b[u] == a[u] ? 0 : (b[u] > a[u] ? 1 : -1);
}

// Returns the normal of a triangle, over any kind of number.
template <typename Number, typename Convert>
std::array<Number, 3> NormalOf(const Triangle& t, const Convert& number) {
  std::array<Number, 3> e;
  std::array<Number, 3> f;
  for (size_t k = 0; k < 3; ++k) {
    e[k] = number(t.b[k]) - number(t.a[k]);
    f[k] = number(t.c[k]) - number(t.a[k]);
  }
  return {Number(e[1] * f[2] - e[2] * f[1]), Number(e[2] * f[0] - e[0] * f[2]),
          Number(e[0] * f[1] - e[1] * f[0])};
}

}  // namespace

CellNumber::CellNumber(Rational value) : exact(std::move(value)) {
  const double x = exact.convert_to<double>();
  near = Bounded(
      x, std::isfinite(x) && Rational(x) == exact
             ? 0.0
             : std::abs(x) * 0x1p-50 + std::numeric_limits<double>::min());
}

int CrossingAt(const CellPoint& p, size_t axis, const Triangle& t) {
  const int side = SideOf(t.a, t.b, p, axis);
  const bool is_crossed =
      SideOf(t.b, t.c, p, axis) == side && SideOf(t.c, t.a, p, axis) == side;
  return is_crossed ? side : 0;
}

int CompareHeights(const CellPoint& p, size_t axis, const Triangle& s,
                   const Triangle& t) {
  const std::array<int, 3> sides = {Orient3d(t.a, t.b, t.c, s.a),
                                    Orient3d(t.a, t.b, t.c, s.b),
                                    Orient3d(t.a, t.b, t.c, s.c)};
  if (sides[0] == 0 && sides[1] == 0 && sides[2] == 0) return 0;
  const size_t u = AxisU(axis);
  const size_t v = AxisV(axis);
  // Product of the signs of the normals' components along the axis, which are
  // not 0.
  const int turns =
      Orient2d(s.a, s.b, s.c, u, v) * Orient2d(t.a, t.b, t.c, u, v);
  const auto compare = [&](const auto& of, const auto& number) {
    using Number = decltype(number(0.0));
    const auto ns = NormalOf<Number>(s, number);
    const auto nt = NormalOf<Number>(t, number);
    const auto height = [&](const Triangle& x, const auto& n) {
      return Number(n[axis] * number(x.a[axis]) -
                    n[u] * (of(p.u) - number(x.a[u])) -
                    n[v] * (of(p.v) - number(x.a[v])));
    };
    return Number(height(s, ns) * nt[axis] - height(t, nt) * ns[axis]);
  };
  if (const int sign = SignOfFormula(compare); sign != 0) return sign * turns;
  // The triangles intersect here, so the shift of p decides: by u first, then
  // by v.
  for (const size_t k : {u, v}) {
    const int sign = SignOfFormula([&](const auto&, const auto& number) {
      using Number = decltype(number(0.0));
      const auto ns = NormalOf<Number>(s, number);
      const auto nt = NormalOf<Number>(t, number);
      return Number(nt[k] * ns[axis] - ns[k] * nt[axis]);
    });
    if (sign != 0) return sign * turns;
  }
  return 0;
}

}  // namespace orbox
