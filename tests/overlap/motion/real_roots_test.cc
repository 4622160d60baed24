// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/motion/internal/real_roots.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using Polynomial = RealPolynomial<Exact>;

Judge<Exact> judge;  // never open

Polynomial Of(const std::vector<Exact>& coefficients) {
  return {coefficients, &judge};
}

std::vector<Exact> CoefficientsOf(const Polynomial& f, size_t size) {
  std::vector<Exact> c(size);
  for (size_t i = 0; !f.IsZero() && i <= f.degree(); ++i) c[i] = f[i];
  return c;
}

Polynomial operator+(const Polynomial& f, double constant) {
  std::vector<Exact> sum = CoefficientsOf(f, Polynomial::kMostDegree + 1);
  sum[0] = sum[0] + Exact(constant);
  return Of(sum);
}

Polynomial operator*(const Polynomial& f, const Polynomial& g) {
  std::vector<Exact> product(f.degree() + g.degree() + 1);
  for (size_t i = 0; i <= f.degree(); ++i) {
    for (size_t j = 0; j <= g.degree(); ++j) {
      product[i + j] = product[i + j] + f[i] * g[j];
    }
  }
  return Of(product);
}

Polynomial Linear(double root, double factor = 1) {
  return Of({Exact(-root) * Exact(factor), Exact(factor)});
}

std::vector<double> RootsOf(const Polynomial& f) {
  std::vector<double> times;
  for (RealRoot<Exact>& root : RootsUpToOne(f, &judge)) {
    root.RefineTo(0x1p-50, &judge);
    EXPECT_LE(root.hi() - root.lo(), Exact(0x1p-50));
    times.push_back(root.hi().ToDouble());
  }
  return times;
}

TEST(RealRootsTest, FindsWhatIsBetweenZeroAndOneInOrder) {
  const Polynomial f = Linear(0.75, -3) * Linear(0.125) * Linear(0.3);
  const std::vector<double> roots = RootsOf(f);
  ASSERT_EQ(roots.size(), 3U);
  EXPECT_EQ(roots[0], 0.125);
  EXPECT_NEAR(roots[1], 0.3, 0x1p-50);
  EXPECT_EQ(roots[2], 0.75);
  EXPECT_TRUE(RootsOf(Linear(-0.5) * Linear(1.5)).empty());
  EXPECT_TRUE(RootsOf(Linear(0)).empty());
  EXPECT_EQ(RootsOf(Linear(1)), (std::vector<double>{1}));
  EXPECT_EQ(RootsOf(Linear(0) * Linear(1) * Linear(0.5)),
            (std::vector<double>{0.5, 1}));
  EXPECT_TRUE(RootsOf(Of({Exact(3)})).empty());
  EXPECT_TRUE(RootsOf(Polynomial()).empty());
}

TEST(RealRootsTest, MultipleRootsAreOne) {
  EXPECT_EQ(RootsOf(Linear(0.25) * Linear(0.25)).size(), 1U);
  EXPECT_EQ(RootsOf(Linear(0.25) * Linear(0.25) * Linear(0.25)).size(), 1U);
  EXPECT_EQ(RootsOf(Linear(0.25) * Linear(0.5) * Linear(0.25)).size(), 2U);
  // t^2 + 1/4, shifted: none.
  EXPECT_TRUE(RootsOf(Linear(0.5) * Linear(0.5) + 0x1p-1000).empty());
}

// Two that differ in the last bit are two.
TEST(RealRootsTest, NeighboursArePartedHoweverClose) {
  const double close = 0.3 + 0x1p-54;
  EXPECT_EQ(RootsOf(Linear(0.3) * Linear(close)).size(), 2U);
  const Polynomial f = Linear(0.5) * Linear(0.5) + -0x1p-400;
  EXPECT_EQ(RootsUpToOne(f, &judge).size(), 2U);
}

// The root of 2 t^2 - 1 is no quotient of whole numbers.
TEST(RealRootsTest, SignsAreExact) {
  const Polynomial f = Of({Exact(-1), Exact(0), Exact(2)});
  std::vector<RealRoot<Exact>> roots = RootsUpToOne(f, &judge);
  ASSERT_EQ(roots.size(), 1U);
  RealRoot<Exact>& root = roots[0];
  EXPECT_EQ(root.SignOf(f, &judge), 0);
  EXPECT_EQ(root.SignOf(f * Linear(0.25), &judge), 0);
  EXPECT_EQ(root.SignOf(Polynomial(), &judge), 0);
  EXPECT_EQ(root.SignOf(Linear(0.7071067811865475), &judge), 1);
  EXPECT_EQ(root.SignOf(Linear(0.7071067811865476), &judge), -1);
  EXPECT_EQ(root.SignOf(f + 0x1p-900, &judge), 1);
  EXPECT_EQ(root.SignOf(f + -0x1p-900, &judge), -1);
  // It shares a root with g, but not this one.
  const Polynomial g = Of({Exact(1), Exact(-5), Exact(4)});  // at 1/4 and 1
  roots = RootsUpToOne(g * f, &judge);
  ASSERT_EQ(roots.size(), 3U);
  EXPECT_EQ(roots[0].SignOf(g, &judge), 0);
  EXPECT_EQ(roots[1].SignOf(g, &judge), -1);
  EXPECT_EQ(roots[2].SignOf(g, &judge), 0);
  EXPECT_EQ(roots[2].SignOf(f, &judge), 1);
}

// Products of random factors have just their roots.
TEST(RealRootsTest, ProductsHaveTheirFactorsRoots) {
  meshes::Random random(1);
  for (int i = 0; i < 200; ++i) {
    Polynomial f = Of({Exact(random.Uniform(-2, 2))});
    std::vector<double> expected;
    for (int k = 0; k < 3; ++k) {
      const double root = random.Below(2) == 0
                              ? random.Uniform(-0.5, 1.5)
                              : static_cast<double>(random.Below(9)) / 4 - 0.5;
      f = f * Linear(root, random.Uniform(0.5, 2));
      if (root > 0 && root <= 1) expected.push_back(root);
    }
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()),
                   expected.end());
    const std::vector<double> roots = RootsOf(f);
    ASSERT_EQ(roots.size(), expected.size());
    for (size_t k = 0; k < roots.size(); ++k) {
      EXPECT_NEAR(roots[k], expected[k], 0x1p-50);
    }
  }
}

}  // namespace
}  // namespace orbox
