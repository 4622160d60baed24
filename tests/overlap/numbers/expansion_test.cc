// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/internal/numbers/expansion.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

using Rational = boost::multiprecision::cpp_rational;

class Numbers {
 public:
  // Magnitudes far apart, or whole and small numbers, so that sums cancel.
  double Next() {
    const double mantissa = uniform_(random_);
    switch (random_() % 4) {
      case 0:
        return std::ldexp(mantissa, static_cast<int>(random_() % 200) - 100);
      case 1:
        return std::round(mantissa * 4);
      case 2:
        return 1 + std::ldexp(std::round(mantissa * 4), -52);
      default:
        return mantissa;
    }
  }
  size_t Below(size_t n) { return random_() % n; }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

// Sums, differences and products of earlier results, each compared with its
// rational.
TEST(Expansion, SignsAreThoseOfRationals) {
  Numbers numbers;
  int zeros = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Expansion> sums;
    std::vector<Rational> rationals;
    for (int i = 0; i < 6; ++i) {
      const double x = numbers.Next();
      sums.emplace_back(x);
      rationals.emplace_back(x);
    }
    for (int step = 0; step < 12; ++step) {
      const size_t i = numbers.Below(sums.size());
      const size_t j = numbers.Below(sums.size());
      // Products of products of products would not fit.
      const bool is_small = i < 10 && j < 10;
      switch (numbers.Below(is_small ? 3 : 2)) {
        case 0:
          sums.push_back(sums[i] + sums[j]);
          rationals.push_back(rationals[i] + rationals[j]);
          break;
        case 1:
          sums.push_back(sums[i] - sums[j]);
          rationals.push_back(rationals[i] - rationals[j]);
          break;
        default:
          sums.push_back(sums[i] * sums[j]);
          rationals.push_back(rationals[i] * rationals[j]);
      }
      const std::optional<int> sign = sums.back().CertainSign();
      ASSERT_TRUE(sign.has_value());
      EXPECT_EQ(*sign, rationals.back().sign());
      zeros += *sign == 0 ? 1 : 0;
      const LongBounded rounded = sums.back().ToLong();
      EXPECT_LE(abs(rationals.back() - rounded.hi - rounded.lo - rounded.rest),
                Rational(rounded.error));
    }
  }
  EXPECT_GT(zeros, 20);
}

// (a + b + c)^2 - (a^2 + ... + 2 b c) leaves nothing, in any order.
TEST(Expansion, CancelsToZero) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    const Expansion a = numbers.Next();
    const Expansion b = numbers.Next();
    const Expansion c = numbers.Next();
    const Expansion sum = a + b + c;
    const Expansion rest =
        sum * sum - a * a - b * b - c * c - (a * b + b * c + c * a) * 2.0;
    EXPECT_EQ(rest.CertainSign(), 0);
    EXPECT_EQ((rest - 0x1p-1000).CertainSign(), -1);
  }
}

TEST(Expansion, KnowsWhatItCannotHold) {
  const Expansion tiny = 0x1p-500;
  EXPECT_EQ(tiny.CertainSign(), 1);
  EXPECT_FALSE((tiny * tiny).CertainSign().has_value());
  EXPECT_FALSE((tiny * tiny + 1.0).CertainSign().has_value());
  const Expansion large = 0x1p490;
  EXPECT_FALSE((large * large).CertainSign().has_value());
  EXPECT_FALSE(
      (Expansion(0x1p1023) + Expansion(0x1p1023)).CertainSign().has_value());
}

}  // namespace
}  // namespace orbox
