// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/internal/numbers/exact_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace orbox {
namespace {

// Doubles of every magnitude, denormals among them.
class Doubles {
 public:
  double Next() {
    const double fraction = gaussian_(random_);
    const int exponent = static_cast<int>(random_() % 2000) - 1070;
    return std::ldexp(fraction, exponent);
  }
  double Ordinary() { return gaussian_(random_); }

 private:
  std::mt19937_64 random_{1};
  std::normal_distribution<double> gaussian_;
};

TEST(ExactNumber, EveryDoubleIsOne) {
  Doubles doubles;
  for (int i = 0; i < 10000; ++i) {
    const double value = doubles.Next();
    EXPECT_EQ(Exact(value).ToDouble(), value);
  }
  for (double value : {0.0, 5e-324, -5e-324, 0x1p-1022, 0x1p-1022 - 5e-324,
                       std::numeric_limits<double>::max(),
                       std::numeric_limits<double>::lowest()}) {
    EXPECT_EQ(Exact(value).ToDouble(), value);
  }
}

// The machine rounds a single operation correctly: so must these.
TEST(ExactNumber, SingleOperationsRoundLikeTheMachine) {
  Doubles doubles;
  for (int i = 0; i < 20000; ++i) {
    const double a = doubles.Next();
    const double b = i % 2 == 0 ? doubles.Next() : doubles.Ordinary() * a;
    EXPECT_EQ((Exact(a) + b).ToDouble(), a + b);
    EXPECT_EQ((Exact(a) - b).ToDouble(), a - b);
    EXPECT_EQ((Exact(a) * b).ToDouble(), a * b);
    EXPECT_EQ(Exact(a) < b, a < b);
    EXPECT_EQ(Exact(a) == b, a == b);
    EXPECT_EQ(Exact(a) >= b, a >= b);
    if (b != 0) {
      EXPECT_EQ(RoundedQuotient(a, b), a / b);
    }
    EXPECT_EQ(RoundedSqrtOfQuotient(std::abs(a), 1), std::sqrt(std::abs(a)));
  }
}

TEST(ExactNumber, CancellationLeavesTheRest) {
  EXPECT_EQ((Exact(1e300) + 1 - 1e300).ToDouble(), 1);
  EXPECT_EQ((Exact(1e300) + 5e-324 - 1e300).ToDouble(), 5e-324);
  EXPECT_EQ((Exact(0.1) * 10 - 1).Sign(), 1);
  EXPECT_EQ((Exact(0.1) - 0.1).Sign(), 0);
  EXPECT_TRUE(Exact(0.5) + 0.5 == Exact(1));
}

TEST(ExactNumber, RoundsTiesToEvenAndWhatIsBeyond) {
  const Exact half_ulp = 0x1p-53;
  EXPECT_EQ((Exact(1) + half_ulp).ToDouble(), 1);
  EXPECT_EQ((Exact(1) + half_ulp + 5e-324).ToDouble(), 1 + 0x1p-52);
  EXPECT_EQ((Exact(1) + half_ulp * 3).ToDouble(), 1 + 0x1p-51);
  EXPECT_EQ((Exact(1e300) * 1e300).ToDouble(),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ((Exact(-1e300) * 1e300).ToDouble(),
            -std::numeric_limits<double>::infinity());
  const Exact tiny = 5e-324;
  EXPECT_EQ((tiny * 0.5).ToDouble(), 0);
  EXPECT_EQ((tiny * 0.75).ToDouble(), 5e-324);
  EXPECT_EQ((tiny * 1.5).ToDouble(), 1e-323);
}

TEST(ExactNumber, QuotientsAndRootsOfLongNumbers) {
  // (10^20 + 1)^2 / 10^40 is a little more than 1; its root, too.
  const Exact n = Exact(1e10) * 1e10 + 1;
  const Exact d = Exact(1e10) * 1e10;
  EXPECT_EQ(RoundedQuotient(n * n, d * d), 1);
  EXPECT_EQ(RoundedSqrtOfQuotient(n * n, d * d), 1);
  EXPECT_EQ(RoundedQuotient(Exact(1), Exact(3)), 1.0 / 3);
  EXPECT_EQ(RoundedQuotient(Exact(-2), Exact(3)), -2.0 / 3);
  // Halfway between two doubles, and a little above.
  const Exact tie = Exact(1) + 0x1p-53;
  EXPECT_EQ(RoundedSqrtOfQuotient(tie * tie, 1), 1);
  EXPECT_EQ(RoundedSqrtOfQuotient(tie * tie + 0x1p-200, 1), 1 + 0x1p-52);
  EXPECT_EQ(RoundedQuotient(0, 3), 0);
  EXPECT_EQ(RoundedSqrtOfQuotient(0, 3), 0);
}

}  // namespace
}  // namespace orbox
