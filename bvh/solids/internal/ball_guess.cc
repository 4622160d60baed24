// SPDX-License-Identifier: Apache-2.0

// Finds a ball inside both solids among a few candidates (BallSearch::Guess).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "orbox/bvh/query/inside/internal/polygon.h"
#include "orbox/bvh/query/pairs/internal/pair_run.h"
#include "orbox/bvh/query/visit.h"
#include "orbox/bvh/solids/internal/ball_search.h"

namespace orbox {
namespace {

// Returns a point in the middle of the part of one triangle that is beside
// another in nearly the same plane. Returns nothing if there is none.
std::optional<Vec3> MiddleBeside(const BoundaryTriangle& s,
                                 const BoundaryTriangle& t) {
  Polygon part(t.corners);
  for (size_t k = 0; k < 3; ++k) {
    part.Clip(-s.inward[k], s.corners[k]);
  }
  if (part.size() == 0) return std::nullopt;
  Vec3 sum;
  for (const Vec3& p : part) sum += p - part[0];
  return part[0] + sum * (1.0 / static_cast<double>(part.size()));
}

// Returns the middle of the segment in which two triangles cross, or a point
// near both.
Vec3 MiddleOfBoth(const BoundaryTriangle& s, const BoundaryTriangle& t) {
  constexpr double kParallel = 1 - 0x1p-10;
  if (Dot(s.normal, t.normal) > kParallel) {
    if (const std::optional<Vec3> middle = MiddleBeside(s, t)) return *middle;
  }
  std::array<Vec3, 2> ends;
  size_t count = 0;
  for (size_t k = 0; k < 3; ++k) {
    const double h = Dot(s.normal, t.corners[k] - s.corners.a);
    const double g = Dot(s.normal, t.corners[(k + 1) % 3] - s.corners.a);
    if ((h > 0) == (g > 0)) continue;
    ends[count++ % 2] = t.corners[k] + t.sides[k] * (h / (h - g));
  }
  if (count == 2) {
    double begin = 0;
    double end = 1;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 in = Cross(s.normal, s.sides[k]);
      const double at = Dot(in, ends[0] - s.corners[k]);
      const double slope = Dot(in, ends[1] - ends[0]);
      if (slope > 0) begin = std::max(begin, -at / slope);
      if (slope < 0) end = std::min(end, -at / slope);
    }
    if (begin <= end)
      return ends[0] + (ends[1] - ends[0]) * ((begin + end) / 2);
  }
  const Triangle& c = t.corners;
  return t.ClosestTo(s.ClosestTo((c.a + c.b + c.c) * (1.0 / 3)));
}

}  // namespace

std::optional<Sphere> BallSearch::Guess(double radius, double band,
                                        const Execution& run) {
  const Goal goal = GoalOf(radius, band);
  if (sides_[0].is_sheet) return std::nullopt;
  constexpr double kLeastShare = 0.125;
  Sphere largest{};
  const double depth = (goal.accepted + goal.touching) / 2 + 8 * error_;
  const auto is_ball = [&](const Vec3& p) {
    if (SquaredDistance(p, box_) > 0) return false;
    double least = goal.touching;
    std::vector<uint32_t> places;
    for (size_t i = 0; i < 2; ++i) {
      FindNearInTree(GrownBy({p, p}, goal.touching), i, &places);
      least = std::min(least, NearestTo(p, i, places).distance);
    }
    const double r = least - 2 * error_;
    if (!(r > goal.accepted * kLeastShare && r > largest.radius)) {
      return false;
    }
    if (!Contains(0, p) || !Contains(1, p)) return false;
    largest = {p, r};
    return r > goal.accepted;
  };
  // If balls are outside of the other solid, faces far from it come first.
  const bool is_outside = sides_[1].is_outside;
  constexpr size_t kSample = 16;
  constexpr size_t kFaces = 4;
  for (size_t i = 0; i < (is_outside ? 1 : 2); ++i) {
    const Solid& solid = *sides_[i].solid;
    const Aabb& other = sides_[1 - i].solid->bounds();
    std::array<std::pair<double, uint32_t>, kSample> order;
    size_t count = 0;
    const size_t step = solid.triangle_count() / kSample + 1;
    for (size_t id = step / 2; id < solid.triangle_count(); id += step) {
      const Triangle t = solid.triangle(static_cast<uint32_t>(id));
      const double far = SquaredDistance((t.a + t.b + t.c) * (1.0 / 3), other);
      if (far > 0 && !is_outside) continue;
      order[count++] = {-far, static_cast<uint32_t>(id)};
    }
    std::sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(count));
    for (size_t k = 0; k < std::min(count, kFaces); ++k) {
      const Triangle t = solid.triangle(order[k].second);
      const Vec3 by = NormalOf(t) * depth;
      const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
      for (const double sign : SignsOf(i)) {
        if (sign != 0 && is_ball(middle + by * sign)) return largest;
      }
    }
  }
  if (is_outside) return std::nullopt;
  // Spends no more time than a guess may save.
  const size_t triangle_count =
      sides_[0].solid->triangle_count() + sides_[1].solid->triangle_count();
  const size_t most_visited = 32 + triangle_count / 64;
  const size_t most_tried = 4 + triangle_count / 512;
  size_t visited = 0;
  size_t tried = 0;
  const QueryOptions alone = run.Alone();
  OverlapSearch(alone).Visit(
      {sides_[0].solid->boundary(), sides_[1].solid->boundary()},
      [&](const TrianglePair& pair) {
        const BoundaryTriangle s(sides_[0].solid->triangle(pair.a));
        const BoundaryTriangle t(sides_[1].solid->triangle(pair.b));
        for (const double sign : SignsOf(0)) {
          for (const double other : SignsOf(1)) {
            const Vec3 m = s.normal * sign;
            const Vec3 n = t.normal * other;
            const double room = 1 + Dot(m, n);
            constexpr double kLeastRoom = 0.1;
            if (m == Vec3{} || n == Vec3{} || room <= kLeastRoom) continue;
            const Vec3 p = MiddleOfBoth(s, t);
            if (is_ball(p + (m + n) * (depth / room))) return Visit::kStop;
            ++tried;
          }
        }
        return ++visited < most_visited && tried < most_tried ? Visit::kContinue
                                                              : Visit::kStop;
      });
  // A ball that is a little too small may be near a larger one.
  if (largest.radius > 0 && !(largest.radius > goal.accepted)) {
    largest = Improved(largest);
  }
  if (!(largest.radius > goal.accepted)) return std::nullopt;
  return largest;
}

}  // namespace orbox
