// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/ray_in_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"

namespace orbox {
namespace {

struct CoordinatePlane {
  size_t u;
  size_t v;
};

CoordinatePlane PlaneAcross(size_t axis) {
  return {(axis + 1) % 3, (axis + 2) % 3};
}

template <typename Number>
struct InPlane {
  Number u;
  Number v;
};

InPlane<double> Way(const CoordinatePlane& plane, const Vec3& from,
                    const Vec3& to) {
  return {to[plane.u] - from[plane.u], to[plane.v] - from[plane.v]};
}
InPlane<DoubleDouble> LongWay(const CoordinatePlane& plane, const Vec3& from,
                              const Vec3& to) {
  return {TwoDifference(to[plane.u], from[plane.u]),
          TwoDifference(to[plane.v], from[plane.v])};
}

double Area(const InPlane<double>& p, const InPlane<double>& q) {
  return p.u * q.v - p.v * q.u;
}

// A pair of doubles, and a bound of its error.
using BoundedPair = BoundedLong<double>;

// Products and sums of pairs have errors of 4 u^2 each.
BoundedPair Area(const InPlane<DoubleDouble>& p,
                 const InPlane<DoubleDouble>& q) {
  const DoubleDouble left = Product(p.u, q.v);
  const DoubleDouble right = Product(p.v, q.u);
  const double size = std::abs(left.hi) + std::abs(right.hi);
  return {Sum(left, Negated(right)),
          16 * kRoundoff * kRoundoff * size + 0x1p-1000};
}

BoundedPair Difference(const BoundedPair& a, const BoundedPair& b) {
  const double size = std::abs(a.value.hi) + std::abs(b.value.hi);
  return {
      Sum(a.value, Negated(b.value)),
      (a.error + b.error + 5 * kRoundoff * kRoundoff * size) * (1 + 0x1p-50)};
}

// Rounds quotients of pairs, like a Judge (ladder.h). Takes a third of the time
// of a Judge, because only the result has an error bound.
class Quotients {
 public:
  // Let N and D be the leading parts, and q their quotient. Then N - q D has no
  // error. The terms that are added to it are rounded three times, by less than
  // 6 u^2 N. The divisor has a relative error of 2^-50, which becomes a
  // relative error of the correction.
  template <typename Then>
  double Rounded(const BoundedPair& n, const BoundedPair& d, const Then& then) {
    const double size = std::abs(d.value.hi);
    const double q = n.value.hi / d.value.hi;
    const DoubleDouble product = TwoProduct(q, d.value.hi);
    const double rest = ((n.value.hi - product.hi) - product.lo) +
                        (n.value.lo - q * d.value.lo);
    const double correction = rest / d.value.hi;
    const double slack = (8 * kRoundoff * kRoundoff * std::abs(n.value.hi) +
                          n.error + std::abs(q) * d.error) /
                             size * (1 + 0x1p-40) +
                         std::abs(correction) * 0x1p-48;
    const double below = then(q + (correction - slack));
    // Within these limits, nothing overflows or underflows.
    const bool is_in_range =
        n.value.hi == 0 ||
        (std::abs(n.value.hi) > 0x1p-800 && std::abs(n.value.hi) < 0x1p800);
    is_undecided_ = is_undecided_ || !is_in_range || !(size > 0x1p-800) ||
                    !(size < 0x1p800) || !(d.error <= 0x1p-51 * size) ||
                    below != then(q + (correction + slack));
    return below;
  }

  bool is_undecided() const { return is_undecided_; }

 private:
  bool is_undecided_ = false;
};

// An area in double, and a bound of its error.
struct RoughArea {
  // `roundings` counts the roundings of one of the two products: those of its
  // factors, its own, and the one of the difference. Half a rounding more
  // covers the products of errors.
  RoughArea(const InPlane<double>& p, const InPlane<double>& q, int roundings)
      : value(Area(p, q)), size(std::abs(p.u * q.v) + std::abs(p.v * q.u)) {
    error = (roundings + 0.5) * kRoundoff * size;
    // Within these limits, nothing overflows, and underflow is far below the
    // error.
    is_in_range = size > 0x1p-700 && size < 0x1p700;
  }

  bool is_certain() const { return is_in_range && std::abs(value) > error; }

  double value;
  double size;  // the sum of the magnitudes of its products
  double error;
  bool is_in_range;
};

// Returns true if an edge is parallel to the line because both are parallel to
// an axis.
bool IsAlongAxis(const InPlane<double>& edge, const InPlane<double>& d) {
  return (edge.u == 0 && d.u == 0) || (edge.v == 0 && d.v == 0);
}

// Bounds of the parameter at which the line crosses an edge.
struct PlaneBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Returns bounds of level / rise. Requires that `rise` is certain.
PlaneBounds QuotientOf(const RoughArea& level, const RoughArea& rise) {
  const double t = level.value / rise.value;
  const double error = (level.error + std::abs(t) * rise.error) /
                           (std::abs(rise.value) - rise.error) * (1 + 0x1p-40) +
                       4 * kRoundoff * std::abs(t);
  return {t - error, t + error};
}

// The interval of a ray in a triangle, as far as doubles decide it. kHit: there
// is a hit, but the edge at which the ray enters is undecided.
struct Clip {
  enum class Verdict { kUndecided, kMiss, kHit, kEnters, kStartsInside };
  Verdict verdict = Verdict::kUndecided;
  size_t entered = 0;  // the number of the edge's first corner
};

Clip ClipOf(const Ray& ray, const Triangle& t, const CoordinatePlane& plane,
            double max_t) {
  using Verdict = Clip::Verdict;
  const InPlane<double> d = {ray.direction[plane.u], ray.direction[plane.v]};
  std::array<InPlane<double>, 3> corners;
  std::array<InPlane<double>, 3> edges;
  for (size_t i = 0; i < 3; ++i) {
    corners[i] = Way(plane, ray.origin, t[i]);
    edges[i] = Way(plane, t[i], t[(i + 1) % 3]);
  }
  const RoughArea area(edges[0], edges[1], 4);
  if (!area.is_certain()) return {};
  const double turn = area.value > 0 ? 1 : -1;

  // Liang, Barsky 1984: the points x of the triangle are those on the inner
  // side of all edges, with Area(edge, x - corner) >= 0.
  PlaneBounds from{-std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  PlaneBounds to{std::numeric_limits<double>::infinity(),
                 std::numeric_limits<double>::infinity()};
  Clip clip;
  bool is_edge_certain = false;
  for (size_t i = 0; i < 3; ++i) {
    const RoughArea rise(edges[i], d, 3);
    const RoughArea level(edges[i], corners[i], 4);
    if (IsAlongAxis(edges[i], d) && level.is_certain()) {
      if (level.value * turn < 0) continue;
      clip.verdict = Verdict::kMiss;
      return clip;
    }
    if (!rise.is_certain() || !level.is_in_range) return {};
    const PlaneBounds at = QuotientOf(level, rise);
    if (!(at.high - at.low < std::numeric_limits<double>::infinity())) {
      return {};
    }
    if (rise.value * turn > 0) {
      if (at.low > from.low) clip.entered = i;
      is_edge_certain = at.low > from.high || at.high < from.low;
      from = {std::max(from.low, at.low), std::max(from.high, at.high)};
    } else {
      to = {std::min(to.low, at.low), std::min(to.high, at.high)};
    }
  }
  if (from.low > to.high || to.high < 0 || from.low > max_t) {
    clip.verdict = Verdict::kMiss;
  } else if (from.high < to.low && to.low > 0) {
    if (from.high < 0) {
      clip.verdict = Verdict::kStartsInside;
    } else if (from.high < max_t) {
      clip.verdict =
          from.low > 0 && is_edge_certain ? Verdict::kEnters : Verdict::kHit;
    }
  }
  return clip;
}

}  // namespace

std::optional<std::optional<RayTriangleHit>> IntersectInPlane(
    const Ray& ray, const Triangle& triangle, size_t axis, double max_t) {
  using Verdict = Clip::Verdict;
  const CoordinatePlane plane = PlaneAcross(axis);
  const Clip clip = ClipOf(ray, triangle, plane, max_t);
  if (clip.verdict == Verdict::kMiss) return std::optional<RayTriangleHit>();
  if (clip.verdict == Verdict::kUndecided || clip.verdict == Verdict::kHit) {
    return std::nullopt;
  }
  const auto corner = [&](size_t i) {
    return LongWay(plane, ray.origin, triangle[i]);
  };
  const auto edge = [&](size_t i) {
    return LongWay(plane, triangle[i], triangle[(i + 1) % 3]);
  };
  Quotients quotients;
  double t = 0;
  std::array<double, 3> weights{};
  if (clip.verdict == Verdict::kStartsInside) {
    const BoundedPair whole = Area(edge(0), edge(1));
    weights[1] =
        quotients.Rounded(Area(corner(2), corner(0)), whole, RoundedWeight);
    weights[2] =
        quotients.Rounded(Area(corner(0), corner(1)), whole, RoundedWeight);
  } else {
    const size_t i = clip.entered;
    const size_t next = (i + 1) % 3;
    const InPlane<DoubleDouble> d = {{ray.direction[plane.u], 0},
                                     {ray.direction[plane.v], 0}};
    const InPlane<DoubleDouble> at = corner(i);
    const InPlane<DoubleDouble> along = edge(i);
    const BoundedPair rise = Area(along, d);
    const BoundedPair part = Area(d, at);
    t = quotients.Rounded(Area(along, at), rise, [](double x) { return x; });
    if (next != 0) {
      weights[next] = quotients.Rounded(part, rise, RoundedWeight);
    }
    if (i != 0) {
      weights[i] =
          quotients.Rounded(Difference(rise, part), rise, RoundedWeight);
    }
  }
  if (quotients.is_undecided()) return std::nullopt;
  return HitAt(triangle, t, weights[1], weights[2]);
}

std::optional<bool> OverlapsInPlane(const Ray& ray, const Triangle& triangle,
                                    size_t axis, double max_t) {
  const Clip clip = ClipOf(ray, triangle, PlaneAcross(axis), max_t);
  if (clip.verdict == Clip::Verdict::kUndecided) return std::nullopt;
  return clip.verdict != Clip::Verdict::kMiss;
}

}  // namespace orbox
