// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/internal/approach.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"

namespace orbox {
namespace {

// Returns the t with (speed + change / 2 t) t = gap. Requires gap > 0 and
// change >= 0. A gap is above 2^-352 because of its error, so squares underflow
// only for times far beyond the end of the motion.
double TimeToGo(double gap, double speed, double change) {
  const double root = std::sqrt(speed * speed + 2 * change * gap);
  // Two forms of the same root. Each is used if it has no cancellation.
  if (speed >= 0) return root > 0 ? 2 * gap / (speed + root) : kInfinity;
  return change > 0 ? (root - speed) / change : kInfinity;
}

// Motion of a point of a body along n, a unit vector: its position and its
// speed along n at this time, an upper bound of the growth of that speed, and
// an upper bound of the speed at any time.
struct Advance {
  double front = 0;
  double speed = 0;
  double change = 0;
  double most = 0;
};

// Computes the advance of each point. Requires as many advances as points.
void SetAdvances(const Moment& m, std::span<const Vec3> points, const Vec3& n,
                 std::span<Advance> advances) {
  const Vec3& turn = m.body.turn();
  const double straight = Dot(n, m.body.motion().translation);
  // n . (turn x r) = r . (n x turn), and r rotates about the axis of the body.
  // The component of r perpendicular to the axis keeps its length, which is
  // `reach` divided by the length of `turn`.
  const Vec3 lever = Cross(n, turn);
  const double turned = SafeNorm(turn);
  const double lever_length = SafeNorm(lever) * kRoundedUp;
  // The body's error covers all roundings, including those of r.
  const double slack = 2 * turned * m.body.error();
  for (size_t i = 0; i < points.size(); ++i) {
    const double front = Dot(n, points[i]);
    if (turned == 0) {
      advances[i] = {front, straight, 0, straight};
      continue;
    }
    const Vec3 r = points[i] - m.center;
    const double reach = SafeNorm(Cross(r, turn)) * kRoundedUp + slack;
    advances[i] = {
        front, straight + Dot(r, lever) + slack,
        lever_length * reach * kRoundedUp,
        straight + lever_length * reach / turned * kRoundedUp + slack};
  }
}

}  // namespace

Vec3 WayAcross(const Triangle& s, const Triangle& t) {
  const PairGuess guess = GuessClosest(s, t);
  return DirectionOf(guess.second.PointOn(t) - guess.first.PointOn(s));
}

// Along a direction, no point of a convex hull is farther than all corners. So
// it suffices that each corner stays behind each corner of the other set.
double FreeTimeAlong(const Vec3& n, const Moment& a,
                     std::span<const Vec3> points_of_a, const Moment& b,
                     std::span<const Vec3> points_of_b,
                     const ApproachBounds& bounds) {
  std::array<Advance, 8> fore;
  std::array<Advance, 8> back;
  SetAdvances(a, points_of_a, n, fore);
  SetAdvances(b, points_of_b, -n, back);
  // Turns are rounded up by 2^-40. The rounding of speeds is far below errors.
  const double slack = 0x1p-38 * bounds.speed + bounds.error;
  double free = kInfinity;
  for (size_t i = 0; i < points_of_a.size(); ++i) {
    for (size_t j = 0; j < points_of_b.size(); ++j) {
      const Advance& p = fore[i];
      const Advance& q = back[j];
      // Subtracts the errors of poses, of triangles moved in plain double, and
      // of products.
      const double gap = -(p.front + q.front + 3 * bounds.error) * kRoundedDown;
      if (!(gap > 0)) return 0;
      const double most = p.most + q.most + slack;
      const double straight = most > 0 ? gap / most : kInfinity;
      const double curved =
          TimeToGo(gap, p.speed + q.speed + slack, p.change + q.change);
      free = std::min(free, std::max(straight, curved) * kRoundedDown);
    }
  }
  return free;
}

}  // namespace orbox
