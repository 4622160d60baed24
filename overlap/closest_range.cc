#include "orbox/overlap/closest_range.h"

#include <cmath>

namespace orbox {
namespace {

constexpr double kU = 0x1p-53;  // relative error of one rounding to nearest

// Where coordinates are below the first, and squared lengths above the second,
// products of six lengths stay finite, and what underflow loses is far below
// the relative errors that are allowed for.
constexpr double kLargestCoordinate = 0x1p150;
constexpr double kSmallestSquare = 0x1p-200;

// Two active generators e, f have to span an area |e x f| of at least this
// fraction (squared) of |e| |f|, a sine of 2^-20. In double, the area is off by
// at most 2^-50 |e| |f|: by a factor of 1 +- 2^-29.
constexpr double kSmallestSquaredSine = 0x1p-40;

bool IsInRange(const Vec3& v) {
  return MaxCoordinate(Abs(v)) <= kLargestCoordinate;  // false for NaN
}

// A vector as the unevaluated sum hi + lo, and a bound of the error of that.
struct LongVec3 {
  Vec3 hi;
  Vec3 lo;
  Vec3 error;
};

LongVec3 Difference3(const Vec3& head, const Vec3& tail) {
  const DoubleDouble x = TwoDifference(head.x, tail.x);
  const DoubleDouble y = TwoDifference(head.y, tail.y);
  const DoubleDouble z = TwoDifference(head.z, tail.z);
  return {{x.hi, y.hi, z.hi}, {x.lo, y.lo, z.lo}, {}};
}

// start + c e in one coordinate. Every term of `rest` is at most u M where M is
// the sum of the magnitudes of start and c e; together they are below 5 u M,
// and the four roundings lose at most 20 u^2 M.
void AddMultiple(double start_hi, double start_lo, double c, double e_hi,
                 double e_lo, double* hi, double* lo, double* error) {
  const DoubleDouble p = TwoProduct(c, e_hi);
  const DoubleDouble s = TwoSum(start_hi, p.hi);
  const DoubleDouble sum = TwoSum(s.hi, (start_lo + s.lo) + (p.lo + c * e_lo));
  *error += 32 * kU * kU * (std::abs(start_hi) + std::abs(p.hi));
  *hi = sum.hi;
  *lo = sum.lo;
}

void AddMultiple(double c, const LongVec3& e, LongVec3* r) {
  AddMultiple(r->hi.x, r->lo.x, c, e.hi.x, e.lo.x, &r->hi.x, &r->lo.x,
              &r->error.x);
  AddMultiple(r->hi.y, r->lo.y, c, e.hi.y, e.lo.y, &r->hi.y, &r->lo.y,
              &r->error.y);
  AddMultiple(r->hi.z, r->lo.z, c, e.hi.z, e.lo.z, &r->hi.z, &r->lo.z,
              &r->error.z);
}

// A double and a bound of its error.
struct Bounded {
  double value;
  double error;
};

// r . e from the leading parts: each factor is off by u (and the error of r),
// products and sums add at most three roundings.
Bounded DotProduct(const LongVec3& r, const Vec3& e) {
  const Vec3 magnitude = Abs(e);
  return {Dot(r.hi, e),
          8 * kU * Dot(Abs(r.hi), magnitude) + 2 * Dot(r.error, magnitude)};
}

// |r|^2, off by at most 64 u^2 of itself plus what the error of r makes.
SquaredRange SquaredLength(const LongVec3& r) {
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

// The part g of r in the span of the active generators: its squared length,
// and upper bounds of its length and of how far the coefficients are from those
// of the closest point.
struct Projection {
  Bounded squared{0, 0};
  double length = 0;
  double coefficient_error[2] = {0, 0};
  bool is_certified = true;
};

// The factors 1 + 2^-20 and the like in what follows are a little more than the
// roundings of the bounds themselves.
constexpr double kAbove = 1 + 0x1p-20;

Projection ProjectOnLine(const LongVec3& r, const Vec3& e) {
  Projection g;
  const double ee = SquaredNorm(e);
  const Bounded x = DotProduct(r, e);
  const double largest = std::abs(x.value) + x.error;
  g.is_certified = ee >= kSmallestSquare;
  g.squared.value = x.value * x.value / ee;
  g.squared.error =
      kAbove * x.error * (largest + largest) / ee + 0x1p-28 * g.squared.value;
  g.length = kAbove * largest / std::sqrt(ee);
  g.coefficient_error[0] = kAbove * largest / ee;
  return g;
}

Projection ProjectOnPlane(const LongVec3& r, const Vec3& e, const Vec3& f) {
  Projection g;
  const double ee = SquaredNorm(e);
  const double ff = SquaredNorm(f);
  const double ef = Dot(e, f);
  const double area = SquaredNorm(Cross(e, f));
  g.is_certified = ee >= kSmallestSquare && ff >= kSmallestSquare &&
                   area >= kSmallestSquaredSine * ee * ff;
  const Bounded x = DotProduct(r, e);
  const Bounded y = DotProduct(r, f);
  // |g| = |x f' - y e'| / |e x f| with e', f' turned by a right angle.
  const double e_length = std::sqrt(ee);
  const double f_length = std::sqrt(ff);
  const double n_length = std::sqrt(area);
  const double error =
      kAbove * (x.error * f_length + y.error * e_length) / n_length;
  const double length =
      kAbove * (std::abs(x.value) * f_length + std::abs(y.value) * e_length) /
      n_length;
  g.squared.value = (x.value * x.value * ff - 2 * (x.value * y.value) * ef +
                     y.value * y.value * ee) /
                    area;
  g.squared.error =
      error * (2 * length + error) * kAbove + 0x1p-26 * length * length;
  g.length = length + error;
  g.coefficient_error[0] = kAbove * g.length * f_length / n_length;
  g.coefficient_error[1] = kAbove * g.length * e_length / n_length;
  return g;
}

Projection Project(const LongVec3& r, const Vec3 (&active)[2], size_t count) {
  if (count == 0) return {};
  return count == 1 ? ProjectOnLine(r, active[0])
                    : ProjectOnPlane(r, active[0], active[1]);
}

// Whether no multiple of e brings r - g closer to the origin.
bool LeadsAway(const LongVec3& r, const Vec3& e, const Projection& g) {
  const Bounded x = DotProduct(r, e);
  return x.value - x.error >= kAbove * g.length * Norm(e);
}

// Whether the closest point of the span of the active generators is in M, with
// coefficients above zero and below their bounds.
bool IsInside(const Difference& d, const Projection& g) {
  double sum = 0;
  for (size_t i = 0; i < d.active_count; ++i) {
    const double c = d.active[i].coefficient;
    const double error = g.coefficient_error[i];
    if (!(c > error && c + error < 1)) return false;
    sum += c + error;
  }
  return !d.on_one_face || sum < 1 - 4 * kU;
}

}  // namespace

SquaredRange RangeOf(const Difference& d) {
  const SquaredRange unknown;
  if (!IsInRange(d.from) || !IsInRange(d.to)) return unknown;
  LongVec3 r = Difference3(d.to, d.from);
  Vec3 active[2];
  size_t count = 0;
  for (; count < d.active_count; ++count) {
    const Generator& generator = d.active[count];
    if (!IsInRange(generator.head) || !IsInRange(generator.tail)) {
      return unknown;
    }
    const LongVec3 e = Difference3(generator.head, generator.tail);
    active[count] = e.hi;
    AddMultiple(generator.coefficient, e, &r);
  }
  SquaredRange range = SquaredLength(r);
  if (r.hi == Vec3() && d.active_count == 0) {
    range.is_certified = true;  // one and the same point
    return range;
  }
  if (!(range.value.hi >= kSmallestSquare)) return unknown;

  // A generator that does not clearly lead away from the origin becomes active,
  // with coefficient 0; the rest is looked at again, by a stricter measure.
  Projection g = Project(r, active, count);
  bool is_active[4] = {};
  for (size_t i = 0; i < d.other_count; ++i) {
    if (!g.is_certified) return unknown;
    const Vec3 e = d.others[i].head - d.others[i].tail;
    if (!IsInRange(e)) return unknown;
    if (is_active[i] || LeadsAway(r, e, g)) continue;
    if (count == 2) return unknown;
    is_active[i] = true;
    active[count++] = e;
    g = Project(r, active, count);
    i = static_cast<size_t>(-1);
  }
  if (!g.is_certified) return unknown;

  if (count > 0) {
    const DoubleDouble value = TwoSum(range.value.hi, -g.squared.value);
    const bool inside = count == d.active_count && IsInside(d, g);
    range.value = FastTwoSum(value.hi, value.lo + range.value.lo);
    range.below += g.squared.error;
    range.above += inside ? g.squared.error : g.squared.value;
  }
  // What the last additions rounded.
  range.below += 8 * kU * kU * range.value.hi;
  range.above += 8 * kU * kU * range.value.hi;
  range.is_certified = range.value.hi >= kSmallestSquare;
  return range;
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
