#include "orbox/bvh/traverse/relative_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orbox/bvh/traverse/rounding.h"

namespace orbox {
namespace {

// The inverse of a similarity's linear part: its transpose over the squared
// scale. Off by the skew, as all uses allow for.
Vec3 InverseTurn(const Pose& pose, double scale, const Vec3& v) {
  const Vec3 u = v * (1 / scale);
  return (pose.rows[0] * u.x + pose.rows[1] * u.y + pose.rows[2] * u.z) *
         (1 / scale);
}

Vec3 Turn(const Pose& pose, const Vec3& v) {
  return {Dot(pose.rows[0], v), Dot(pose.rows[1], v), Dot(pose.rows[2], v)};
}

double Largest(const Vec3& v) { return MaxCoordinate(Abs(v)); }

}  // namespace

bool RelativeSpace::is_far() const { return std::isinf(slack); }

RelativeSpace RelativeSpace::Of(const PosedSpace& from, const PosedSpace& to) {
  RelativeSpace r;
  const double scale = from.WorldUnit() / to.WorldUnit();
  for (int k = 0; k < 3; ++k) {
    Vec3 unit;
    unit[k] = 1;
    const Vec3 column = InverseTurn(
        to.pose, to.scale, Turn(from.pose, unit) * (to.scale / from.scale));
    for (int i = 0; i < 3; ++i) {
      r.turn[3 * i + k] = static_cast<float>(column[i]);
      r.precise_turn[3 * i + k] = scale * column[i];
    }
  }
  const Vec3 world = Turn(from.pose, from.space.origin) + from.pose.translation;
  const Vec3 shift =
      (InverseTurn(to.pose, to.scale, world - to.pose.translation) -
       to.space.origin) *
      to.space.scale;
  double reach = 1 + 2 * scale;
  for (int i = 0; i < 3; ++i) {
    r.shift[i] = static_cast<float>(shift[i]);
    r.precise_shift[i] = shift[i];
    reach = std::max(reach, std::abs(shift[i]) + 2 * scale);
  }
  r.scale = static_cast<float>(scale);

  // In double, each step is off by a few 2^-53 of the coordinates that it
  // handles, in the world's units; the posed vertices themselves are rounded
  // there.
  const double coordinates =
      3 * (from.scale * (Largest(from.space.origin) + 2 * from.space.unscale) +
           to.scale * (Largest(to.space.origin) + 2 * to.space.unscale) +
           Largest(from.pose.translation) + Largest(to.pose.translation));
  const double in_double = 0x1p-46 * coordinates / to.WorldUnit();
  const double skew = 4 * (from.skew + to.skew) * reach;
  // Past this, products of float coordinates come near the end of their range.
  constexpr double kFar = 0x1p28;
  if (!(reach < kFar) || !(in_double < kFar) || !(scale > 0x1p-100)) {
    r.slack = r.vertex_error = std::numeric_limits<float>::infinity();
    return r;
  }
  // With u = 2^-24. Of the product of two blocks' frames and the turn between,
  // each entry is off by 10 u; a centre with coordinates up to 1 so by 52 u of
  // the scale, which is at most half of `reach`; another 18 u of it are lost in
  // products, sums and the shift, and 30 u in the half extents that are turned
  // alike. The frames themselves are off by 4 u, and so are lengths; the bound
  // itself is off by 12 u: below 96 u in all, and as much again for what comes
  // after (subtracting this slack, changing units).
  r.slack = RoundUp(192 * 0x1p-24 * reach + in_double + skew);
  // A vertex: 1 u in each coordinate where it comes from, which the turn makes
  // up to sqrt(3), and 1 u for one of the target's.
  r.vertex_error = RoundUp((1.75 * scale + 1) * 0x1p-24 + in_double + skew);
  return r;
}

}  // namespace orbox
