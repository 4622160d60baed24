// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/exact_contact.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"
#include "orbox/overlap/triangles/predicates.h"

namespace orbox {
namespace {

using exact::Lift;
using exact::Point;
using exact::RationalPoint;

size_t Next(size_t i) { return i == 2 ? 0 : i + 1; }

// The sides of a triangle's edges on which the corners of another triangle are:
// [edge][corner], positive on the inner side.
using EdgeTurns = std::array<std::array<int, 3>, 3>;

EdgeTurns SidesOf(const Triangle& t, int turn, const Triangle& other,
                  const PlaneProjection& in, Arithmetic* used) {
  EdgeTurns sides;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      sides[i][j] =
          turn * Orient2d(t[i], t[Next(i)], other[j], in.u, in.v, used);
    }
  }
  return sides;
}

bool IsInside(const EdgeTurns& sides, size_t corner) {
  return sides[0][corner] >= 0 && sides[1][corner] >= 0 &&
         sides[2][corner] >= 0;
}

bool IsCut(const std::array<int, 3>& sides, size_t edge) {
  return sides[edge] * sides[Next(edge)] < 0;
}

// A corner of the common polygon: one of the six corners, or the point in which
// an edge of the first triangle crosses an edge of the second.
struct PolygonCorner {
  bool is_crossing;
  size_t first;   // a corner, 0 to 5; or an edge of the first triangle
  size_t second;  // an edge of the second triangle
};

struct ContactPolygon {
  size_t count = 0;
  std::array<PolygonCorner, TriangleContact::kMaxPoints> corners;

  void Add(const PolygonCorner& corner) { corners[count++] = corner; }
};

ContactPolygon CommonPolygon(const Triangle& s, const Triangle& t,
                             const PlaneProjection& in, Arithmetic* used) {
  const EdgeTurns of_s = SidesOf(s, in.s_turn, t, in, used);
  const EdgeTurns of_t = SidesOf(t, in.t_turn, s, in, used);
  ContactPolygon polygon;
  for (size_t i = 0; i < 3; ++i) {
    if (IsInside(of_t, i)) polygon.Add({false, i, 0});
  }
  for (size_t i = 0; i < 3; ++i) {
    const bool is_shared = t[i] == s.a || t[i] == s.b || t[i] == s.c;
    if (IsInside(of_s, i) && !is_shared) polygon.Add({false, 3 + i, 0});
  }
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (IsCut(of_s[i], j) && IsCut(of_t[j], i)) polygon.Add({true, i, j});
    }
  }
  return polygon;
}

// The corners of both triangles, and the coordinates of their plane.
class PlaneGeometry {
 public:
  PlaneGeometry(const ScaledPoints<6>& points, const PlaneProjection& in)
      : points_(points), in_(in) {}

  // Returns the corner as a rational point with a positive denominator.
  template <typename Number>
  RationalPoint<Number> At(const PolygonCorner& corner,
                           Judge<Number>* judge) const {
    if (!corner.is_crossing) {
      return {.base = Lift<Number>(points_[corner.first]), .offset = {}};
    }
    const Vec3& a = points_[corner.first];
    const Vec3& b = points_[Next(corner.first)];
    const Vec3& c = points_[3 + corner.second];
    const Vec3& d = points_[3 + Next(corner.second)];
    const auto e = exact::Difference<Number>(b, a);
    const auto f = exact::Difference<Number>(d, c);
    const auto w = exact::Difference<Number>(c, a);
    const Number along = Area(w, f);
    const Number whole = Area(e, f);
    if (judge->Sign(whole) > 0) {
      return {
          .base = Lift<Number>(a), .offset = e * along, .denominator = whole};
    }
    return {
        .base = Lift<Number>(a), .offset = e * -along, .denominator = -whole};
  }

  // Returns the side of the line from o to p on which q is.
  template <typename Number>
  int SideOf(const PolygonCorner& o, const PolygonCorner& p,
             const PolygonCorner& q, Judge<Number>* judge) const {
    const RationalPoint<Number> start = At(o, judge);
    const Point<Number> to_p = WayTo(At(p, judge), start);
    const Point<Number> to_q = WayTo(At(q, judge), start);
    return judge->Sign(Area(to_p, to_q));
  }

 private:
  template <typename Number>
  static Point<Number> WayTo(const RationalPoint<Number>& p,
                             const RationalPoint<Number>& start) {
    return p.Numerator() * start.denominator -
           start.Numerator() * p.denominator;
  }

  template <typename Number>
  Number Area(const Point<Number>& p, const Point<Number>& q) const {
    return p[in_.u] * q[in_.v] - p[in_.v] * q[in_.u];
  }

  const ScaledPoints<6>& points_;
  const PlaneProjection& in_;
};

using SixPoints = std::array<Vec3, 6>;

// Sorts the corners around the first one. All other corners of a convex polygon
// are within half a turn around it.
void SortAround(const SixPoints& points, const PlaneProjection& in,
                ContactPolygon* polygon, Arithmetic* used) {
  const auto whole = ScaledPoints<6>::Unscaled(points);
  const auto is_before = [&](const PolygonCorner& p, const PolygonCorner& q) {
    const auto side_of = [&](const auto& unit) {
      return [&]<typename Number>(Judge<Number>& judge) {
        return PlaneGeometry(unit, in).SideOf(polygon->corners[0], p, q,
                                              &judge);
      };
    };
    const auto quick = TryDecide<Bounded>(side_of(whole), used);
    const int side = quick ? *quick : DecideScaled(points, side_of, used);
    return side * in.s_turn > 0;
  };
  const auto begin = polygon->corners.begin() + 1;
  const auto end = polygon->corners.begin() + polygon->count;
  for (auto next = begin; next != end; ++next) {
    std::rotate(std::upper_bound(begin, next, *next, is_before), next,
                next + 1);
  }
}

Vec3 PointOf(const SixPoints& points, const PlaneProjection& in,
             const PolygonCorner& corner, Arithmetic* used) {
  // Adding +0 turns -0 into +0, as rounding does for other points.
  if (!corner.is_crossing) return points[corner.first] + Vec3{};
  const auto point_of = [&](const auto& unit) {
    return [&]<typename Number>(Judge<Number>& judge) {
      return PlaneGeometry(unit, in).At(corner, &judge).Rounded(&judge);
    };
  };
  return DecideScaled(
      points, point_of,
      [](const auto& unit, Vec3* point) { return unit.Unscale(point); }, used);
}

}  // namespace

TriangleContact ContactInPlane(const Triangle& s, const Triangle& t,
                               const PlaneProjection& in, Arithmetic* used) {
  const SixPoints points{s.a, s.b, s.c, t.a, t.b, t.c};
  ContactPolygon polygon = CommonPolygon(s, t, in, used);
  if (polygon.count > 2) SortAround(points, in, &polygon, used);
  TriangleContact contact;
  for (size_t i = 0; i < polygon.count; ++i) {
    contact.Add(PointOf(points, in, polygon.corners[i], used));
  }
  return contact;
}

}  // namespace orbox
