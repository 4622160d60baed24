// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/shapes/matrix3.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace orbox {
namespace {

using testing::ElementsAre;

constexpr Matrix3<double> kDigits = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};

TEST(Matrix3Test, RowsFollowEachOther) {
  EXPECT_EQ(kDigits[0][2], 3);
  EXPECT_EQ(kDigits[2][0], 7);
  Matrix3<double> m = kDigits;
  m[1][2] = 0;
  EXPECT_THAT(m.entries, ElementsAre(1, 2, 3, 4, 5, 0, 7, 8, 9));
}

TEST(Matrix3Test, MultipliesByRowsAndByColumns) {
  const double p[3] = {1, 10, 100};
  double q[3];
  Multiply(kDigits, p, q);
  EXPECT_THAT(q, ElementsAre(321, 654, 987));
  MultiplyTransposed(kDigits, p, q);
  EXPECT_THAT(q, ElementsAre(741, 852, 963));
  Multiply(Matrix3<double>::Identity(), p, q);
  EXPECT_THAT(q, ElementsAre(1, 10, 100));
}

TEST(Matrix3Test, NaNEqualsNothing) {
  Matrix3<double> m = kDigits;
  EXPECT_TRUE(m == kDigits);
  m[1][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(m == m);
}

}  // namespace
}  // namespace orbox
