#include "orbox/overlap/internal/numbers/expansion.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace orbox {
namespace {

using Rational = boost::multiprecision::cpp_rational;

int SignOf(const Rational& x) { return x.sign(); }

class Numbers {
 public:
  // Of any magnitude that products of three allow, or whole and small, so that
  // sums cancel.
  double Next() {
    const double mantissa = uniform_(random_);
    switch (random_() % 4) {
      case 0:
        return std::ldexp(mantissa, static_cast<int>(random_() % 500) - 210);
      case 1:
        return std::round(mantissa * 4);
      case 2:
        return 1 + std::ldexp(std::round(mantissa * 4), -52);
      default:
        return mantissa;
    }
  }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST(Expansion, SignsAreThoseOfRationals) {
  Numbers numbers;
  int zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    Expansion<60> sum;
    Rational exact = 0;
    for (int k = 0; k < 6; ++k) {
      const double a = numbers.Next();
      const double b = numbers.Next();
      const double c = numbers.Next();
      sum.AddProduct(a, b, c);
      sum.AddProduct(-b, c);
      sum.Add(a);
      exact += Rational(a) * b * c - Rational(b) * c + a;
      EXPECT_EQ(sum.Sign(), SignOf(exact)) << i;
      zeros += exact == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(zeros, 20);
}

// What is added and taken away again leaves nothing, in whatever order.
TEST(Expansion, CancelsToZero) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    Expansion<64> sum;
    std::vector<double> terms;
    for (int k = 0; k < 16; ++k) terms.push_back(numbers.Next());
    for (int k = 0; k < 16; ++k) {
      sum.AddProduct(terms[k], terms[(k + 5) % 16]);
    }
    for (int k = 15; k >= 0; --k) {
      sum.AddProduct(-terms[(k + 5) % 16], terms[k]);
    }
    EXPECT_EQ(sum.Sign(), 0);
    sum.Add(-0x1p-1000);
    EXPECT_EQ(sum.Sign(), -1);
  }
}

TEST(Expansion, KnowsWhichFactorsItCanHold) {
  EXPECT_TRUE(Expansion<4>::IsInRange(0));
  EXPECT_TRUE(Expansion<4>::IsInRange(-0x1p-220));
  EXPECT_FALSE(Expansion<4>::IsInRange(0x1p-221));
  EXPECT_TRUE(Expansion<4>::IsInRange(0x1p300));
  EXPECT_FALSE(Expansion<4>::IsInRange(-0x1p301));
  EXPECT_FALSE(Expansion<4>::IsInRange(std::nan("")));
}

}  // namespace
}  // namespace orbox
