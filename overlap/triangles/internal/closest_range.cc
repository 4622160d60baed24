#include "orbox/overlap/triangles/internal/closest_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orbox {
namespace {

constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

// Squared lengths between these keep products of six lengths finite, and what
// underflow loses far below the relative errors that are allowed for.
constexpr double kSmallestSquare = 0x1p-200;
constexpr double kLargestSquare = 0x1p300;

bool IsInRange(double square) {
  return square >= kSmallestSquare && square <= kLargestSquare;
}

// Two active generators e, f have to span an area |e x f| of at least this
// fraction (squared) of |e| |f|, a sine of 2^-20. In double, the area is off by
// at most 2^-50 |e| |f|: by a factor of 1 +- 2^-29.
constexpr double kSmallestSquaredSine = 0x1p-40;

// A vector as the unevaluated sum hi + lo, and a bound of the error of that.
struct LongVec3 {
  Vec3 hi;
  Vec3 lo;
  Vec3 error;
};

inline LongVec3 Difference3(const Vec3& head, const Vec3& tail) {
  const DoubleDouble x = TwoDifference(head.x, tail.x);
  const DoubleDouble y = TwoDifference(head.y, tail.y);
  const DoubleDouble z = TwoDifference(head.z, tail.z);
  return {{x.hi, y.hi, z.hi}, {x.lo, y.lo, z.lo}, {}};
}

// start + c e + d f in one coordinate, as the sum of *hi and *lo. Of the terms
// of `rest`, none exceeds u M where M is the sum of the magnitudes of start, c
// e and d f; together they are below 6 u M, and seven roundings lose at most 26
// u^2 M.
inline void AddMultiples(double c, double e_hi, double e_lo, double d,
                         double f_hi, double f_lo, double* hi, double* lo,
                         double* error) {
  const DoubleDouble p = TwoProduct(c, e_hi);
  const DoubleDouble q = TwoProduct(d, f_hi);
  const DoubleDouble s = TwoSum(*hi, p.hi);
  const DoubleDouble t = TwoSum(s.hi, q.hi);
  const double rest =
      ((*lo + s.lo) + (p.lo + c * e_lo)) + (t.lo + (q.lo + d * f_lo));
  *error = 32 * kU * kU * ((std::abs(*hi) + std::abs(p.hi)) + std::abs(q.hi));
  const DoubleDouble sum = TwoSum(t.hi, rest);
  *hi = sum.hi;
  *lo = sum.lo;
}

// The same without d f.
inline void AddMultiple(double c, double e_hi, double e_lo, double* hi,
                        double* lo, double* error) {
  const DoubleDouble p = TwoProduct(c, e_hi);
  const DoubleDouble s = TwoSum(*hi, p.hi);
  const double rest = (*lo + s.lo) + (p.lo + c * e_lo);
  *error = 32 * kU * kU * (std::abs(*hi) + std::abs(p.hi));
  const DoubleDouble sum = TwoSum(s.hi, rest);
  *hi = sum.hi;
  *lo = sum.lo;
}

// A double and a bound of its error.
struct Bounded {
  double value;
  double error;
};

// r . e from the leading parts: each factor is off by u (and the error of r),
// products and sums add at most three roundings.
inline Bounded DotProduct(const LongVec3& r, const Vec3& e) {
  const Vec3 magnitude = Abs(e);
  return {Dot(r.hi, e),
          8 * kU * Dot(Abs(r.hi), magnitude) + 2 * Dot(r.error, magnitude)};
}

// |r|^2, off by at most 64 u^2 of itself plus what the error of r makes.
inline SquaredRange SquaredLength(const LongVec3& r) {
  const DoubleDouble x = TwoSquare(r.hi.x);
  const DoubleDouble y = TwoSquare(r.hi.y);
  const DoubleDouble z = TwoSquare(r.hi.z);
  const DoubleDouble xy = TwoSum(x.hi, y.hi);
  const DoubleDouble xyz = TwoSum(xy.hi, z.hi);
  const double rest =
      ((x.lo + y.lo) + z.lo) + (xy.lo + xyz.lo) + 2 * Dot(r.hi, r.lo);
  SquaredRange range;
  range.value = FastTwoSum(xyz.hi, rest);
  range.below = range.above = 64 * kU * kU * range.value.hi +
                              4 * Dot(Abs(r.hi), r.error) +
                              4 * SquaredNorm(r.error);
  return range;
}

// The part g of r in the span of the active generators.
struct Projection {
  Bounded squared{0, 0};      // its squared length
  double largest_square = 0;  // no less than that
  // Whether the closest point of the span has coefficients that are positive
  // and below their bounds, and so is in M.
  bool is_inside = true;
  bool is_certified = true;
};

// A little more than what the bounds themselves lose by rounding.
constexpr double kAbove = 1 + 0x1p-20;

Projection ProjectOnLine(const LongVec3& r, const Vec3& e, double c) {
  Projection g;
  const double ee = SquaredNorm(e);
  const Bounded x = DotProduct(r, e);
  const double largest = std::abs(x.value) + x.error;
  g.is_certified = IsInRange(ee);
  g.squared.value = x.value * x.value / ee;
  g.squared.error =
      kAbove * (2 * largest * x.error) / ee + 0x1p-28 * g.squared.value;
  g.largest_square = kAbove * largest * largest / ee;
  // The closest point is at c - x / ee.
  g.is_inside = std::min(c, 1 - c) * ee > kAbove * largest;
  return g;
}

Projection ProjectOnPlane(const LongVec3& r, const Vec3& e, const Vec3& f,
                          double c, double d, bool on_one_face) {
  Projection g;
  const double ee = SquaredNorm(e);
  const double ff = SquaredNorm(f);
  const double area = SquaredNorm(Cross(e, f));
  g.is_certified =
      IsInRange(ee) && IsInRange(ff) && area >= kSmallestSquaredSine * ee * ff;
  const Bounded x = DotProduct(r, e);
  const Bounded y = DotProduct(r, f);
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

// Whether no multiple of e brings r - g closer to the origin.
inline bool LeadsAway(const LongVec3& r, const Vec3& e, const Projection& g) {
  const Bounded x = DotProduct(r, e);
  const double least = x.value - x.error;
  const double square = kAbove * g.largest_square * SquaredNorm(e);
  // Beyond the range of doubles, squares are all alike; below it, what they
  // lose is far less than r^2 is allowed to be off by.
  return least >= 0 && std::isfinite(square) && least * least >= square;
}

// r, and the active generators.
struct Guess {
  LongVec3 r;
  Vec3 e;
  Vec3 f;
};

inline LongVec3 Vector(const Difference::Generator& g) {
  return Difference3(*g.head, *g.tail);
}

inline Vec3 RoundedVector(const Difference::Generator& g) {
  return *g.head - *g.tail;
}

template <size_t kActiveCount>
inline Guess Evaluate(const Difference& d) {
  Guess guess;
  LongVec3& r = guess.r;
  r = Difference3(*d.to, *d.from);
  if constexpr (kActiveCount == 1) {
    const LongVec3 e = Vector(d.generators[0]);
    const double c = d.coefficients[0];
    guess.e = e.hi;
    AddMultiple(c, e.hi.x, e.lo.x, &r.hi.x, &r.lo.x, &r.error.x);
    AddMultiple(c, e.hi.y, e.lo.y, &r.hi.y, &r.lo.y, &r.error.y);
    AddMultiple(c, e.hi.z, e.lo.z, &r.hi.z, &r.lo.z, &r.error.z);
  }
  if constexpr (kActiveCount == 2) {
    const LongVec3 e = Vector(d.generators[0]);
    const LongVec3 f = Vector(d.generators[1]);
    const auto& [b, c] = d.coefficients;
    guess.e = e.hi;
    guess.f = f.hi;
    AddMultiples(b, e.hi.x, e.lo.x, c, f.hi.x, f.lo.x, &r.hi.x, &r.lo.x,
                 &r.error.x);
    AddMultiples(b, e.hi.y, e.lo.y, c, f.hi.y, f.lo.y, &r.hi.y, &r.lo.y,
                 &r.error.y);
    AddMultiples(b, e.hi.z, e.lo.z, c, f.hi.z, f.lo.z, &r.hi.z, &r.lo.z,
                 &r.error.z);
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
           (is_active[i] ||
            LeadsAway(guess.r, RoundedVector(d.generators[i]), g))) {
      ++i;
    }
    if (i == d.generator_count) return g;
    if (count == 2) {
      g.is_certified = false;
      return g;
    }
    is_active[i] = true;
    (count == 0 ? guess.e : guess.f) = RoundedVector(d.generators[i]);
    ++count;
  }
}

template <size_t kActiveCount>
SquaredRange RangeOfActive(const Difference& d) {
  const Guess guess = Evaluate<kActiveCount>(d);
  SquaredRange range = SquaredLength(guess.r);
  if (kActiveCount == 0 && guess.r.hi == Vec3()) {
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
    leads_away =
        leads_away && LeadsAway(guess.r, RoundedVector(d.generators[i]), g);
  }
  if (!leads_away) g = ProjectOnMore(d, guess);
  const DoubleDouble value = TwoSum(range.value.hi, -g.squared.value);
  range.value = FastTwoSum(value.hi, value.lo + range.value.lo);
  // Each of the last additions rounded by at most u^2 of the value.
  const double rounding = 8 * kU * kU * range.value.hi;
  range.below += g.squared.error + rounding;
  range.above += (g.is_inside ? g.squared.error : g.squared.value) + rounding;
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
  // One step of Newton's iteration from the square root of the leading part;
  // what it neglects is below u^2 of the root.
  const double r = std::sqrt(range.value.hi);
  const DoubleDouble square = TwoSquare(r);
  const double half = 0.5 / r;
  const double rest =
      ((range.value.hi - square.hi) - square.lo) + range.value.lo;
  const double correction = rest * half;
  const double slack = 16 * kU * kU * r;
  const double lowest = r + (correction - (2 * range.below * half + slack));
  *root = r + (correction + (2 * range.above * half + slack));
  return lowest == *root;
}

int CompareWithSquare(const SquaredRange& range, double limit) {
  // Outside of this range, the square is inexact.
  if (!range.is_certified || !(limit >= 0x1p-400 && limit <= 0x1p400)) return 0;
  const DoubleDouble square = TwoSquare(limit);
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
