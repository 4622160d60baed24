// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/internal/numbers/ladder.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace orbox {
namespace {

using Rational = boost::multiprecision::cpp_rational;

class HalfRoundNumbers {
 public:
  double Next() {
    const double x = uniform_(random_);
    return random_() % 3 == 0 ? std::round(x * 8) / 8 : x;
  }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

template <typename Number>
std::string NameOf() {
  if (std::is_same_v<Number, Bounded>) return "double";
  if (std::is_same_v<Number, LongBounded>) return "pairs";
  return std::is_same_v<Number, Expansion> ? "expansion" : "integers";
}

// The sign of a b - c d, and the rung that decided it.
std::string RungOf(double a, double b, double c, double d) {
  std::string rung;
  Decide<Bounded, LongBounded, Expansion, Exact>(
      [&]<typename Number>(Judge<Number>& judge) {
        const int sign = judge.Sign(Number(a) * b * a - Number(c) * d * c);
        if (!judge.is_undecided()) rung = NameOf<Number>();
        return sign;
      },
      nullptr);
  return rung;
}

TEST(Ladder, EachRungIsReached) {
  EXPECT_EQ(RungOf(1, 2, 3, 4), "double");
  EXPECT_EQ(RungOf(0.1, 0.3, 0.1, 0.3 + 0x1p-54), "pairs");
  // Few digits, so that pairs lose nothing.
  EXPECT_EQ(RungOf(3, 5, 3, 5), "pairs");
  EXPECT_EQ(RungOf(0.1, 0.3, 0.1, 0.3), "expansion");
  EXPECT_EQ(RungOf(0x1p-500, 0.3, 0x1p-500, 0.3), "integers");
}

// A number that underflows to 0 is not 0, nor is what is computed from it.
template <typename Number>
void ExpectNoZeros() {
  SCOPED_TRACE(NameOf<Number>());
  const Number tiny = Number(0x1p-600) * 0x1p-600;
  for (const double factor : {1.0, 0x1p-100, 0x1p-133, 0x1p-400, 0x1p-500}) {
    EXPECT_NE((tiny * factor).CertainSign(), 0) << factor;
    EXPECT_NE((Number(factor) * tiny).CertainSign(), 0) << factor;
    EXPECT_NE((tiny * factor * factor).CertainSign(), 0) << factor;
    EXPECT_NE(((tiny - Number(0)) * factor).CertainSign(), 0) << factor;
  }
}

TEST(Ladder, NothingThatUnderflowsIsCertainlyZero) {
  ExpectNoZeros<Bounded>();
  ExpectNoZeros<LongBounded>();
  ExpectNoZeros<Expansion>();
}

TEST(Ladder, RaisesWhatItTook) {
  Arithmetic used = Arithmetic::kDouble;
  const auto sign_of = [&](double x, double y) {
    return Decide<Bounded, LongBounded, Expansion, Exact>(
        [&]<typename Number>(Judge<Number>& judge) {
          return judge.Sign(Number(x) * x * x - Number(y) * y * y);
        },
        &used);
  };
  EXPECT_EQ(sign_of(2, 1), 1);
  EXPECT_EQ(sign_of(3, 3), 0);
  EXPECT_EQ(used, Arithmetic::kDouble);
  EXPECT_EQ(sign_of(0.1, 0.1), 0);
  EXPECT_EQ(used, Arithmetic::kExpansion);
  EXPECT_EQ(sign_of(0x1p-400, 0x1p-400), 0);
  EXPECT_EQ(used, Arithmetic::kExact);
  EXPECT_EQ(sign_of(2, 1), 1);
  EXPECT_EQ(used, Arithmetic::kExact);
}

// Each kind of number encloses the rational that the same formula gives.
TEST(Ladder, BoundsHold) {
  HalfRoundNumbers numbers;
  for (int i = 0; i < 20000; ++i) {
    const double a = numbers.Next();
    const double b = numbers.Next();
    const double c = numbers.Next();
    const double d = numbers.Next();
    const auto formula = [&](auto zero) {
      using Number = decltype(zero);
      const Number p = (Number(a) - b) * (Number(c) - d);
      const Number q = (Number(a) - d) * (Number(b) - c);
      return p * (p - q) * Number(a) + (q + p) * q * Number(d);
    };
    const Rational exact = formula(Rational(0));
    const Bounded bounded = formula(Bounded());
    EXPECT_LE(abs(exact - bounded.value), Rational(bounded.error)) << i;
    const LongBounded x = formula(LongBounded());
    EXPECT_LE(abs(exact - x.hi - x.lo - x.rest), Rational(x.error)) << i;
    EXPECT_LE(x.error, 0x1p-140) << i;
    const auto sign = x.CertainSign();
    if (sign) {
      EXPECT_EQ(*sign, exact.sign());
    }
  }
}

// Pairs of doubles and expansions round to the results of integers, ties
// included.
TEST(Ladder, QuotientsAndRootsAreCorrectlyRounded) {
  HalfRoundNumbers numbers;
  Arithmetic used = Arithmetic::kDouble;
  for (int i = 0; i < 20000; ++i) {
    const double a = numbers.Next();
    const double b = numbers.Next();
    // 54 bits more often than not: half way between two doubles.
    const double tie = 1 + std::abs(a) * (i % 2 == 0 ? 1 : 0);
    const auto rounded = [&]<typename... Rungs>(Arithmetic* reached) {
      return Decide<Rungs...>(
          [&]<typename Number>(Judge<Number>& judge) {
            const Number sum = Number(tie) + 0x1p-53;
            const Number d = Number(b) * b + 0.5;
            return std::array{judge.RoundedQuotient(sum * d, d),
                              judge.RoundedSqrtOfQuotient(sum * sum * d, d),
                              judge.RoundedQuotient(Number(a) - b, d)};
          },
          reached);
    };
    const auto low =
        rounded.template operator()<LongBounded, Expansion, Exact>(&used);
    const auto high = rounded.template operator()<Exact>(nullptr);
    EXPECT_EQ(low, high) << i;
  }
  EXPECT_EQ(used, Arithmetic::kExpansion);
}

}  // namespace
}  // namespace orbox
