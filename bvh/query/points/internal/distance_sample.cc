// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/points/internal/distance_sample.h"

#include <algorithm>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

constexpr double kLeastAbove0 = std::numeric_limits<double>::denorm_min();

double ReachOf(const Vec3& p, const Triangle& t) {
  return MaxCoordinate(Max(Max(Abs(t.a), Abs(t.b)), Max(Abs(t.c), Abs(p))));
}

PlainDistance DistanceOfGuess(const PointGuess& guess, const Vec3& p,
                              const Triangle& t, double reach) {
  // The distance of the point from the triangle is a few roundings of its
  // coordinates.
  const Vec3 on = guess.feature.PointOn(t);
  return {LengthAtMost(p - on) + (0x1p-48 * reach + kLeastAbove0), on};
}

// Returns true if the point is the closest, except for a small deviation. At
// the closest point, no corner is on the side of p. The test may wrongly return
// false if the triangle is a needle.
bool IsClosest(const PlainDistance& plain, const Vec3& p, const Triangle& t,
               double reach) {
  const Vec3 way = p - plain.on;
  const double much = 0x1p-30 * plain.distance + 0x1p-48 * reach;
  bool holds = true;
  for (const Vec3& corner : {t.a, t.b, t.c}) {
    const Vec3 to_corner = corner - plain.on;
    holds &= Dot(way, to_corner) <= much * MaxCoordinate(Abs(to_corner));
  }
  return holds;
}

}  // namespace

double LengthAtMost(const Vec3& v) {
  if (v == Vec3{}) return 0;
  // Covers about ten roundings of 2^-53 each.
  return SafeNorm(v) * (1 + 0x1p-49) + kLeastAbove0;
}

PlainDistance PlainDistanceOf(const Vec3& p, const Triangle& t) {
  // Meshes often share vertices. The distance of a shared vertex has to be
  // exactly 0.
  if (p == t.a || p == t.b || p == t.c) return {0, p};
  const double reach = ReachOf(p, t);
  const PlainDistance plain = DistanceOfGuess(GuessClosest(p, t), p, t, reach);
  if (IsClosest(plain, p, t, reach)) return plain;
  const PointTriangleDistance exact = Distance(p, t);
  return {exact.distance, exact.closest};
}

double DistanceAtMost(const Vec3& p, const Triangle& t, double enough) {
  const PointGuess guess = GuessClosest(p, t);
  double distance = DistanceOfGuess(guess, p, t, ReachOf(p, t)).distance;
  if (distance <= enough) return distance;
  if (RoundSqrt(RangeOf(guess.ToDifference(p, t)), &distance)) return distance;
  return Distance(p, t).distance;
}

size_t LongestEdge(const SampledCorners& corners,
                   std::array<double, 3>& lengths) {
  for (size_t i = 0; i < 3; ++i) {
    lengths[i] = LengthAtMost(corners[(i + 1) % 3].point - corners[i].point);
  }
  return static_cast<size_t>(std::max_element(lengths.begin(), lengths.end()) -
                             lengths.begin());
}

// Every point of a triangle is within longest / sqrt(3) of some corner (Jung's
// theorem). Its distance from any corner is at most the longer edge at that
// corner.
double RoughBound(const SampledCorners& corners,
                  const std::array<double, 3>& lengths, double longest) {
  double upper = kInfinity;
  double largest = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double distance = corners[i].distance;
    largest = std::max(largest, distance);
    upper = std::min(
        upper,
        RoundedUp(distance + std::max(lengths[i], lengths[(i + 2) % 3])));
  }
  constexpr double kJung = 0.57735026918962584;  // 1 / sqrt(3), rounded up
  return std::min(upper, RoundedUp(largest + RoundedUp(longest * kJung)));
}

double RoughBound(const SampledCorners& corners) {
  std::array<double, 3> lengths;
  const double longest = lengths[LongestEdge(corners, lengths)];
  return RoughBound(corners, lengths, longest);
}

}  // namespace orbox
