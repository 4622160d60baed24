// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/face_distances.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tools/picture/palette.h"

namespace orbox::picture {
namespace {

TEST(FaceDistancesTest, AreTheSmallestOfAllPairs) {
  const Mesh a = meshes::Soup(60, 0.2, 1), b = meshes::Soup(50, 0.2, 2);
  constexpr double kWithin = 0.05;
  const std::vector<PairDistance> pairs = brute_force::Within(a, b, kWithin);
  const std::vector<PairDistance> all =
      brute_force::Within(a, b, std::numeric_limits<double>::infinity());
  for (const size_t side : {0U, 1U}) {
    const size_t count = (side == 0 ? a : b).triangle_count();
    const FaceDistances near = FaceDistancesOf(pairs, side, count);
    const FaceDistances exact = FaceDistancesOf(all, side, count);
    ASSERT_EQ(near.size(), count);
    size_t colored = 0;
    for (size_t id = 0; id < count; ++id) {
      if (exact[id] <= kWithin) {
        EXPECT_EQ(near[id], exact[id]);
        ++colored;
      } else {
        EXPECT_TRUE(std::isinf(near[id]));
      }
    }
    EXPECT_GT(colored, 10U);
    EXPECT_LT(colored, count);
  }
}

TEST(FaceDistancesTest, ColoursOfDistances) {
  const Color own{0.1, 0.2, 0.3};
  EXPECT_EQ(ColorOfDistance(0, {}, own), FromHex(kColorOfMeeting));
  EXPECT_EQ(ColorOfDistance(0, 0.0, own), FromHex(kColorOfMeeting));
  EXPECT_EQ(ColorOfDistance(1, {}, own), own);
  EXPECT_EQ(ColorOfDistance(1, 2.0, own), MapColor(0.5));
  EXPECT_EQ(ColorOfDistance(2, 2.0, own), MapColor(1));
  EXPECT_EQ(ColorOfDistance(2.1, 2.0, own), own);
  EXPECT_EQ(ColorOfDistance(std::numeric_limits<double>::infinity(), 2.0, own),
            own);
}

}  // namespace
}  // namespace orbox::picture
