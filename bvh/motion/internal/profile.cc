// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/profile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

// Returns the margin for rounding. Let M be the largest coordinate of any term
// in the sums that move vertices, and u half an ulp of 1. A body's error is at
// least 16 u M. The pose at the start and the pose at any other time each have
// up to that error. Three more values have errors of less than 128 u M
// together: coordinates in the plane, which are sums of three products of at
// most 6 M, corners of rectangles, and offsets of their sides.
double RoundingOf(const MovingTree& a, const MovingTree& b) {
  return 16 * (a.error() + b.error());
}

bool Turns(const MovingTree& body) { return body.motion().angle != 0; }

// Some triangles of a body.
struct BodyTriangles {
  const MovingTree& body;
  const std::vector<uint32_t>& ids;
};

// Returns the profile of each triangle, computed from its pose at the start.
template <typename ProfileOf>
std::vector<Profile> OfEach(const BodyTriangles& triangles,
                            ProfileOf profile_of) {
  const PosedTree start = triangles.body.At(0);
  std::vector<Profile> profiles;
  profiles.reserve(triangles.ids.size());
  for (const uint32_t id : triangles.ids) {
    profiles.push_back(profile_of(start.triangle(id)));
  }
  return profiles;
}

// Axis of a body's rotation. The rotation may be 0. Sizes of bodies are within
// 2^+-500, so products of two lengths do not overflow or underflow.
struct Axis {
  Vec3 center;     // at the start
  Vec3 direction;  // of unit length
  // Least and largest height of the center during the motion, along the axis
  // that defines heights.
  double lowest = 0;
  double highest = 0;
};

// A rectangle that contains some points, with one side along `way`, and its
// area.
struct Rectangle {
  Profile profile;
  double area = 0;
};
Rectangle Around(const std::vector<Vec3>& points, const Vec3& way) {
  Vec3 along = DirectionOf(way);
  if (along == Vec3{}) along = {1, 0, 0};
  const Vec3 across{-along.y, along.x, 0};
  Vec3 lo{kInfinity, kInfinity, 0};
  Vec3 hi{-kInfinity, -kInfinity, 0};
  for (const Vec3& p : points) {
    const Vec3 q{Dot(along, p), Dot(across, p), 0};
    lo = Min(lo, q);
    hi = Max(hi, q);
  }
  const auto at = [&](double x, double y) { return along * x + across * y; };
  return {{.corners = {at(lo.x, lo.y), at(hi.x, lo.y), at(hi.x, hi.y),
                       at(lo.x, hi.y)},
           .count = 4},
          (hi.x - lo.x) * (hi.y - lo.y)};
}

// A triangle in coordinates relative to an axis: the heights of its corners,
// and the vectors from the axis to the corners.
struct AxisTriangle {
  std::array<double, 3> heights;
  Triangle sides;
};

// Returns a rectangle that contains the ring of a triangle. The distance from
// the axis is a convex function. So at each point of the triangle it is at most
// the weighted mean of the distances of the corners. It is at least the
// weighted mean of the components of the corners' vectors along any direction
// that is perpendicular to the axis, such as `outward`.
Rectangle RingOf(const AxisTriangle& seen, const Vec3& outward,
                 const Axis& axis) {
  std::vector<Vec3> points;
  Vec3 way;
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const double farthest = SafeNorm(seen.sides[i]);
    const double nearest = Dot(outward, seen.sides[i]);
    for (const double height : {axis.lowest, axis.highest}) {
      points.push_back({farthest, seen.heights[i] + height, 0});
      points.push_back({nearest, seen.heights[i] + height, 0});
    }
    const Vec3 edge{SafeNorm(seen.sides[j]) - farthest,
                    seen.heights[j] - seen.heights[i], 0};
    if (SafeNorm(edge) > SafeNorm(way)) way = edge;
  }
  return Around(points, way);
}

// Returns the point of a triangle's sides that is nearest to the origin. A
// triangle parallel to the axis is a segment in this view, except for rounding.
Vec3 NearestOnSides(const Triangle& t) {
  Vec3 nearest = t.a;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 side = t[(i + 1) % 3] - t[i];
    const double squared = SquaredNorm(side);
    const double along =
        squared > 0 ? std::clamp(-Dot(t[i], side) / squared, 0.0, 1.0) : 0;
    const Vec3 p = t[i] + side * along;
    if (SquaredNorm(p) < SquaredNorm(nearest)) nearest = p;
  }
  return nearest;
}

// Returns the smaller of two rectangles. `outward` is either the direction to
// the point nearest to the axis, or the direction to the middle.
Profile RingOf(const Triangle& t, const Axis& axis) {
  AxisTriangle seen;
  for (size_t i = 0; i < 3; ++i) {
    const Vec3 r = t[i] - axis.center;
    seen.heights[i] = Dot(axis.direction, r);
    seen.sides[i] = r - axis.direction * seen.heights[i];
  }
  const Triangle& s = seen.sides;
  const Rectangle x = RingOf(seen, DirectionOf(NearestOnSides(s)), axis);
  const Rectangle y = RingOf(seen, DirectionOf(s.a + s.b + s.c), axis);
  return x.area < y.area ? x.profile : y.profile;
}

// Returns an upper bound of the distance of any vertex from a point, at the
// start.
double ReachOf(const MovingTree& body, const Vec3& from) {
  double farthest = 0;
  for (const Vec3& corner : body.box()) {
    const Vec3 p = body.motion().start.Apply(corner);
    farthest = std::max(farthest, SafeNorm(p - from));
  }
  return farthest * (1 + 0x1p-40) + body.error();
}

// Returns the profiles of bodies that turn. Requires that the body of
// `triangles` turns. The other body may turn, too.
std::optional<Profiles> RingsOf(const BodyTriangles& triangles,
                                const BodyTriangles& other_triangles) {
  const MovingTree& turning = triangles.body;
  const MovingTree& other = other_triangles.body;
  const Axis axis{.center = turning.motion().center,
                  .direction = DirectionOf(turning.motion().axis)};
  Axis of_other = axis;
  double tilt = 0;
  if (Turns(other)) {
    const Vec3 d = DirectionOf(other.motion().axis);
    of_other = {.center = other.motion().center,
                .direction = Dot(d, axis.direction) < 0 ? -d : d};
    // Directions have errors of a few units in the last place.
    tilt = SafeNorm(of_other.direction - axis.direction) + 0x1p-48;
  }
  // Positions of the other center at the start and at the end. A height is a
  // linear function of time, and a distance from the axis is a convex one, so
  // both are largest at the ends.
  const Vec3 from = of_other.center - axis.center;
  const Vec3 to =
      from + (other.motion().translation - turning.motion().translation);
  const double low = Dot(axis.direction, from);
  const double high = Dot(axis.direction, to);
  const double aside = std::max(SafeNorm(from - axis.direction * low),
                                SafeNorm(to - axis.direction * high));
  of_other.lowest = std::min(low, high);
  of_other.highest = std::max(low, high);
  // If the direction of view differs by `tilt`, a point at a distance r from a
  // center moves by at most r times `tilt` in the plane.
  const double reach = ReachOf(other, of_other.center);
  const double stray = aside + tilt * reach;
  // If the axes are far from each other, the margin is too large to separate
  // profiles.
  if (Turns(other) && stray > 0x1p-4 * reach) return std::nullopt;
  return Profiles{
      OfEach(triangles, [&](const Triangle& t) { return RingOf(t, axis); }),
      OfEach(other_triangles,
             [&](const Triangle& t) { return RingOf(t, of_other); }),
      RoundingOf(turning, other) + stray};
}

// Returns a rounded unit vector perpendicular to `d`.
Vec3 AcrossTo(const Vec3& d) {
  size_t least = 0;
  for (size_t i = 1; i < 3; ++i) {
    if (std::abs(d[i]) < std::abs(d[least])) least = i;
  }
  Vec3 axis;
  axis[least] = 1;
  return DirectionOf(Cross(d, axis));
}

// Returns true if the bodies do not turn relative to each other.
bool TurnAlike(const MovingTree& a, const MovingTree& b) {
  return a.motion().angle == b.motion().angle &&
         (!Turns(a) || a.motion().axis == b.motion().axis);
}

// Returns the profiles of bodies that turn alike. Computes them in a frame that
// rotates with the bodies. In this frame, the bodies slide along their axis.
std::optional<Profiles> ShadowsOf(const BodyTriangles& a,
                                  const BodyTriangles& b) {
  const RigidMotion& of_a = a.body.motion();
  const RigidMotion& of_b = b.body.motion();
  const Vec3 way = of_b.translation - of_a.translation;
  if (way == Vec3{}) return std::nullopt;
  const bool turn = Turns(a.body);
  const Vec3 along = DirectionOf(turn ? of_a.axis : way);
  const Vec3 e = AcrossTo(along);
  const Vec3 f = Cross(along, e);
  const auto shadow = [&](const Vec3& v) {
    return Vec3{Dot(e, v), Dot(f, v), 0};
  };
  const auto shadow_of = [&](const Triangle& t) {
    return Profile{{shadow(t.a), shadow(t.b), shadow(t.c)}, 3};
  };
  // Vectors from one center to the other at the start and at the end. The
  // component across the axis rotates in the rotating frame. So its distance
  // from its first position is at most the sum of both lengths. The component
  // along the axis has an error of a few ulp across the axis, because
  // directions are rounded.
  const Vec3 from = turn ? of_b.center - of_a.center : Vec3{};
  const Vec3 to = from + way;
  const double first = SafeNorm(shadow(from));
  const double stray = first + std::max(first, SafeNorm(shadow(to))) +
                       0x1p-48 * (SafeNorm(from) + SafeNorm(to));
  return Profiles{OfEach(a, shadow_of), OfEach(b, shadow_of),
                  RoundingOf(a.body, b.body) + stray};
}

}  // namespace

std::optional<Profiles> ProfilesOf(const MovingTree& a, const MovingTree& b,
                                   const std::vector<uint32_t>& ids_of_a,
                                   const std::vector<uint32_t>& ids_of_b) {
  const BodyTriangles subset_a{a, ids_of_a};
  const BodyTriangles subset_b{b, ids_of_b};
  if (TurnAlike(a, b)) {
    std::optional<Profiles> shadows = ShadowsOf(subset_a, subset_b);
    if (shadows || !Turns(a)) return shadows;
  }
  if (Turns(a)) return RingsOf(subset_a, subset_b);
  std::optional<Profiles> rings = RingsOf(subset_b, subset_a);
  if (rings) std::swap(rings->of_a, rings->of_b);
  return rings;
}

}  // namespace orbox
