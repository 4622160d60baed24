// SPDX-License-Identifier: Apache-2.0

// Evaluates a formula in one number type after another until the result is
// certain: doubles with an error bound, pairs of doubles, exact sums of
// doubles, integers. Private.
//
//   int side = Decide<Bounded, LongBounded, Expansion, Exact>(
//       [&]<typename Number>(Judge<Number>& judge) {
//         return judge.Sign((Number(b) - a) * (Number(d) - c));
//       }, &used);
//
// The formula is written once, as a template over the number type. It gets
// signs and rounded results from its judge. If the number type cannot decide a
// sign or a rounding, the judge returns a placeholder (0 for a sign), and the
// result of the formula is discarded afterwards. The formula must not fail or
// loop because of a placeholder. With integers, everything is decided.
#ifndef ORBOX_OVERLAP_INTERNAL_NUMBERS_LADDER_H_
#define ORBOX_OVERLAP_INTERNAL_NUMBERS_LADDER_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "orbox/overlap/base/arithmetic_counts.h"
#include "orbox/overlap/internal/numbers/bounded.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "orbox/overlap/internal/numbers/expansion.h"

namespace orbox {

// Returns the sign of the number if it is certain.
template <typename Number>
std::optional<int> CertainSign(const Number& x) {
  if constexpr (std::is_same_v<Number, Exact>) {
    return x.Sign();
  } else {
    return x.CertainSign();
  }
}

template <typename Number>
class Judge {
 public:
  static constexpr bool kIsExact = std::is_same_v<Number, Exact>;

  bool is_undecided() const { return is_undecided_; }
  void SetUndecided() { is_undecided_ = true; }

  int Sign(const Number& x) {
    const std::optional<int> sign = CertainSign(x);
    if (!sign) is_undecided_ = true;
    return sign.value_or(0);
  }

  // Returns the double nearest to n / d, ties to even. Requires d != 0. Not for
  // Bounded.
  double RoundedQuotient(const Number& n, const Number& d);

  // Returns then(q), where q is the double nearest to n / d. Requires that
  // `then` is monotonic. The result may be certain although q is not.
  template <typename Then>
  double RoundedQuotient(const Number& n, const Number& d, const Then& then);

  // Sets *sum to the double nearest to x + a b / d. Returns true if the leading
  // parts of a, b and d make this certain.
  bool GetRoundedSum(double x, const Number& a, const Number& b,
                     const Number& d, double* sum);

  // Returns the double nearest to the square root of n / d. Requires n >= 0 and
  // d > 0. Not for Bounded.
  double RoundedSqrtOfQuotient(const Number& n, const Number& d);

 private:
  // Returns the nearer one of two neighbouring doubles. `beyond(sum)` must have
  // the sign of (the number) - sum / 2, where `sum` is below + above.
  template <typename Beyond>
  double Nearer(double below, double above, const Beyond& beyond);

  bool is_undecided_ = false;
};

// Returns the result of the first stage that is certain, or nullopt if none is.
// Raises *used to that stage.
template <typename Number, typename... Higher, typename Formula>
auto TryDecide(const Formula& formula, Arithmetic* used)
    -> std::optional<decltype(formula(std::declval<Judge<Number>&>()))> {
  Judge<Number> judge;
  auto answer = formula(judge);
  if (!judge.is_undecided()) {
    if constexpr (std::is_same_v<Number, Exact>) {
      Raise(used, Arithmetic::kExact);
    } else if constexpr (std::is_same_v<Number, Expansion>) {
      Raise(used, Arithmetic::kExpansion);
    }
    return answer;
  }
  if constexpr (sizeof...(Higher) > 0) {
    return TryDecide<Higher...>(formula, used);
  } else {
    return std::nullopt;
  }
}

// TryDecide for stages that end with Exact, which decides everything.
template <typename... Numbers, typename Formula>
auto Decide(const Formula& formula, Arithmetic* used) {
  return *TryDecide<Numbers...>(formula, used);
}

// Implementation.

namespace ladder_internal {

inline const LongBounded& ToLong(const LongBounded& x) { return x; }
inline LongBounded ToLong(const Expansion& x) { return x.ToLong(); }

// Two doubles. The number certainly rounds to one of them, or to a double
// between them.
struct Rounding {
  double below;
  double above;
};

// Returns the interval approximate + correction +- slack, with rounded ends.
inline Rounding Around(double approximate, double correction, double slack) {
  return {approximate + (correction - slack),
          approximate + (correction + slack)};
}

// Covers the rounding errors of the bounds themselves.
inline constexpr double kAbove = 1 + 0x1p-40;

// n / d = r + (n - r d) / d.
inline Rounding AroundQuotient(const LongBounded& n, const LongBounded& d) {
  const double r = n.hi / d.hi;
  const LongBounded rest = n - d * r;
  const double correction = rest.hi / d.hi;
  // The relative error of the quotient of the leading parts is less than 2^-49.
  const double slack =
      kAbove *
      ((std::abs(rest.lo) + std::abs(rest.rest) + rest.error) / std::abs(d.hi) +
       0x1p-49 * std::abs(correction));
  return Around(r, correction, slack);
}

// sqrt(n / d) = r + (n - r^2 d) / (d (r + sqrt(n / d))). The relative error of
// r is less than 2^-48, and so is that of 2 r d for the denominator.
inline Rounding AroundSqrtOfQuotient(const LongBounded& n,
                                     const LongBounded& d) {
  const double r = std::sqrt(n.hi / d.hi);
  const LongBounded rest = n - d * (LongBounded(r) * r);
  const double half = 0.5 / (r * d.hi);
  const double correction = rest.hi * half;
  const double slack =
      kAbove * ((std::abs(rest.lo) + std::abs(rest.rest) + rest.error) * half +
                0x1p-46 * std::abs(correction));
  return Around(r, correction, slack);
}

// Returns true if the relative error of the leading part is at most 2^-50.
inline bool IsKnown(const LongBounded& x) {
  return std::abs(x.hi) * 0x1p-50 >=
         std::abs(x.lo) + std::abs(x.rest) + x.error;
}

// Returns true if no intermediate result underflows or overflows.
inline bool IsInRange(double x) {
  return std::abs(x) >= 0x1p-400 && std::abs(x) <= 0x1p900;
}

inline bool IsWellKnown(const LongBounded& x) {
  return IsInRange(x.hi) && IsKnown(x);
}

}  // namespace ladder_internal

template <typename Number>
template <typename Beyond>
double Judge<Number>::Nearer(double below, double above, const Beyond& beyond) {
  const bool is_normal = std::min(std::abs(below), std::abs(above)) >= 0x1p-900;
  if (below == above && is_normal) return below;
  if constexpr (std::is_same_v<Number, Expansion>) {
    if (is_normal && std::nextafter(below, above) == above) {
      const int side = Sign(beyond(Expansion(below) + above));
      if (side != 0) return side > 0 ? above : below;
      // The even double is a multiple of twice their difference.
      const double twice = 2 * (above - below);
      return std::fmod(below, twice) == 0 ? below : above;
    }
  }
  SetUndecided();
  return below;
}

template <typename Number>
double Judge<Number>::RoundedQuotient(const Number& n, const Number& d) {
  using namespace ladder_internal;  // NOLINT: all helpers
  if constexpr (kIsExact) {
    return orbox::RoundedQuotient(n, d);
  } else {
    const int sign = Sign(n);
    if (sign == 0) return 0;
    const LongBounded top = ToLong(n);
    const LongBounded bottom = ToLong(d);
    if (!IsWellKnown(top) || !IsWellKnown(bottom)) {
      SetUndecided();
      return 0;
    }
    const Rounding around = AroundQuotient(top, bottom);
    const int side = bottom.hi > 0 ? 1 : -1;
    return Nearer(around.below, around.above, [&](const Number& sum) {
      const Number beyond = n + n - sum * d;
      return side > 0 ? beyond : -beyond;
    });
  }
}

template <typename Number>
bool Judge<Number>::GetRoundedSum(double x, const Number& a, const Number& b,
                                  const Number& d, double* sum) {
  using namespace ladder_internal;  // NOLINT: all helpers
  if constexpr (kIsExact) {
    return false;
  } else {
    const LongBounded first = ToLong(a);
    const LongBounded second = ToLong(b);
    const LongBounded bottom = ToLong(d);
    const double offset = first.hi * second.hi / bottom.hi;
    // Relative errors of 2^-50 in each of three leading parts, and of the
    // roundings.
    const double slack = 0x1p-47 * std::abs(offset);
    const Rounding around = Around(x, offset, slack);
    *sum = around.below;
    const bool is_zero = CertainSign(a) == 0 || CertainSign(b) == 0;
    const bool is_known = IsWellKnown(first) && IsWellKnown(second) &&
                          IsWellKnown(bottom) && std::abs(offset) >= 0x1p-900 &&
                          std::abs(*sum) >= 0x1p-900;
    return around.below == around.above && (is_zero || is_known);
  }
}

template <typename Number>
template <typename Then>
double Judge<Number>::RoundedQuotient(const Number& n, const Number& d,
                                      const Then& then) {
  using namespace ladder_internal;  // NOLINT: all helpers
  if constexpr (!kIsExact) {
    const LongBounded top = ToLong(n);
    const LongBounded bottom = ToLong(d);
    if (IsWellKnown(bottom)) {
      const double largest = (std::abs(top.hi) + std::abs(top.lo) +
                              std::abs(top.rest) + top.error) /
                             std::abs(bottom.hi) * kAbove;
      const Rounding around = IsWellKnown(top) ? AroundQuotient(top, bottom)
                                               : Rounding{-largest, largest};
      const double below = then(around.below);
      if (below == then(around.above)) return below;
    }
  }
  return then(RoundedQuotient(n, d));
}

template <typename Number>
double Judge<Number>::RoundedSqrtOfQuotient(const Number& n, const Number& d) {
  using namespace ladder_internal;  // NOLINT: all helpers
  if constexpr (kIsExact) {
    return orbox::RoundedSqrtOfQuotient(n, d);
  } else {
    if (Sign(n) == 0) return 0;
    const LongBounded top = ToLong(n);
    const LongBounded bottom = ToLong(d);
    if (!IsWellKnown(top) || !IsWellKnown(bottom)) {
      SetUndecided();
      return 0;
    }
    const Rounding around = AroundSqrtOfQuotient(top, bottom);
    return Nearer(around.below, around.above,
                  [&](const Number& sum) { return n * 4.0 - sum * sum * d; });
  }
}

}  // namespace orbox

#endif  // ORBOX_OVERLAP_INTERNAL_NUMBERS_LADDER_H_
