// SPDX-License-Identifier: Apache-2.0

#include "orbox/overlap/boxes/internal/box_arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<Aabb> RandomBoxes(size_t count, meshes::Random& random) {
  std::vector<Aabb> boxes;
  for (size_t i = 0; i < count; ++i) {
    const Vec3 lo = random.Point(0, 10);
    boxes.push_back({lo, lo + random.Point(0, random.Uniform(0, 2))});
  }
  return boxes;
}

TEST(GapOfTest, IsZeroOnlyWhereBoxesMeet) {
  const Aabb unit{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(GapOf(unit, unit), 0);
  EXPECT_EQ(GapOf(unit, {{1, 1, 1}, {2, 2, 2}}), 0);
  EXPECT_EQ(GapOf({{0.2, 0.2, 0.2}, {0.3, 0.3, 0.3}}, unit), 0);
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_GT(GapOf({{0, 0, 0}, {0, 0, 0}}, {{tiny, 0, 0}, {1, 1, 1}}), 0);
  EXPECT_GT(GapOf(unit, {{1 + 0x1p-52, 0, 0}, {2, 2, 2}}), 0);
}

TEST(GapOfTest, IsNeverMoreThanTheDistanceAndNearlyThat) {
  meshes::Random random(1);
  for (const double scale : {1.0, 0x1p-1000, 0x1p-500, 0x1p500, 0x1p1000}) {
    for (int i = 0; i < 1000; ++i) {
      const std::vector<Aabb> boxes = RandomBoxes(2, random);
      long double squared = 0;
      for (int k = 0; k < 3; ++k) {
        const long double gap = std::max(
            {0.0L, static_cast<long double>(boxes[0].lo[k]) - boxes[1].hi[k],
             static_cast<long double>(boxes[1].lo[k]) - boxes[0].hi[k]});
        squared += gap * gap;
      }
      const long double exact = std::sqrt(squared) * scale;
      const auto scaled = [&](const Aabb& b) {
        return Aabb{b.lo * scale, b.hi * scale};
      };
      const double gap = GapOf(scaled(boxes[0]), scaled(boxes[1]));
      EXPECT_LE(gap, exact);
      EXPECT_GE(gap, exact * (1 - 0x1p-40L));
    }
  }
}

TEST(GrownTest, HoldsWhateverIsWithinTheDistance) {
  meshes::Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Aabb> boxes = RandomBoxes(2, random);
    const Aabb grown = Grown(boxes[0], GapOf(boxes[0], boxes[1]) * 1.0000001);
    EXPECT_EQ(GapOf(grown, boxes[1]), 0);
  }
  // Further away than 1, and at a distance of 1 all the same: it is rounded.
  const Aabb near = Grown({{1, 0, 0}, {2, 1, 1}}, 1);
  EXPECT_EQ(GapOf(near, {{-1, 0, 0}, {-0x1p-60, 1, 1}}), 0);
  const Aabb all =
      Grown({{-1, -1, -1}, {1, 1, 1}}, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(IsValid(all));
  EXPECT_EQ(all.hi.x, std::numeric_limits<double>::max());
  EXPECT_EQ(all.lo.x, -std::numeric_limits<double>::max());
}

TEST(BoxAroundTest, HoldsMovedPointsHardlyLargerAndFinite) {
  meshes::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const Aabb box = RandomBoxes(1, random)[0];
    const Pose pose{
        .rows = {random.Point(-2, 2), random.Point(-2, 2), random.Point(-2, 2)},
        .translation = random.Point(-9, 9)};
    const Aabb around = BoxAround(box, pose);
    Aabb corners{pose.Apply(box.lo), pose.Apply(box.lo)};
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p = pose.Apply(Vec3{(corner & 1 ? box.hi : box.lo).x,
                                     (corner & 2 ? box.hi : box.lo).y,
                                     (corner & 4 ? box.hi : box.lo).z});
      EXPECT_TRUE(Contains(around, p));
      corners = Union(corners, {p, p});
    }
    EXPECT_TRUE(Contains(GrownBy(corners, 0x1p-40), around.lo));
    EXPECT_TRUE(Contains(GrownBy(corners, 0x1p-40), around.hi));
  }
  const double most = std::numeric_limits<double>::max();
  const Aabb all = {{-most, -most, -most}, {most, most, most}};
  EXPECT_TRUE(IsValid(
      BoxAround(all, {.rows = {Vec3{2, 2, 2}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}})));
}

TEST(IntersectionTest, IsEmptyWhereBoxesAreApart) {
  meshes::Random random(4);
  int apart = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<Aabb> boxes = RandomBoxes(2, random);
    const Aabb common = Intersection(boxes[0], boxes[1]);
    EXPECT_EQ(IsEmpty(common), AxisGap(boxes[0], boxes[1]) > 0);
    EXPECT_EQ(IsEmpty(common), GapOf(boxes[0], boxes[1]) > 0);
    EXPECT_LE(AxisGap(boxes[0], boxes[1]) * (1 - 0x1p-49),
              GapOf(boxes[0], boxes[1]));
    apart += IsEmpty(common) ? 1 : 0;
  }
  EXPECT_GT(apart, 500);
  EXPECT_TRUE(IsEmpty({{0, std::nan(""), 0}, {1, 1, 1}}));
  EXPECT_FALSE(IsEmpty({{1, 1, 1}, {1, 1, 1}}));
}

}  // namespace
}  // namespace orbox
