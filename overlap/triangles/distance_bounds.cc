// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/distance_bounds.h"

#include <cmath>
#include <limits>
#include <optional>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/triangles/internal/closest_candidates.h"
#include "orbox/overlap/triangles/internal/closest_guess.h"
#include "orbox/overlap/triangles/internal/closest_range.h"
#include "orbox/overlap/triangles/internal/exact_triangles.h"
#include "orbox/overlap/triangles/triangle_distance.h"

namespace orbox {
namespace {

double Below(double x) { return std::nextafter(x, -kInfinity); }
double Above(double x) { return std::nextafter(x, kInfinity); }

// Returns two neighbouring doubles, one of them x, that enclose a number. The
// number rounds to x, and `order` is the sign of (the number - x).
DistanceInterval Beside(double x, int order) {
  return {order < 0 ? Below(x) : x, order > 0 ? Above(x) : x};
}

// Inputs of the bounds, with overloads for both kinds of shapes. RangeBetween
// returns a range of the squared distance in double-double.
SquaredRange RangeBetween(const Vec3& p, const Triangle& t) {
  return RangeOf(GuessClosest(p, t).ToDifference(p, t));
}
SquaredRange RangeBetween(const Triangle& s, const Triangle& t) {
  const PairGuess guess = GuessClosest(s, t);
  if (!guess.is_found) return {};
  return RangeOf(guess.ToDifference(s, t));
}

double RoundedDistance(const Vec3& p, const Triangle& t) {
  return Distance(p, t).distance;
}
double RoundedDistance(const Triangle& s, const Triangle& t) {
  return DistanceBetween(s, t);
}

// If several pairs of features are equally close, a certified range must
// include all of them.
SquaredRange RangeOfAll(const Vec3& /*p*/, const Triangle& /*t*/) { return {}; }
SquaredRange RangeOfAll(const Triangle& s, const Triangle& t) {
  PairGuess closest;
  return RangeOfClosest(s, t, ClosestCandidates(s, t), &closest);
}

// Returns the two neighbouring doubles around the range; nullopt if the range
// is too wide for that.
std::optional<DistanceInterval> Neighbours(const SquaredRange& range) {
  if (!range.is_certified) return std::nullopt;
  const DoubleDouble& v = range.value;
  // Three roundings, each less than 2^-104 of the value.
  const double slack = 0x1p-102 * v.hi;
  const DoubleDouble low = FastTwoSum(v.hi, v.lo - (range.below + slack));
  const DoubleDouble high = FastTwoSum(v.hi, v.lo + (range.above + slack));
  const DistanceInterval bounds{low.lo < 0 ? Below(low.hi) : low.hi,
                                high.lo > 0 ? Above(high.hi) : high.hi};
  if (bounds.upper > Above(bounds.lower)) return std::nullopt;
  return bounds;
}

template <typename Shape>
DistanceInterval Bounds(const Shape& s, const Triangle& t) {
  const double distance = RoundedDistance(s, t);
  if (distance == 0) return {0, 0};
  if (std::isinf(distance)) {
    return {std::numeric_limits<double>::max(), kInfinity};
  }
  int order = CompareWithSquare(RangeBetween(s, t), distance);
  if (order == 0) order = CompareWithSquare(RangeOfAll(s, t), distance);
  if (order == 0) order = exact::CompareDistance(s, t, distance, nullptr);
  return Beside(distance, order);
}

template <typename Shape>
DistanceInterval SquaredBounds(const Shape& s, const Triangle& t) {
  if (RoundedDistance(s, t) == 0) return {0, 0};
  auto bounds = Neighbours(RangeBetween(s, t));
  if (!bounds) bounds = Neighbours(RangeOfAll(s, t));
  return bounds ? *bounds : exact::BoundsOfSquaredDistance(s, t);
}

}  // namespace

DistanceInterval BoundsOfDistance(const Vec3& p, const Triangle& t) {
  return Bounds(p, t);
}

DistanceInterval BoundsOfDistance(const Triangle& s, const Triangle& t) {
  return Bounds(s, t);
}

DistanceInterval BoundsOfSquaredDistance(const Vec3& p, const Triangle& t) {
  return SquaredBounds(p, t);
}

DistanceInterval BoundsOfSquaredDistance(const Triangle& s, const Triangle& t) {
  return SquaredBounds(s, t);
}

}  // namespace orbox
