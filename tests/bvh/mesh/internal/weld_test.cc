// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/weld.h"

#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox::mesh_internal {
namespace {

using testing::ElementsAre;

TEST(WeldTest, NumbersInOrderOfFirstOccurrence) {
  const std::vector<Vec3> points = {
      {5, 0, 0}, {1, 2, 3}, {5, 0, 0}, {1, 2, 4}, {1, 2, 3}};
  for (const Welded& welded : {Weld(points), WeldBySorting(points)}) {
    EXPECT_THAT(welded.id, ElementsAre(0, 1, 0, 2, 1));
    EXPECT_THAT(welded.first, ElementsAre(0, 1, 3));
  }
}

TEST(WeldTest, ZerosOfBothSignsAreEqual) {
  const std::vector<Vec3> points = {
      {0.0, 1, -0.0}, {-0.0, 1, 0.0}, {0.0, 1, 0.0}, {0, -1, 0}};
  for (const Welded& welded : {Weld(points), WeldBySorting(points)}) {
    EXPECT_THAT(welded.id, ElementsAre(0, 0, 0, 1));
  }
}

TEST(WeldTest, NothingToWeld) {
  EXPECT_TRUE(Weld({}).id.empty());
  EXPECT_TRUE(WeldBySorting({}).first.empty());
}

TEST(WeldTest, BothWaysAgree) {
  meshes::Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 20000; ++i) {
    points.push_back({static_cast<double>(random.Below(20)),
                      static_cast<double>(random.Below(20)) * 1e-300,
                      static_cast<double>(random.Below(20)) * -1e300});
  }
  const Welded hashed = Weld(points);
  const Welded sorted = WeldBySorting(points);
  EXPECT_EQ(hashed.id, sorted.id);
  EXPECT_EQ(hashed.first, sorted.first);
  for (size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(points[i], points[hashed.first[hashed.id[i]]]);
  }
}

// The multiplication and the shift of one step of the hash can both be undone,
// so points can be made that all fall in one slot.
TEST(WeldTest, PointsThatCollideOnPurposeAreStillWeldedSoon) {
  constexpr uint64_t kMultiplier = 0xbf58476d1ce4e5b9u;
  std::vector<Vec3> points;
  meshes::Random random(9);
  while (points.size() < 40000) {
    // With x and y free, z can be chosen so that the state before the last
    // multiplication is the same for all.
    const Vec3 p = random.Point(1, 2);
    uint64_t h = 0;
    for (const double c : {p.x, p.y}) {
      h ^= std::bit_cast<uint64_t>(c + 0.0);
      h *= kMultiplier;
      h ^= h >> 32;
    }
    const double z = std::bit_cast<double>(h ^ uint64_t{0x1234});
    if (!std::isfinite(z)) continue;
    points.push_back({p.x, p.y, z});
  }
  const Welded welded = Weld(points);
  EXPECT_EQ(welded.first.size(), points.size());
  EXPECT_EQ(welded.id, WeldBySorting(points).id);
}

}  // namespace
}  // namespace orbox::mesh_internal
