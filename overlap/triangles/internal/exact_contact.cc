#include "orbox/overlap/triangles/internal/exact_contact.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/triangles/internal/exact_points.h"

namespace orbox::exact {
namespace {

// A triangle, a segment or a point: what a triangle's corners span.
struct Simplex {
  std::vector<Point> corners;

  size_t size() const { return corners.size(); }
};

bool IsZero(const Point& v) {
  return v.x.Sign() == 0 && v.y.Sign() == 0 && v.z.Sign() == 0;
}

Point Normal(const Point& a, const Point& b, const Point& c) {
  return Cross(b - a, c - a);
}

// The first and the last of sorted corners are the ends of a segment.
Simplex SpanOf(const Triangle& sorted) {
  const Corners t = Lift(sorted);
  if (!IsZero(Normal(t[0], t[1], t[2]))) return {{t[0], t[1], t[2]}};
  if (!IsZero(t[2] - t[0])) return {{t[0], t[2]}};
  return {{t[0]}};
}

bool Contains(const Simplex& s, const Point& p) {
  const Point w = p - s.corners[0];
  if (s.size() == 1) return IsZero(w);
  const Point e = s.corners[1] - s.corners[0];
  if (s.size() == 2) {
    const Exact along = Dot(w, e);
    return IsZero(Cross(w, e)) && along.Sign() >= 0 && along <= SquaredNorm(e);
  }
  const Point n = Cross(e, s.corners[2] - s.corners[0]);
  if (Dot(n, w).Sign() != 0) return false;
  for (size_t i = 0; i < 3; ++i) {
    const Point& a = s.corners[i];
    const Point& b = s.corners[(i + 1) % 3];
    if (Dot(n, Normal(a, b, p)).Sign() < 0) return false;
  }
  return true;
}

struct Edge {
  Point a;
  Point b;
};

std::vector<Edge> EdgesOf(const Simplex& s) {
  if (s.size() == 1) return {};
  if (s.size() == 2) return {{s.corners[0], s.corners[1]}};
  return {{s.corners[0], s.corners[1]},
          {s.corners[1], s.corners[2]},
          {s.corners[2], s.corners[0]}};
}

bool IsStrictlyBetween(const Exact& value, const Exact& limit) {
  return value.Sign() > 0 && value < limit;
}

// The one point that is inside of both edges.
std::optional<RationalPoint> Crossing(const Edge& e, const Edge& f) {
  const Point d = e.b - e.a;
  const Point g = f.b - f.a;
  const Point n = Cross(d, g);
  const Exact nn = SquaredNorm(n);
  const Point w = f.a - e.a;
  if (nn.Sign() == 0 || Dot(n, w).Sign() != 0) return std::nullopt;
  const Exact s = Dot(Cross(w, g), n);
  const Exact t = Dot(Cross(w, d), n);
  if (!IsStrictlyBetween(s, nn) || !IsStrictlyBetween(t, nn)) {
    return std::nullopt;
  }
  return RationalPoint{.base = e.a, .offset = d * s, .denominator = nn};
}

RationalPoint PlaneCrossing(const Point& p, const Point& q,
                            const Exact& height_p, const Exact& height_q) {
  const Exact fall = height_p - height_q;
  // A positive denominator lets signs be read off numerators.
  return fall.Sign() > 0 ? RationalPoint{.base = p,
                                         .offset = (q - p) * height_p,
                                         .denominator = fall}
                         : RationalPoint{.base = p,
                                         .offset = (p - q) * height_p,
                                         .denominator = -fall};
}

// The one point that is inside of both the edge and the face of a triangle.
std::optional<RationalPoint> Piercing(const Edge& e, const Simplex& face) {
  if (face.size() < 3) return std::nullopt;
  const Point& a = face.corners[0];
  const Point& b = face.corners[1];
  const Point& c = face.corners[2];
  const Point n = Normal(a, b, c);
  const Exact height_a = Dot(n, e.a - a);
  const Exact height_b = Dot(n, e.b - a);
  if (height_a.Sign() * height_b.Sign() >= 0) return std::nullopt;
  const Point d = e.b - e.a;
  const int side = Dot(d, Cross(a - e.a, b - e.a)).Sign();
  if (side == 0 || Dot(d, Cross(b - e.a, c - e.a)).Sign() != side ||
      Dot(d, Cross(c - e.a, a - e.a)).Sign() != side) {
    return std::nullopt;
  }
  return PlaneCrossing(e.a, e.b, height_a, height_b);
}

// The corners of the common set: corners of one in the other, and points inside
// of two edges or of an edge and a face. No point is found twice, but for
// corners that coincide.
std::vector<RationalPoint> CommonCorners(const Simplex& s, const Simplex& t) {
  std::vector<RationalPoint> points;
  for (const Point& p : s.corners) {
    if (Contains(t, p)) points.push_back({.base = p, .offset = {}});
  }
  for (const Point& p : t.corners) {
    if (Contains(s, p) &&
        std::find(s.corners.begin(), s.corners.end(), p) == s.corners.end()) {
      points.push_back({.base = p, .offset = {}});
    }
  }
  const auto add = [&points](const std::optional<RationalPoint>& p) {
    if (p.has_value()) points.push_back(*p);
  };
  for (const Edge& e : EdgesOf(s)) {
    for (const Edge& f : EdgesOf(t)) add(Crossing(e, f));
    add(Piercing(e, t));
  }
  for (const Edge& f : EdgesOf(t)) add(Piercing(f, s));
  return points;
}

// Whether q is to the left of the way from o to p, seen against n: by the sign
// of the triple product, denominators being positive.
bool IsLeft(const RationalPoint& o, const RationalPoint& p,
            const RationalPoint& q, const Point& n) {
  const Point to_p =
      p.Numerator() * o.denominator - o.Numerator() * p.denominator;
  const Point to_q =
      q.Numerator() * o.denominator - o.Numerator() * q.denominator;
  return Dot(n, Cross(to_p, to_q)).Sign() > 0;
}

}  // namespace

TriangleContact ContactOf(const Triangle& s, const Triangle& t) {
  const Simplex first = SpanOf(s);
  std::vector<RationalPoint> points = CommonCorners(first, SpanOf(t));
  if (points.size() > 2) {
    // Corners of a convex polygon: all others are in half a turn around one.
    const Point n =
        Normal(first.corners[0], first.corners[1], first.corners[2]);
    std::sort(points.begin() + 1, points.end(),
              [&](const RationalPoint& p, const RationalPoint& q) {
                return IsLeft(points[0], p, q, n);
              });
  }
  TriangleContact contact;
  for (const RationalPoint& p : points) contact.Add(p.Rounded());
  return contact;
}

bool Contains(const Triangle& t, const Vec3& p) {
  return Contains(SpanOf(t), Lift(p));
}

Vec3 CrossingPoint(const Vec3& p, const Vec3& q, const Triangle& t) {
  const Corners c = Lift(t);
  const Point n = Normal(c[0], c[1], c[2]);
  return PlaneCrossing(Lift(p), Lift(q), Dot(n, Lift(p) - c[0]),
                       Dot(n, Lift(q) - c[0]))
      .Rounded();
}

}  // namespace orbox::exact
