// SPDX-License-Identifier: Apache-2.0

// Gaps of boxes of chunks are never too large, and the same one by one and
// eight at a time.
#include "orbox/bvh/large/internal/chunk_gaps.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/triangles/ray_triangle.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

TEST(ChunkGapsTest, RaysComeToBoxesNoSoonerThanSaid) {
  meshes::Random random(4);
  int hits = 0;
  int misses = 0;
  for (int k = 0; k < 20000; ++k) {
    const Triangle t = {random.LatticePoint(5), random.LatticePoint(5),
                        random.LatticePoint(5)};
    const Ray ray = {random.LatticePoint(6), random.LatticePoint(3)};
    const double entry = RayEntry(ray)(BoundsOf(t));
    const auto hit = Intersect(ray, t);
    if (hit.has_value()) {
      EXPECT_LE(entry, hit->t);
      ++hits;
    }
    misses += entry == kInfinity;
  }
  EXPECT_GT(hits, 500);
  EXPECT_GT(misses, 5000);
}

TEST(ChunkGapsTest, WhatIsNotValidReachesNothing) {
  const Aabb box = {{0, 0, 0}, {1, 1, 1}};
  const double nan = std::nan("");
  EXPECT_EQ(RayEntry(Ray{{}, {}})(box), kInfinity);
  EXPECT_EQ(RayEntry(Ray{{nan, 0, 0}, {1, 0, 0}})(box), kInfinity);
  EXPECT_EQ(GapFromPoint({nan, 0, 0})(box), kInfinity);
}

TEST(ChunkGapsTest, NumbersAtTheEndsOfDoubleLeaveNothingOut) {
  const double most = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  const Aabb huge = {{-most, -most, -most}, {most, most, most}};
  EXPECT_EQ(RayEntry(Ray{{0, 0, 0}, {1, 0, 0}})(huge), 0);
  EXPECT_EQ(GapFromPoint({most, 0, 0})(huge), 0);
  const Aabb tiny = {{least, least, least}, {2 * least, least, least}};
  EXPECT_LT(RayEntry(Ray{{0, least, least}, {1, 0, 0}})(tiny), kInfinity);
  EXPECT_LT(RayEntry(Ray{{-1, 0, 0}, {1, least, least}})(tiny), kInfinity);
  EXPECT_EQ(GapFromPoint({0, least, least})(tiny), least);
}

TEST(ChunkGapsTest, LevelsFindWhatEachBoxSays) {
  meshes::Random random(5);
  std::vector<Aabb> boxes;
  for (int i = 0; i < 77; ++i) {
    const Vec3 lo = random.LatticePoint(9) * 0.7;
    boxes.push_back({lo, lo + Abs(random.LatticePoint(2)) * 0.3});
  }
  const ChunkLevels levels(boxes);
  const auto check = [&](const auto& gap_to, double limit) {
    std::vector<size_t> expected;
    for (size_t i = 0; i < boxes.size(); ++i) {
      const double gap = gap_to(boxes[i]);
      if (gap <= limit && gap != kInfinity) expected.push_back(i);
    }
    std::vector<size_t> found;
    levels.VisitNear(
        gap_to, [limit] { return limit; },
        [&](size_t i, double gap) {
          EXPECT_EQ(gap, gap_to(boxes[i]));
          found.push_back(i);
        });
    EXPECT_EQ(found, expected);
    return found.size();
  };
  size_t near = 0;
  size_t hit = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random.LatticePoint(12) * 0.7;
    near += check(GapFromPoint(p), 3);
    hit += check(RayEntry(Ray{p, boxes[i % 77].lo - p}), kInfinity);
    check(GapOfTest([&](const Aabb& box) { return box.lo.x <= p.x; }),
          kInfinity);
  }
  EXPECT_GT(near, 300u);
  EXPECT_GT(hit, 100u);
}

}  // namespace
}  // namespace orbox
