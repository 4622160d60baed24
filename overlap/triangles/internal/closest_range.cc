// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"

namespace orbox {
namespace {

// The arithmetic of lanes, of plain doubles.
using HWY_NAMESPACE::kAbove;
using HWY_NAMESPACE::kSmallestSquaredSine;
using Bounded = HWY_NAMESPACE::Bounded<double>;
using Evaluated = HWY_NAMESPACE::Evaluated<double>;
using LongVec3 = HWY_NAMESPACE::LongVec3Of<double>;
using Vector = HWY_NAMESPACE::Vec3Of<double>;

constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

bool IsInRange(double square) { return HWY_NAMESPACE::IsInRange(square); }

// The part g of r in the span of the active generators.
struct Projection {
  Bounded squared{0, 0};      // its squared length
  double largest_square = 0;  // no less than that
  // Whether the closest point of the span has coefficients that are positive
  // and below their bounds, and so is in M.
  bool is_inside = true;
  bool is_certified = true;
};

Projection ProjectOnLine(const Evaluated& r, const Vector& e, double c) {
  Projection g;
  const double ee = Dot(e, e);
  const Bounded x = BoundedDot(r, e);
  const double largest = x.Largest();
  g.is_certified = IsInRange(ee);
  g.squared.value = x.value * x.value / ee;
  g.squared.error =
      kAbove * (2 * largest * x.error) / ee + 0x1p-28 * g.squared.value;
  g.largest_square = kAbove * largest * largest / ee;
  // The closest point is at c - x / ee.
  g.is_inside = std::min(c, 1 - c) * ee > kAbove * largest;
  return g;
}

Projection ProjectOnPlane(const Evaluated& r, const Vector& e, const Vector& f,
                          double c, double d, bool on_one_face) {
  Projection g;
  const double ee = Dot(e, e);
  const double ff = Dot(f, f);
  const Vector n = Cross(e, f);
  const double area = Dot(n, n);
  g.is_certified =
      IsInRange(ee) && IsInRange(ff) && area >= kSmallestSquaredSine * ee * ff;
  const Bounded x = BoundedDot(r, e);
  const Bounded y = BoundedDot(r, f);
  // With e' and f' for e and f turned by a right angle in their plane,
  // |g| |e x f| = |x f' - y e'|.
  const double scale = 1 / area;
  const double xx = x.value * x.value * ff * scale;
  const double yy = y.value * y.value * ee * scale;
  const double errors =
      2 * (x.error * x.error * ff + y.error * y.error * ee) * scale;
  g.squared.value = (xx + yy) - 2 * (x.value * y.value) * Dot(e, f) * scale;
  g.squared.error = kAbove * (2 * std::sqrt(2 * (xx + yy) * errors) + errors) +
                    0x1p-26 * (xx + yy);
  g.largest_square = 4 * kAbove * ((xx + yy) + errors);
  // The coefficients of the closest point differ by at most |g| |f| / |e x f|
  // and |g| |e| / |e x f|.
  const double bound = on_one_face ? 1 - (c + d) : 1 - std::max(c, d);
  const double room = std::min(std::min(c, d), bound - 4 * kU);
  g.is_inside =
      room > 0 && room * room > 4 * g.largest_square * (ee + ff) * scale;
  return g;
}

// r, and the active generators.
struct Guess {
  Evaluated r;
  Vector e;
  Vector f;
};

LongVec3 LongVector(const Vec3& head, const Vec3& tail) {
  return LongDifference(Vector::Of(head), Vector::Of(tail));
}

LongVec3 LongVector(const Difference::Generator& g) {
  return LongVector(*g.head, *g.tail);
}

// Whether no multiple of the generator brings r - g closer to the origin.
bool LeadsAway(const Evaluated& r, const Difference::Generator& generator,
               const Projection& g) {
  const Vector e = Vector::Of(*generator.head - *generator.tail);
  return LeadsAway(BoundedDot(r, e), g.largest_square, Dot(e, e));
}

template <size_t kActiveCount>
Guess Evaluate(const Difference& d) {
  Guess guess{};
  const LongVec3 from = LongVector(*d.to, *d.from);
  if constexpr (kActiveCount == 0) {
    guess.r.r = from;
  } else {
    const LongVec3 e = LongVector(d.generators[0]);
    guess.e = e.Hi();
    if constexpr (kActiveCount == 1) {
      guess.r = Evaluate(from, d.coefficients[0], e);
    } else {
      const LongVec3 f = LongVector(d.generators[1]);
      guess.f = f.Hi();
      guess.r = Evaluate(from, d.coefficients[0], e, d.coefficients[1], f);
    }
  }
  return guess;
}

// Projects r on the active generators, after those of the others that do not
// clearly lead away from the origin have become active, too, with coefficient
// 0. Not certified where that takes more than two.
Projection ProjectOnMore(const Difference& d, Guess guess) {
  Projection g;
  size_t count = d.active_count;
  const double c = count > 0 ? d.coefficients[0] : 0;
  const double b = count > 1 ? d.coefficients[1] : 0;
  bool is_active[4] = {count > 0, count > 1, false, false};
  for (;;) {
    if (count == 1) g = ProjectOnLine(guess.r, guess.e, c);
    if (count == 2) {
      g = ProjectOnPlane(guess.r, guess.e, guess.f, c, b, d.on_one_face);
    }
    size_t i = 0;
    while (i < d.generator_count &&
           (is_active[i] || LeadsAway(guess.r, d.generators[i], g))) {
      ++i;
    }
    if (i == d.generator_count) return g;
    if (count == 2) {
      g.is_certified = false;
      return g;
    }
    is_active[i] = true;
    const auto& [tail, head] = d.generators[i];
    (count == 0 ? guess.e : guess.f) = Vector::Of(*head - *tail);
    ++count;
  }
}

template <size_t kActiveCount>
SquaredRange RangeOfActive(const Difference& d) {
  Guess guess = Evaluate<kActiveCount>(d);
  const auto square = SquaredLength(guess.r);
  SquaredRange range{.value = {square.value.hi, square.value.lo},
                     .below = square.error,
                     .above = square.error};
  const LongVec3& r = guess.r.r;
  if (kActiveCount == 0 && r.x.hi == 0 && r.y.hi == 0 && r.z.hi == 0) {
    range.is_certified = true;  // one and the same point
    return range;
  }
  if (!IsInRange(range.value.hi)) return range;
  Projection g;
  if constexpr (kActiveCount == 1) {
    g = ProjectOnLine(guess.r, guess.e, d.coefficients[0]);
  } else if constexpr (kActiveCount == 2) {
    g = ProjectOnPlane(guess.r, guess.e, guess.f, d.coefficients[0],
                       d.coefficients[1], d.on_one_face);
  }
  bool leads_away = true;
  for (size_t i = kActiveCount; i < d.generator_count; ++i) {
    leads_away = leads_away && LeadsAway(guess.r, d.generators[i], g);
  }
  if (!leads_away) g = ProjectOnMore(d, guess);
  const DoubleDouble value = TwoSum(range.value.hi, -g.squared.value);
  range.value = FastTwoSum(value.hi, value.lo + range.value.lo);
  // Each of the last additions rounded by at most u^2 of the value.
  const double rounding = 8 * kU * kU * range.value.hi;
  range.below += g.squared.error + rounding;
  // What is not inside may be far longer than what it is taken from.
  const double nearer =
      g.is_inside ? g.squared.error : kAbove * g.squared.value;
  range.above += nearer + rounding;
  range.is_certified = g.is_certified && IsInRange(range.value.hi);
  return range;
}

}  // namespace

SquaredRange RangeOf(const Difference& d) {
  if (d.active_count == 0) return RangeOfActive<0>(d);
  return d.active_count == 1 ? RangeOfActive<1>(d) : RangeOfActive<2>(d);
}

bool RoundSqrt(const SquaredRange& range, double* root) {
  if (!range.is_certified) return false;
  if (range.value.hi == 0) {
    *root = 0;
    return true;
  }
  const auto& [hi, lo] = range.value;
  return RoundSqrt(HWY_NAMESPACE::LongOf<double>{hi, lo}, range.below,
                   range.above, root);
}

int CompareWithSquare(const SquaredRange& range, double limit) {
  // Outside of this range, the square is inexact.
  if (!range.is_certified || !(limit >= 0x1p-400 && limit <= 0x1p400)) return 0;
  const DoubleDouble square = TwoProduct(limit, limit);
  const DoubleDouble high = TwoDifference(range.value.hi, square.hi);
  const double low = (range.value.lo - square.lo) + high.lo;
  const double difference = high.hi + low;
  const double slack = 8 * kU * kU * (range.value.hi + square.hi) +
                       4 * kU * std::abs(difference);
  if (difference - 2 * range.below > slack) return 1;
  if (difference + 2 * range.above < -slack) return -1;
  return 0;
}

}  // namespace orbox
