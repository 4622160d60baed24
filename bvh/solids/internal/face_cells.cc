// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/internal/face_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

struct PointInFace {
  Rational u;
  Rational v;
};

// A segment from the end with the smaller u to the other end.
struct Segment2 {
  Segment2(PointInFace first, PointInFace last);

  // Returns true if the segments certainly have no common point.
  bool IsApartFrom(const Segment2& s) const {
    return hi.x < s.lo.x || s.hi.x < lo.x || hi.y < s.lo.y || s.hi.y < lo.y;
  }
  Rational At(const Rational& u) const {
    return from.v + (to.v - from.v) * (u - from.u) / (to.u - from.u);
  }
  // Returns At(u) near a double u between the ends, with an error bound. The
  // bound is infinite if rational numbers are necessary.
  Bounded Near(double u) const {
    if (!is_double) return {0, std::numeric_limits<double>::infinity()};
    const double share = (u - ends[0].x) / (ends[1].x - ends[0].x);
    // The fraction is at most 1, and rounded three times.
    return {ends[0].y + (ends[1].y - ends[0].y) * share,
            0x1p-48 * (std::abs(ends[0].y) + std::abs(ends[1].y)) +
                std::numeric_limits<double>::min()};
  }

  PointInFace from;
  PointInFace to;
  // The ends as (u, v, 0), rounded if necessary, and their bounds.
  std::array<Vec3, 2> ends;
  bool is_double;
  Vec3 lo;
  Vec3 hi;
};

// The error is about one unit in the last place.
Vec3 Rounded(const PointInFace& p) {
  return {p.u.convert_to<double>(), p.v.convert_to<double>(), 0};
}

Segment2::Segment2(PointInFace first, PointInFace last)
    : from(std::move(first)),
      to(std::move(last)),
      ends{Rounded(from), Rounded(to)},
      is_double(Rational(ends[0].x) == from.u &&
                Rational(ends[0].y) == from.v && Rational(ends[1].x) == to.u &&
                Rational(ends[1].y) == to.v),
      lo(Min(ends[0], ends[1])),
      hi(Max(ends[0], ends[1])) {
  if (is_double) return;
  constexpr double kLeast = std::numeric_limits<double>::min();
  const Vec3 by = (Abs(lo) + Abs(hi)) * 0x1p-50 + Vec3{kLeast, kLeast, 0};
  lo -= by;
  hi += by;
}

// The segments that bound the cells of a face.
class FaceSegments {
 public:
  FaceSegments(const Triangle& face, size_t axis)
      : face_(face), axis_(axis), bounds_(BoundsOf(face)) {
    for (size_t k = 0; k < 3; ++k) AddEdge(face[k], face[(k + 1) % 3]);
  }

  void Add(const Triangle& t);
  // The first three are the edges of the face, in any order.
  std::vector<Segment2> Take();

 private:
  using Ends = std::array<double, 4>;

  // Adds an edge in the face's plane.
  void AddEdge(const Vec3& a, const Vec3& b) {
    const size_t u = AxisU(axis_);
    const size_t v = AxisV(axis_);
    Ends ends{a[u], a[v], b[u], b[v]};
    if (std::tie(ends[2], ends[3]) < std::tie(ends[0], ends[1])) {
      ends = {ends[2], ends[3], ends[0], ends[1]};
    }
    if (ends[2] < bounds_.lo[u] || ends[0] > bounds_.hi[u] ||
        std::max(ends[1], ends[3]) < bounds_.lo[v] ||
        std::min(ends[1], ends[3]) > bounds_.hi[v]) {
      return;
    }
    edges_.push_back(ends);
  }
  PointInFace Entry(const Vec3& p, const Vec3& q) const;

  const Triangle& face_;
  size_t axis_;
  Aabb bounds_;
  std::vector<Ends> edges_;
  std::vector<Segment2> others_;
};

// Returns the point at which the segment from p to q crosses the plane of the
// face. Requires that the ends are on different sides.
PointInFace FaceSegments::Entry(const Vec3& p, const Vec3& q) const {
  using Point3 = std::array<Rational, 3>;
  const auto from = [](const Vec3& a, const Vec3& b) {
    return Point3{Rational(Rational(b.x) - Rational(a.x)),
                  Rational(Rational(b.y) - Rational(a.y)),
                  Rational(Rational(b.z) - Rational(a.z))};
  };
  const Point3 e = from(face_.a, face_.b);
  const Point3 f = from(face_.a, face_.c);
  const auto height = [&](const Vec3& at) {
    const Point3 d = from(face_.a, at);
    return Rational((e[1] * f[2] - e[2] * f[1]) * d[0] +
                    (e[2] * f[0] - e[0] * f[2]) * d[1] +
                    (e[0] * f[1] - e[1] * f[0]) * d[2]);
  };
  const Rational at_p = height(p);
  const Rational share = at_p / (at_p - height(q));
  const auto between = [&](size_t k) {
    return Rational(Rational(p[k]) + (Rational(q[k]) - Rational(p[k])) * share);
  };
  return {between(AxisU(axis_)), between(AxisV(axis_))};
}

void FaceSegments::Add(const Triangle& t) {
  std::array<int, 3> side;
  for (size_t k = 0; k < 3; ++k) {
    side[k] = Orient3d(face_.a, face_.b, face_.c, t[k]);
  }
  const auto count = [&](int sign) {
    return std::count(side.begin(), side.end(), sign);
  };
  if (count(0) >= 2) {
    for (size_t k = 0; k < 3; ++k) {
      const size_t next = (k + 1) % 3;
      if (side[k] == 0 && side[next] == 0) AddEdge(t[k], t[next]);
    }
    return;
  }
  if (count(1) == 0 || count(-1) == 0) return;
  // The boundary of the face may only touch the triangle's plane.
  bool is_above = false;
  bool is_below = false;
  for (size_t k = 0; k < 3; ++k) {
    const int s = Orient3d(t.a, t.b, t.c, face_[k]);
    is_above = is_above || s > 0;
    is_below = is_below || s < 0;
  }
  if (!is_above || !is_below) return;
  std::vector<PointInFace> ends;
  for (size_t k = 0; k < 3; ++k) {
    const size_t next = (k + 1) % 3;
    if (side[k] == 0) {
      ends.push_back(
          {Rational(t[k][AxisU(axis_)]), Rational(t[k][AxisV(axis_)])});
    } else if (side[k] == -side[next]) {
      ends.push_back(Entry(t[k], t[next]));
    }
  }
  if (ends.size() != 2) return;
  if (std::tie(ends[1].u, ends[1].v) < std::tie(ends[0].u, ends[0].v)) {
    std::swap(ends[0], ends[1]);
  }
  others_.emplace_back(ends[0], ends[1]);
}

std::vector<Segment2> FaceSegments::Take() {
  std::sort(edges_.begin() + 3, edges_.end());
  edges_.erase(std::unique(edges_.begin() + 3, edges_.end()), edges_.end());
  std::vector<Segment2> all;
  for (size_t i = 0; i < edges_.size(); ++i) {
    const Ends& e = edges_[i];
    // Other segments along the face's own edges are redundant.
    if (i >= 3 && std::find(edges_.begin(), edges_.begin() + 3, e) !=
                      edges_.begin() + 3) {
      continue;
    }
    all.emplace_back(PointInFace{Rational(e[0]), Rational(e[1])},
                     PointInFace{Rational(e[2]), Rational(e[3])});
  }
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

Rational Turn(const PointInFace& a, const PointInFace& b,
              const PointInFace& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

// Returns true if the ends of y are on different sides of x.
bool EndsOnBothSides(const Segment2& x, const Segment2& y) {
  const auto side = [&](size_t end) {
    return x.is_double && y.is_double
               ? Orient2d(x.ends[0], x.ends[1], y.ends[end], 0, 1)
               : Turn(x.from, x.to, end == 0 ? y.from : y.to).sign();
  };
  return side(0) * side(1) < 0;
}

// Adds the u at which two segments cross, if the ends of each are on different
// sides of the other.
void AddCrossing(const Segment2& x, const Segment2& y,
                 std::vector<Rational>* at) {
  if (x.IsApartFrom(y) || !EndsOnBothSides(x, y) || !EndsOnBothSides(y, x)) {
    return;
  }
  const Rational p = Turn(x.from, x.to, y.from);
  const Rational q = Turn(x.from, x.to, y.to);
  at->push_back(y.from.u + (y.to.u - y.from.u) * p / (p - q));
}

// Returns a number strictly between two others, a double if one is easily
// found. Avoids the middle, because edges of models are often there.
Rational Between(const Rational& low, const Rational& high) {
  const double lo = low.convert_to<double>();
  const double hi = high.convert_to<double>();
  const double guess = lo + (hi - lo) * 0.4375;
  if (std::isfinite(guess)) {
    Rational at(guess);
    if (low < at && at < high) return at;
  }
  return (low + high) / 2;
}

}  // namespace

std::optional<size_t> AxisToSee(const Triangle& t) {
  const Vec3 area = Abs(Cross(t.b - t.a, t.c - t.a));
  std::array<size_t, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(),
                   [&](size_t x, size_t y) { return area[x] > area[y]; });
  for (const size_t axis : axes) {
    if (Orient2d(t.a, t.b, t.c, AxisU(axis), AxisV(axis)) != 0) return axis;
  }
  return std::nullopt;
}

namespace {

// The segments that a line of constant u crosses, in their order.
class Slab {
 public:
  struct Place {
    size_t segment;
    Bounded near;  // v
  };

  Slab(const std::vector<Segment2>& segments, Rational u)
      : segments_(segments), u_(std::move(u)) {
    const double near = u_.convert_to<double>();
    is_double_ = Rational(near) == u_;
    for (size_t k = 0; k < segments.size(); ++k) {
      const Segment2& s = segments[k];
      if (near < s.lo.x || near > s.hi.x || !(s.from.u < u_ && u_ < s.to.u)) {
        continue;
      }
      places_.push_back(
          {k, is_double_
                  ? s.Near(near)
                  : Bounded(0, std::numeric_limits<double>::infinity())});
    }
    std::sort(places_.begin(), places_.end(),
              [this](const Place& x, const Place& y) {
                const int order = Compare(x, y);
                return order != 0 ? order < 0 : x.segment < y.segment;
              });
  }

  const std::vector<Place>& places() const { return places_; }
  const Rational& u() const { return u_; }

  int Compare(const Place& x, const Place& y) const {
    if (x.segment == y.segment) return 0;
    if (IsCertainlyBelow(x, y)) return -1;
    if (IsCertainlyBelow(y, x)) return 1;
    const Rational p = At(x);
    const Rational q = At(y);
    return p < q ? -1 : (q < p ? 1 : 0);
  }
  Rational Above(const Place& x, const Place& y) const {
    // Avoids the middle, because edges of models are often there.
    const double at = x.near.value + (y.near.value - x.near.value) * 0.4375;
    if (x.near.value + 2 * x.near.error < at &&
        at < y.near.value - 2 * y.near.error) {
      return Rational(at);
    }
    return Between(At(x), At(y));
  }

 private:
  static bool IsCertainlyBelow(const Place& x, const Place& y) {
    return x.near.value + 2 * x.near.error < y.near.value - 2 * y.near.error;
  }
  Rational At(const Place& p) const { return segments_[p.segment].At(u_); }

  const std::vector<Segment2>& segments_;
  Rational u_;
  bool is_double_ = false;
  std::vector<Place> places_;
};

}  // namespace

std::vector<CellPoint> PointsOfCells(const Triangle& face, size_t axis,
                                     std::span<const Triangle> others) {
  FaceSegments found(face, axis);
  for (const Triangle& t : others) found.Add(t);
  const std::vector<Segment2> segments = found.Take();
  // The segments keep their order in slabs between the u at which segments
  // begin, end or cross.
  std::vector<Rational> ends;
  for (size_t i = 0; i < segments.size(); ++i) {
    ends.push_back(segments[i].from.u);
    ends.push_back(segments[i].to.u);
    for (size_t k = 0; k < i; ++k) {
      AddCrossing(segments[k], segments[i], &ends);
    }
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<CellPoint> points;
  std::vector<std::pair<size_t, size_t>> before;  // cells of the last slab
  for (size_t i = 0; i + 1 < ends.size(); ++i) {
    const Slab slab(segments, Between(ends[i], ends[i + 1]));
    const std::vector<Slab::Place>& places = slab.places();
    // The face is between two of its edges, the first three segments.
    const auto is_own = [](const Slab::Place& p) { return p.segment < 3; };
    const auto low = std::find_if(places.begin(), places.end(), is_own);
    if (low == places.end()) continue;  // outside the face
    const auto high = std::find_if(low + 1, places.end(), is_own);
    std::vector<std::pair<size_t, size_t>> cells;
    size_t below = low->segment;
    for (auto p = low; p < high; ++p) {
      const auto next = p + 1;
      if (slab.Compare(*p, *next) == 0) continue;  // equal: keep one
      cells.emplace_back(below, next->segment);
      below = next->segment;
      // If the same two segments bounded a cell of the previous slab, the cells
      // are one cell.
      if (std::find(before.begin(), before.end(), cells.back()) ==
          before.end()) {
        points.push_back(
            {CellNumber(slab.u()), CellNumber(slab.Above(*p, *next))});
      }
    }
    before = std::move(cells);
  }
  return points;
}

}  // namespace orbox
