// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/apart_until.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/ladder.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/scaled_points.h"

namespace orbox {
namespace {

using Points = std::span<const MovingPoint>;

// Returns true if all points of `above` are above those of `below` along an
// axis: strictly at the start, and above or touching at `time`.
bool AreAbove(Points above, Points below, size_t axis, double time) {
  double least = kInfinity;
  for (const MovingPoint& p : above) least = std::min(least, p.from[axis]);
  for (const MovingPoint& p : below) {
    if (!(p.from[axis] < least)) return false;
  }
  least = kInfinity;
  for (const MovingPoint& p : above) {
    least = std::min(least, CoordinateAt(p.from[axis], p.to[axis], time).lo);
  }
  return std::ranges::all_of(below, [&](const MovingPoint& p) {
    return CoordinateAt(p.from[axis], p.to[axis], time).hi <= least;
  });
}

// AreAbove for any direction instead of an axis.
template <typename Number>
bool AreAbove(Points above, Points below, const Vec3& up, double time,
              Judge<Number>* judge) {
  const auto height = [&up](const Vec3& p, const Vec3& q) {
    Number sum;
    for (size_t k = 0; k < 3; ++k) {
      sum = sum + (Number(p[k]) - Number(q[k])) * Number(up[k]);
    }
    return sum;
  };
  for (const MovingPoint& p : above) {
    for (const MovingPoint& q : below) {
      const Number from = height(p.from, q.from);
      if (judge->Sign(from) <= 0) return false;
      const Number to = height(p.to, q.to);
      if (judge->Sign(from + (to - from) * Number(time)) < 0) return false;
    }
  }
  return true;
}

// Returns the approximate positions of one to three points. The last point is
// repeated to fill the triangle.
Triangle PlaceOf(Points points, double t) {
  Triangle place;
  for (size_t i = 0; i < 3; ++i) {
    const MovingPoint& p = points[std::min(i, points.size() - 1)];
    place[i] = p.from * (1 - t) + p.to * t;
  }
  return place;
}

bool AreSeparatedAcrossAxis(Points first, Points second, double time) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (AreAbove(first, second, axis, time) ||
        AreAbove(second, first, axis, time)) {
      return true;
    }
  }
  return false;
}

// Returns true if a plane at right angles to `up`, a direction from the first
// to the second, separates them.
bool AreSeparatedAcross(Points first, Points second, const Vec3& up,
                        double time) {
  Arithmetic used = Arithmetic::kDouble;
  const std::optional<bool> is_above = TryDecide<Bounded, LongBounded>(
      [&]<typename Number>(Judge<Number>& judge) {
        return AreAbove(second, first, up, time, &judge);
      },
      &used);
  return is_above == true;
}

// Returns the approximate direction from a to b.
Vec3 WayAcross(const Triangle& a, const Triangle& b) {
  const PairGuess guess = GuessClosest(a, b);
  return DirectionOf(guess.second.PointOn(b) - guess.first.PointOn(a));
}

Vec3 Without(const Vec3& part, const Vec3& way) {
  return DirectionOf(way - part * Dot(way, part));
}

// Tries planes at right angles to the shortest vector between the two: at
// `time`, at the start, and at half time. For points that are in one plane or
// on one line at `time`, tries planes along a face or along edges.
bool AreSeparatedAcrossSome(Points first, Points second, double time) {
  const auto are_separated = [&](const Vec3& up) {
    return AreSeparatedAcross(first, second, up, time);
  };
  Vec3 way;
  for (const double t : {time, 0.5 * time, 0.0}) {
    way = WayAcross(PlaceOf(first, t), PlaceOf(second, t));
    if (are_separated(way)) return true;
  }
  const Vec3 beyond = second[0].from - first[0].from;
  const auto are_separated_along = [&](const Vec3& e, const Vec3& f) {
    const Vec3 normal = DirectionOf(Cross(e, f));
    return are_separated(Dot(normal, beyond) < 0 ? -normal : normal);
  };
  const Triangle a = PlaceOf(first, time);
  const Triangle b = PlaceOf(second, time);
  for (const Triangle& face : {a, b}) {
    if (are_separated_along(face.b - face.a, face.c - face.a)) return true;
  }
  if (first.size() != 2 || second.size() != 2) return false;
  const Vec3 e = DirectionOf(a.b - a.a);
  const Vec3 f = DirectionOf(b.b - b.a);
  return are_separated_along(e, f) || are_separated(Without(e, way)) ||
         are_separated(Without(f, way));
}

// Scales the points so that their squares neither underflow nor overflow,
// unless scaling would round. The first `split` points belong to the first
// feature or triangle.
template <size_t kCount>
bool AreSeparated(const std::array<Vec3, kCount>& ends, size_t split,
                  double time) {
  const ScaledPoints<kCount> scaled(ends);
  std::array<MovingPoint, kCount / 2> points;
  for (size_t i = 0; i < points.size(); ++i) {
    for (const size_t end : {2 * i, 2 * i + 1}) {
      const Vec3& p = scaled.is_exact() ? scaled[end] : ends[end];
      (end == 2 * i ? points[i].from : points[i].to) = p;
    }
  }
  const Points all(points);
  return AreSeparatedAcrossAxis(all.first(split), all.subspan(split), time) ||
         AreSeparatedAcrossSome(all.first(split), all.subspan(split), time);
}

}  // namespace

bool AreApartUntil(const MovingTriangle& s, const MovingTriangle& t,
                   double time) {
  return AreSeparated<12>(
      {s.from.a, s.to.a, s.from.b, s.to.b, s.from.c, s.to.c, t.from.a, t.to.a,
       t.from.b, t.to.b, t.from.c, t.to.c},
      3, time);
}

bool AreApartUntil(const MovingFeatures& features, double time) {
  return AreSeparated(EndsOf(features),
                      features.kind == MovingFeatureKind::kCornerFace ? 1 : 2,
                      time);
}

}  // namespace orbox
