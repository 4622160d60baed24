#include "orbox/overlap/triangles/internal/exact_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/exact_points.h"

namespace orbox::exact {
namespace {

// The closest pair of points found so far, of sets P and Q.
class Closest {
 public:
  // Whether numerator / denominator (> 0) is below the squared distance so far.
  bool Improves(const Exact& numerator, const Exact& denominator) const {
    return empty_ || numerator * denominator_ < numerator_ * denominator;
  }
  void Set(const Exact& numerator, const Exact& denominator, RationalPoint on_p,
           RationalPoint on_q) {
    empty_ = false;
    numerator_ = numerator;
    denominator_ = denominator;
    on_p_ = std::move(on_p);
    on_q_ = std::move(on_q);
  }
  // The squared distance is numerator() / denominator().
  const Exact& numerator() const { return numerator_; }
  const Exact& denominator() const { return denominator_; }
  const RationalPoint& on_p() const { return on_p_; }
  const RationalPoint& on_q() const { return on_q_; }
  bool IsZero() const { return !empty_ && numerator_.Sign() == 0; }
  void Swap() { std::swap(on_p_, on_q_); }

 private:
  bool empty_ = true;
  Exact numerator_;
  Exact denominator_ = 1;
  RationalPoint on_p_;
  RationalPoint on_q_;
};

// Each Try function looks at the relative interiors of one feature of P and one
// of Q (a vertex, an open edge, an open face): where the distance has a minimum
// there, it is remembered if it is smaller than what was known. The closest
// points of two triangles lie in the interiors of one such pair of features.

void TryVertices(const Point& p, const Point& q, Closest* best) {
  const Exact squared = SquaredNorm(q - p);
  if (best->Improves(squared, 1)) {
    best->Set(squared, 1, {.base = p, .offset = {}}, {.base = q, .offset = {}});
  }
}

void TryVertexEdge(const Point& p, const Point& a, const Point& b,
                   Closest* best) {
  const Point d = b - a;
  const Point w = p - a;
  const Exact t = Dot(w, d);
  const Exact dd = SquaredNorm(d);
  if (t.Sign() <= 0 || t >= dd) return;
  const Exact squared = SquaredNorm(w) * dd - t * t;
  if (best->Improves(squared, dd)) {
    best->Set(squared, dd, {.base = p, .offset = {}},
              {.base = a, .offset = d * t, .denominator = dd});
  }
}

void TryVertexFace(const Point& p, const Point& a, const Point& b,
                   const Point& c, Closest* best) {
  const Point ab = b - a;
  const Point ac = c - a;
  const Point n = Cross(ab, ac);
  const Exact nn = SquaredNorm(n);
  if (nn.Sign() == 0) return;
  const Point w = p - a;
  const Exact v = Dot(Cross(w, ac), n);
  const Exact u = Dot(Cross(ab, w), n);
  if (v.Sign() <= 0 || u.Sign() <= 0 || v + u >= nn) return;
  const Exact height = Dot(n, w);
  if (best->Improves(height * height, nn)) {
    best->Set(height * height, nn, {.base = p, .offset = {}},
              {.base = a, .offset = ab * v + ac * u, .denominator = nn});
  }
}

void TryEdges(const Point& a, const Point& b, const Point& c, const Point& d,
              Closest* best) {
  const Point d1 = b - a;
  const Point d2 = d - c;
  const Point n = Cross(d1, d2);
  const Exact nn = SquaredNorm(n);
  if (nn.Sign() == 0) return;  // parallel: a vertex is as close
  const Point w = c - a;
  const Exact s = Dot(Cross(w, d2), n);
  const Exact t = Dot(Cross(w, d1), n);
  if (s.Sign() <= 0 || s >= nn || t.Sign() <= 0 || t >= nn) return;
  const Exact height = Dot(n, w);
  if (best->Improves(height * height, nn)) {
    best->Set(height * height, nn,
              {.base = a, .offset = d1 * s, .denominator = nn},
              {.base = c, .offset = d2 * t, .denominator = nn});
  }
}

Closest Solve(const Vec3& point, const Triangle& triangle) {
  const Point p = Lift(point);
  const Corners t = Lift(triangle);
  Closest best;
  for (const Point& q : t) TryVertices(p, q, &best);
  for (const auto& [i, j] : kEdges) TryVertexEdge(p, t[i], t[j], &best);
  TryVertexFace(p, t[0], t[1], t[2], &best);
  return best;
}

void TryVertexFaceAndEdges(const Point& p, const Corners& t, Closest* best) {
  for (const auto& [i, j] : kEdges) TryVertexEdge(p, t[i], t[j], best);
  TryVertexFace(p, t[0], t[1], t[2], best);
}

Closest Solve(const Triangle& first, const Triangle& second) {
  const ClosestCandidates candidates(first, second);
  const Corners s = Lift(first);
  const Corners t = Lift(second);
  Closest best;
  for (size_t i = 0; i < 3; ++i) {
    if (!candidates.HasVertexOfFirst(i)) continue;
    for (size_t j = 0; j < 3; ++j) {
      if (candidates.HasVertexOfSecond(j)) TryVertices(s[i], t[j], &best);
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    if (candidates.HasVertexOfFirst(i)) TryVertexFaceAndEdges(s[i], t, &best);
  }
  best.Swap();
  for (size_t i = 0; i < 3; ++i) {
    if (candidates.HasVertexOfSecond(i)) TryVertexFaceAndEdges(t[i], s, &best);
  }
  best.Swap();
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (!candidates.HasEdges(i, j)) continue;
      TryEdges(s[kEdges[i][0]], s[kEdges[i][1]], t[kEdges[j][0]],
               t[kEdges[j][1]], &best);
    }
  }
  return best;
}

int Compare(const Closest& closest, double distance) {
  const Exact d = distance;
  return (closest.numerator() - d * d * closest.denominator()).Sign();
}

bool IsWithin(const Closest& closest, double distance) {
  return Compare(closest, distance) <= 0;
}

// The squared distance between neighbouring doubles.
DistanceInterval SquaredBounds(const Closest& closest) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double nearest =
      RoundedQuotient(closest.numerator(), closest.denominator());
  if (nearest == kInfinity) {
    return {std::numeric_limits<double>::max(), kInfinity};
  }
  const int order =
      (closest.numerator() - Exact(nearest) * closest.denominator()).Sign();
  return {order < 0 ? std::nextafter(nearest, -kInfinity) : nearest,
          order > 0 ? std::nextafter(nearest, kInfinity) : nearest};
}

// Only what is zero becomes zero.
double RoundedDistance(const Closest& closest) {
  if (closest.IsZero()) return 0;
  return std::max(
      RoundedSqrtOfQuotient(closest.numerator(), closest.denominator()),
      std::numeric_limits<double>::denorm_min());
}

// Whether `axis` strictly separates the box [lo, hi] from the triangle.
bool Separates(const Point& axis, const Point& lo, const Point& hi,
               const Corners& t) {
  Exact box_lo, box_hi;
  for (size_t i = 0; i < 3; ++i) {
    const bool up = axis[i].Sign() >= 0;
    box_lo = box_lo + axis[i] * (up ? lo[i] : hi[i]);
    box_hi = box_hi + axis[i] * (up ? hi[i] : lo[i]);
  }
  bool above = true, below = true;
  for (const Point& p : t) {
    const Exact height = Dot(axis, p);
    above = above && height > box_hi;
    below = below && height < box_lo;
  }
  return above || below;
}

// Separating axes: the box's three, the triangle's normal, and the nine
// products of a box axis and a triangle edge. They suffice for flat boxes and
// degenerate triangles too: a small thickening along box axes, which adds no
// new axis, does not make disjoint compact sets meet.
bool BoxOverlaps(const Point& lo, const Point& hi, const Corners& t) {
  const Point units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Point& unit : units) {
    if (Separates(unit, lo, hi, t)) return false;
  }
  if (Separates(Cross(t[1] - t[0], t[2] - t[0]), lo, hi, t)) return false;
  for (const auto& [i, j] : kEdges) {
    const Point edge = t[j] - t[i];
    for (const Point& unit : units) {
      if (Separates(Cross(unit, edge), lo, hi, t)) return false;
    }
  }
  return true;
}

}  // namespace

bool Overlaps(const Aabb& box, const Triangle& t) {
  return BoxOverlaps(Lift(box.lo), Lift(box.hi), Lift(t));
}

// The map x -> (axes[i] . (x - center)) turns the box into an AABB and the
// triangle into a triangle, and a point is in the box exactly where its image
// is; it need not be a rotation for that.
bool Overlaps(const Obb& box, const Triangle& t) {
  const Point center = Lift(box.center);
  const Point extents = Lift(box.half_extents);
  Corners image = Lift(t);
  for (Point& p : image) {
    const Point w = p - center;
    p = {Dot(Lift(box.axes[0]), w), Dot(Lift(box.axes[1]), w),
         Dot(Lift(box.axes[2]), w)};
  }
  return BoxOverlaps(-extents, extents, image);
}

bool WithinDistance(const Vec3& p, const Triangle& t, double distance) {
  return IsWithin(Solve(p, t), distance);
}

bool WithinDistance(const Triangle& s, const Triangle& t, double distance) {
  return IsWithin(Solve(s, t), distance);
}

int CompareDistance(const Vec3& p, const Triangle& t, double limit) {
  return Compare(Solve(p, t), limit);
}

int CompareDistance(const Triangle& s, const Triangle& t, double limit) {
  return Compare(Solve(s, t), limit);
}

DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t) {
  return SquaredBounds(Solve(p, t));
}

DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t) {
  return SquaredBounds(Solve(s, t));
}

PointTriangleDistance Distance(const Vec3& p, const Triangle& t) {
  const Closest closest = Solve(p, t);
  return {RoundedDistance(closest), closest.on_q().Rounded()};
}

TrianglePairDistance Distance(const Triangle& s, const Triangle& t) {
  const Closest closest = Solve(s, t);
  return {RoundedDistance(closest), closest.on_p().Rounded(),
          closest.on_q().Rounded()};
}

}  // namespace orbox::exact
