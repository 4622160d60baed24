#include "orbox/overlap/triangles/internal/exact_ray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/triangles/internal/exact_points.h"
#include "orbox/overlap/triangles/internal/ray_solution.h"

namespace orbox::exact {
namespace {

// numerator / denominator, with a positive denominator.
struct Fraction {
  Exact numerator;
  Exact denominator = 1;
};

Fraction Over(const Exact& numerator, const Exact& denominator) {
  return denominator.Sign() < 0 ? Fraction{-numerator, -denominator}
                                : Fraction{numerator, denominator};
}

int Compare(const Fraction& x, const Fraction& y) {
  return (x.numerator * y.denominator - y.numerator * x.denominator).Sign();
}

bool IsZero(const Point& v) {
  return v.x.Sign() == 0 && v.y.Sign() == 0 && v.z.Sign() == 0;
}

// The line through the ray, and the triangle's corners seen from its origin.
struct Scene {
  Point d;
  Corners corners;
};

Scene SceneOf(const Ray& ray, const Triangle& triangle) {
  Scene scene{Lift(ray.direction), Lift(triangle)};
  const Point origin = Lift(ray.origin);
  for (Point& p : scene.corners) p = p - origin;
  return scene;
}

// A closed interval of the line's parameter.
struct Interval {
  Fraction from;
  Fraction to;
};

// Where the line crosses the plane of the triangle, of normal n, in one point
// of the triangle. Requires Dot(n, d) != 0.
std::optional<Interval> CrossPlane(const Scene& s, const Point& n,
                                   const Exact& rise) {
  for (size_t i = 0; i < 3; ++i) {
    const Point& p = s.corners[(i + 1) % 3];
    const Point& q = s.corners[(i + 2) % 3];
    if (Dot(s.d, Cross(p, q)).Sign() * rise.Sign() < 0) return std::nullopt;
  }
  const Fraction t = Over(Dot(n, s.corners[0]), rise);
  return Interval{t, t};
}

// The part of the line, in the plane of the triangle, that is on the inner side
// of all three edges (Liang, Barsky 1984). Requires n != 0 and Dot(n, d) == 0.
std::optional<Interval> ClipInPlane(const Scene& s, const Point& n) {
  if (Dot(n, s.corners[0]).Sign() != 0) return std::nullopt;
  std::optional<Fraction> from;
  std::optional<Fraction> to;
  for (size_t i = 0; i < 3; ++i) {
    const Point& p = s.corners[i];
    // Points x of the triangle have Dot(inward, x - p) >= 0.
    const Point inward = Cross(n, s.corners[(i + 1) % 3] - p);
    const Exact rise = Dot(inward, s.d);
    const Exact level = Dot(inward, p);
    if (rise.Sign() == 0) {
      if (level.Sign() > 0) return std::nullopt;
      continue;
    }
    const Fraction t = Over(level, rise);
    std::optional<Fraction>& end = rise.Sign() > 0 ? from : to;
    if (!end || Compare(t, *end) == rise.Sign()) end = t;
  }
  // The line is parallel to one edge at most, and enters and leaves by others.
  if (Compare(*from, *to) > 0) return std::nullopt;
  return Interval{*from, *to};
}

// The corners farthest from each other of a triangle without area: all of it.
std::array<size_t, 2> EndsOf(const Corners& corners) {
  std::array<size_t, 2> ends = {0, 0};
  Exact longest = 0;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const Exact length = SquaredNorm(corners[j] - corners[i]);
    if (length > longest) {
      longest = length;
      ends = {i, j};
    }
  }
  return ends;
}

std::optional<Interval> MeetPoint(const Scene& s, const Point& p) {
  if (!IsZero(Cross(s.d, p))) return std::nullopt;
  const Fraction t = Over(Dot(s.d, p), SquaredNorm(s.d));
  return Interval{t, t};
}

std::optional<Interval> MeetSegment(const Scene& s, const Point& p,
                                    const Point& q) {
  const Point edge = q - p;
  if (IsZero(edge)) return MeetPoint(s, p);
  const Point n = Cross(s.d, edge);
  if (IsZero(n)) {
    const std::optional<Interval> at_p = MeetPoint(s, p);
    if (!at_p) return std::nullopt;
    const Interval ends = {at_p->from, MeetPoint(s, q)->from};
    return Compare(ends.from, ends.to) <= 0 ? ends
                                            : Interval{ends.to, ends.from};
  }
  if (Dot(n, p).Sign() != 0) return std::nullopt;
  // t d = p + u edge: both sides times edge, or d, in the direction of n.
  const Exact nn = SquaredNorm(n);
  const Exact u = Dot(Cross(p, s.d), n);
  if (u.Sign() < 0 || u > nn) return std::nullopt;
  const Fraction t = Over(Dot(Cross(p, edge), n), nn);
  return Interval{t, t};
}

std::optional<Interval> CommonPart(const Scene& s) {
  const Point n =
      Cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]);
  const Exact rise = Dot(n, s.d);
  if (rise.Sign() != 0) return CrossPlane(s, n, rise);
  if (!IsZero(n)) return ClipInPlane(s, n);
  const auto [i, j] = EndsOf(s.corners);
  return MeetSegment(s, s.corners[i], s.corners[j]);
}

// The first common point of the triangle and the ray, whatever its length.
std::optional<Fraction> FirstCommon(const Scene& s) {
  const std::optional<Interval> common = CommonPart(s);
  if (!common || common->to.numerator.Sign() < 0) return std::nullopt;
  return common->from.numerator.Sign() < 0 ? Fraction{0, 1} : common->from;
}

// The weights of the corners, times a common denominator, of a point x of the
// triangle that is itself numerator / scale, scale > 0.
struct Weights {
  std::array<Exact, 3> of;
  Exact sum;
};

Weights WeightsOf(const Scene& s, const Point& numerator, const Exact& scale) {
  Weights weights;
  Corners to;  // from x, times scale
  for (size_t i = 0; i < 3; ++i) to[i] = s.corners[i] * scale - numerator;
  const Point n =
      Cross(s.corners[1] - s.corners[0], s.corners[2] - s.corners[0]);
  if (!IsZero(n)) {
    for (size_t i = 0; i < 3; ++i) {
      weights.of[i] = Dot(n, Cross(to[(i + 1) % 3], to[(i + 2) % 3]));
    }
    weights.sum = SquaredNorm(n) * scale * scale;
    return weights;
  }
  const auto [i, j] = EndsOf(s.corners);
  const Point edge = s.corners[j] - s.corners[i];
  if (IsZero(edge)) {
    weights.of[i] = weights.sum = 1;
    return weights;
  }
  weights.of[i] = Dot(to[j], edge);
  weights.of[j] = -Dot(to[i], edge);
  weights.sum = SquaredNorm(edge) * scale;
  return weights;
}

}  // namespace

std::optional<RayTriangleHit> Intersect(const Ray& ray,
                                        const Triangle& triangle,
                                        double max_t) {
  const Scene scene = SceneOf(ray, triangle);
  const std::optional<Fraction> t = FirstCommon(scene);
  if (!t || t->numerator > Exact(max_t) * t->denominator) return std::nullopt;
  const Weights weights =
      WeightsOf(scene, scene.d * t->numerator, t->denominator);
  return HitAt(triangle, RoundedQuotient(t->numerator, t->denominator),
               RoundedWeight(RoundedQuotient(weights.of[1], weights.sum)),
               RoundedWeight(RoundedQuotient(weights.of[2], weights.sum)));
}

int CompareHits(const Ray& ray, const Triangle& s, const Triangle& t) {
  return Compare(*FirstCommon(SceneOf(ray, s)), *FirstCommon(SceneOf(ray, t)));
}

}  // namespace orbox::exact
