// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/exact_contact.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox::exact {
namespace {

template <typename Number>
Point<Number> Normal(const Point<Number>& a, const Point<Number>& b,
                     const Point<Number>& c) {
  return Cross(b - a, c - a);
}

template <typename Number>
struct Edge {
  Point<Number> a;
  Point<Number> b;
};

// The simplex of a triangle's corners: a triangle, a segment or a point.
template <typename Number>
struct Simplex {
  // The first and the last of sorted corners are the ends of a segment.
  Simplex(const Triangle& sorted, Judge<Number>* judge) {
    const Corners<Number> t = Lift<Number>(sorted);
    if (sorted.a == sorted.c) {
      corners = {t[0]};
    } else if (sorted.a == sorted.b || sorted.b == sorted.c ||
               IsZero(Normal(t[0], t[1], t[2]), judge)) {
      corners = {t[0], t[2]};
    } else {
      corners = {t[0], t[1], t[2]};
    }
  }

  size_t size() const { return corners.size(); }

  std::vector<Edge<Number>> Edges() const {
    if (size() == 1) return {};
    if (size() == 2) return {{corners[0], corners[1]}};
    return {{corners[0], corners[1]},
            {corners[1], corners[2]},
            {corners[2], corners[0]}};
  }

  std::vector<Point<Number>> corners;
};

// Computes relations and common points of simplices and edges. Its judge
// decides signs.
template <typename Number>
class ContactSolver {
 public:
  explicit ContactSolver(Judge<Number>* judge) : judge_(*judge) {}

  bool Contains(const Simplex<Number>& s, const Point<Number>& p) {
    const Point<Number> w = p - s.corners[0];
    if (s.size() == 1) return IsZero(w, &judge_);
    const Point<Number> e = s.corners[1] - s.corners[0];
    if (s.size() == 2) {
      const Number along = Dot(w, e);
      return IsZero(Cross(w, e), &judge_) && judge_.Sign(along) >= 0 &&
             judge_.Sign(SquaredNorm(e) - along) >= 0;
    }
    const Point<Number> n = Cross(e, s.corners[2] - s.corners[0]);
    if (judge_.Sign(Dot(n, w)) != 0) return false;
    for (size_t i = 0; i < 3; ++i) {
      const Point<Number>& a = s.corners[i];
      const Point<Number>& b = s.corners[(i + 1) % 3];
      if (judge_.Sign(Dot(n, Normal(a, b, p))) < 0) return false;
    }
    return true;
  }

  // Returns the corners of the common set: corners of one simplex in the other,
  // and common points inside two edges or inside an edge and a face. No point
  // is returned twice, except for corners that coincide.
  std::vector<RationalPoint<Number>> CommonCorners(const Simplex<Number>& s,
                                                   const Simplex<Number>& t) {
    std::vector<RationalPoint<Number>> points;
    for (const Point<Number>& p : s.corners) {
      if (Contains(t, p)) points.push_back({.base = p, .offset = {}});
    }
    for (const Point<Number>& p : t.corners) {
      const auto is_p = [&](const Point<Number>& q) {
        return IsZero(q - p, &judge_);
      };
      if (Contains(s, p) &&
          std::none_of(s.corners.begin(), s.corners.end(), is_p)) {
        points.push_back({.base = p, .offset = {}});
      }
    }
    const auto add = [&points](const std::optional<RationalPoint<Number>>& p) {
      if (p.has_value()) points.push_back(*p);
    };
    for (const Edge<Number>& e : s.Edges()) {
      for (const Edge<Number>& f : t.Edges()) add(Crossing(e, f));
      add(Piercing(e, t));
    }
    for (const Edge<Number>& f : t.Edges()) add(Piercing(f, s));
    return points;
  }

  RationalPoint<Number> PlaneCrossing(const Point<Number>& p,
                                      const Point<Number>& q,
                                      const Number& height_p,
                                      const Number& height_q) {
    const Number fall = height_p - height_q;
    // The denominator is made positive, so that the numerators have the signs
    // of the coordinates.
    return judge_.Sign(fall) > 0
               ? RationalPoint<Number>{.base = p,
                                       .offset = (q - p) * height_p,
                                       .denominator = fall}
               : RationalPoint<Number>{.base = p,
                                       .offset = (p - q) * height_p,
                                       .denominator = -fall};
  }

 private:
  bool IsStrictlyBetween(const Number& value, const Number& limit) {
    return judge_.Sign(value) > 0 && judge_.Sign(limit - value) > 0;
  }

  // Returns the only common point inside both edges, if there is one.
  std::optional<RationalPoint<Number>> Crossing(const Edge<Number>& e,
                                                const Edge<Number>& f) {
    const Point<Number> d = e.b - e.a;
    const Point<Number> g = f.b - f.a;
    const Point<Number> n = Cross(d, g);
    const Point<Number> w = f.a - e.a;
    if (judge_.Sign(Dot(n, w)) != 0 || IsZero(n, &judge_)) return std::nullopt;
    const Number nn = SquaredNorm(n);
    const Number s = Dot(Cross(w, g), n);
    const Number t = Dot(Cross(w, d), n);
    if (!IsStrictlyBetween(s, nn) || !IsStrictlyBetween(t, nn)) {
      return std::nullopt;
    }
    return RationalPoint<Number>{
        .base = e.a, .offset = d * s, .denominator = nn};
  }

  // Returns the only common point inside the edge and inside the face of a
  // triangle, if there is one.
  std::optional<RationalPoint<Number>> Piercing(const Edge<Number>& e,
                                                const Simplex<Number>& face) {
    if (face.size() < 3) return std::nullopt;
    const Point<Number>& a = face.corners[0];
    const Point<Number>& b = face.corners[1];
    const Point<Number>& c = face.corners[2];
    const Point<Number> n = Normal(a, b, c);
    const Number height_a = Dot(n, e.a - a);
    const Number height_b = Dot(n, e.b - a);
    if (judge_.Sign(height_a) * judge_.Sign(height_b) >= 0) {
      return std::nullopt;
    }
    const Point<Number> d = e.b - e.a;
    const auto side_of = [&](const Point<Number>& p, const Point<Number>& q) {
      return judge_.Sign(Dot(d, Cross(p - e.a, q - e.a)));
    };
    const int side = side_of(a, b);
    if (side == 0 || side_of(b, c) != side || side_of(c, a) != side) {
      return std::nullopt;
    }
    return PlaneCrossing(e.a, e.b, height_a, height_b);
  }

  Judge<Number>& judge_;
};

bool Unscale(const auto& scaled, TriangleContact* contact) {
  TriangleContact result;
  for (Vec3 p : contact->points()) {
    if (!scaled.Unscale(&p)) return false;
    result.Add(p);
  }
  *contact = result;
  return true;
}

}  // namespace

TriangleContact ContactOf(const Triangle& s, const Triangle& t,
                          Arithmetic* used) {
  const auto contact_of = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      const auto common = ContactSolver<Number>(&judge).CommonCorners(
          {points.At(0), &judge}, {points.At(3), &judge});
      TriangleContact contact;
      if (judge.is_undecided()) return contact;
      for (const auto& p : common) contact.Add(p.Rounded(&judge));
      return contact;
    };
  };
  return DecideScaled<6>(
      {s.a, s.b, s.c, t.a, t.b, t.c}, contact_of,
      [](const auto& scaled, TriangleContact* contact) {
        return Unscale(scaled, contact);
      },
      used);
}

bool Contains(const Triangle& t, const Vec3& p, Arithmetic* used) {
  const auto contains = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      return ContactSolver<Number>(&judge).Contains({points.At(0), &judge},
                                                    Lift<Number>(points[3]));
    };
  };
  return DecideScaled<4>({t.a, t.b, t.c, p}, contains, used);
}

Vec3 CrossingPoint(const Vec3& p, const Vec3& q, const Triangle& t,
                   Arithmetic* used) {
  const auto crossing = [](const auto& points) {
    return [&points]<typename Number>(Judge<Number>& judge) {
      const Corners<Number> c = Lift<Number>(points.At(2));
      const Point<Number> from = Lift<Number>(points[0]);
      const Point<Number> to = Lift<Number>(points[1]);
      const Point<Number> n = Normal(c[0], c[1], c[2]);
      return ContactSolver<Number>(&judge)
          .PlaneCrossing(from, to, Dot(n, from - c[0]), Dot(n, to - c[0]))
          .Rounded(&judge);
    };
  };
  return DecideScaled<5>(
      {p, q, t.a, t.b, t.c}, crossing,
      [](const auto& scaled, Vec3* point) { return scaled.Unscale(point); },
      used);
}

}  // namespace orbox::exact
