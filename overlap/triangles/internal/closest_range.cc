// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/triangles/internal/closest_range.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hwy/highway.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/triangles/internal/distance_certificate-inl.h"

namespace orbox {
namespace {

// The arithmetic of lanes, for plain doubles.
using HWY_NAMESPACE::kAboveCertificate;
using HWY_NAMESPACE::kSmallestSquaredSine;
using Bounded = HWY_NAMESPACE::BoundedLanes<double>;
using Evaluated = HWY_NAMESPACE::Evaluated<double>;
using LongVec3 = HWY_NAMESPACE::LongVec3Of<double>;
using Vector = HWY_NAMESPACE::Vec3Of<double>;

bool IsInRange(double square) { return HWY_NAMESPACE::IsInRange(square); }

using Projection = HWY_NAMESPACE::ProjectionOf<double>;

// The projection of r on the span of no generators: zero.
constexpr Projection kNoPart = {.squared = {0, 0},
                                .largest_square = 0,
                                .is_inside = true,
                                .is_certified = true};

// r, and the active generators.
struct Guess {
  Evaluated r;
  Vector e;
  Vector f;
};

Projection OnLine(const Guess& guess, double c) {
  return ProjectOnLine(BoundedDot(guess.r, guess.e), Dot(guess.e, guess.e), c);
}
Projection OnPlane(const Guess& guess, double c, double d, bool on_one_face) {
  return ProjectOnPlane(BoundedDot(guess.r, guess.e),
                        BoundedDot(guess.r, guess.f), guess.e, guess.f, c, d,
                        on_one_face ? 1 - (c + d) : 1 - std::max(c, d));
}

LongVec3 LongVector(const Vec3& head, const Vec3& tail) {
  return LongDifference(Vector::Of(head), Vector::Of(tail));
}

LongVec3 LongVector(const Difference::Generator& g) {
  return LongVector(*g.head, *g.tail);
}

// Returns true if the generator certainly leads away from the origin, seen from
// the point r - g.
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

// Projects r on the active generators. First, makes those generators active,
// with coefficient 0, that do not clearly lead away from the origin. Not
// certified if more than two generators would be active.
Projection ProjectOnMore(const Difference& d, Guess guess) {
  Projection g = kNoPart;
  size_t count = d.active_count;
  const double c = count > 0 ? d.coefficients[0] : 0;
  const double b = count > 1 ? d.coefficients[1] : 0;
  bool is_active[4] = {count > 0, count > 1, false, false};
  for (;;) {
    if (count == 1) g = OnLine(guess, c);
    if (count == 2) g = OnPlane(guess, c, b, d.on_one_face);
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
    range.is_certified = true;  // the two points are equal
    return range;
  }
  if (!IsInRange(range.value.hi)) return range;
  Projection g = kNoPart;
  if constexpr (kActiveCount == 1) {
    g = OnLine(guess, d.coefficients[0]);
  } else if constexpr (kActiveCount == 2) {
    g = OnPlane(guess, d.coefficients[0], d.coefficients[1], d.on_one_face);
  }
  bool leads_away = true;
  for (size_t i = kActiveCount; i < d.generator_count; ++i) {
    leads_away = leads_away && LeadsAway(guess.r, d.generators[i], g);
  }
  if (!leads_away) g = ProjectOnMore(d, guess);
  const auto without = WithoutPart(square, g);
  range.value = {without.value.hi, without.value.lo};
  range.below = without.below;
  range.above = without.above;
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
  // Outside of this interval, the square is not exact.
  if (!range.is_certified || !(limit >= 0x1p-400 && limit <= 0x1p400)) return 0;
  const DoubleDouble square = TwoProduct(limit, limit);
  const DoubleDouble high = TwoDifference(range.value.hi, square.hi);
  const double low = (range.value.lo - square.lo) + high.lo;
  const double difference = high.hi + low;
  const double slack =
      8 * kRoundoff * kRoundoff * (range.value.hi + square.hi) +
      4 * kRoundoff * std::abs(difference);
  if (difference - 2 * range.below > slack) return 1;
  if (difference + 2 * range.above < -slack) return -1;
  return 0;
}

}  // namespace orbox
