// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/weld.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/boxes/sphere_sphere.h"
#include "tests/support/meshes.h"

namespace orbox::mesh_internal {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// Equal points by an ordered map.
Welded WeldByMap(const std::vector<Vec3>& points) {
  std::map<std::tuple<double, double, double>, uint32_t> known;
  Welded welded;
  for (uint32_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    const auto [at, is_new] = known.try_emplace(
        {p.x, p.y, p.z}, static_cast<uint32_t>(welded.first.size()));
    if (is_new) welded.first.push_back(i);
    welded.id.push_back(at->second);
  }
  return welded;
}

// The definition: the first point that stays and is within the distance.
Welded WeldByPairs(const std::vector<Vec3>& points, double distance) {
  Welded welded;
  for (uint32_t i = 0; i < points.size(); ++i) {
    uint32_t id = 0;
    while (id < welded.first.size() &&
           !Overlaps(Sphere{points[welded.first[id]], distance},
                     Sphere{points[i], 0})) {
      ++id;
    }
    if (id == welded.first.size()) welded.first.push_back(i);
    welded.id.push_back(id);
  }
  return welded;
}

Welded WeldWithin(const std::vector<Vec3>& points, double distance) {
  return Weld(points, Workers(1), distance);
}

void ExpectEqual(const Welded& a, const Welded& b) {
  EXPECT_THAT(a.id, ElementsAreArray(b.id));
  EXPECT_THAT(a.first, ElementsAreArray(b.first));
}

TEST(WeldTest, NumbersInOrderOfFirstOccurrence) {
  const std::vector<Vec3> points = {
      {5, 0, 0}, {1, 2, 3}, {5, 0, 0}, {1, 2, 4}, {1, 2, 3}};
  for (const Welded& welded : {Weld(points), WeldByPairs(points, 0)}) {
    EXPECT_THAT(welded.id, ElementsAre(0, 1, 0, 2, 1));
    EXPECT_THAT(welded.first, ElementsAre(0, 1, 3));
  }
}

TEST(WeldTest, ZerosOfBothSignsAreEqual) {
  const std::vector<Vec3> points = {
      {0.0, 1, -0.0}, {-0.0, 1, 0.0}, {0.0, 1, 0.0}, {0, -1, 0}};
  for (const Welded& welded : {Weld(points), WeldByPairs(points, 0)}) {
    EXPECT_THAT(welded.id, ElementsAre(0, 0, 0, 1));
  }
}

TEST(WeldTest, NothingToWeld) {
  EXPECT_TRUE(Weld({}).id.empty());
  EXPECT_TRUE(WeldWithin({}, 1).first.empty());
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
  ExpectEqual(hashed, WeldByMap(points));
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
  EXPECT_EQ(welded.id, WeldByMap(points).id);
}

TEST(WeldTest, WithinADistanceByTheDefinition) {
  meshes::Random random(5);
  for (const double size : {0x1p-190, 1.0, 1e5, 0x1p198}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 600; ++i) {
      Vec3 p = random.Point(-1, 1);
      p.z = i % 3 == 0 ? 0 : p.z;
      points.push_back(p * size);
    }
    for (const double share :
         {0.0, 1e-17, 1e-9, 0.01, 0.03, 0.125, 0.3, 1.0, 4.0, 1e30}) {
      SCOPED_TRACE(testing::Message() << size << " " << share);
      const double distance = share * size;
      ExpectEqual(WeldWithin(points, distance), WeldByPairs(points, distance));
    }
  }
}

// Points on a lattice have many pairs at exactly the distance, on both sides of
// every border of cells; so have neighbours among doubles.
TEST(WeldTest, DistancesThatAreEqualCount) {
  meshes::Random random(6);
  for (const double step : {1.0, 0x1p-52, 0x1p-53}) {
    for (const double far : {0.0, 1.0, 1e15}) {
      std::vector<Vec3> points;
      for (int i = 0; i < 500; ++i) {
        points.push_back(
            {far + step * (static_cast<double>(random.Below(13)) - 6),
             far - step * static_cast<double>(random.Below(9)),
             -far + step * (static_cast<double>(random.Below(4)) - 2)});
      }
      for (const double distance : {0.5, 1.0, std::numbers::sqrt2, 2.0, 3.0}) {
        SCOPED_TRACE(testing::Message()
                     << step << " " << far << " " << distance);
        ExpectEqual(WeldWithin(points, step * distance),
                    WeldByPairs(points, step * distance));
      }
    }
  }
}

TEST(WeldTest, AChainMovesNoPointFartherThanTheDistance) {
  EXPECT_THAT(WeldWithin({{0, 0, 0}, {0.8, 0, 0}, {1.6, 0, 0}}, 1).id,
              ElementsAre(0, 0, 1));
  EXPECT_THAT(WeldWithin({{0.8, 0, 0}, {0, 0, 0}, {1.6, 0, 0}}, 1).id,
              ElementsAre(0, 0, 0));
  // Near two points that stay: the first of them.
  EXPECT_THAT(WeldWithin({{0, 0, 0}, {1.6, 0, 0}, {0.9, 0, 0}}, 1).id,
              ElementsAre(0, 1, 0));
}

TEST(WeldTest, TranslationAndScaleChangeNothing) {
  meshes::Random random(7);
  std::vector<Vec3> points;
  std::vector<Vec3> moved;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p = {static_cast<double>(random.Below(4000)) / 64,
                    static_cast<double>(random.Below(4000)) / 64,
                    static_cast<double>(random.Below(500)) / 64};
    points.push_back(p);
    moved.push_back((p + Vec3{-1234.5, 77, 4096}) * 8);
  }
  ExpectEqual(WeldWithin(points, 0.75), WeldWithin(moved, 6));
}

// Cells of these points have one hash: the multiplication and the shift of a
// step can be undone for integers of a double's bits, too.
TEST(WeldTest, CellsThatCollideOnPurposeAreStillWelded) {
  constexpr uint64_t kMultiplier = 0xbf58476d1ce4e5b9u;
  std::vector<Vec3> points;
  meshes::Random random(10);
  while (points.size() < 3000) {
    // The sides of cells are 1 for this distance. Cells of numbers above 2^53
    // are the numbers.
    const Vec3 p = random.Point(0x1p53, 0x1p54);
    uint64_t h = 0;
    for (const double c : {p.x, p.y}) {
      h ^= std::bit_cast<uint64_t>(c + 0.0);
      h *= kMultiplier;
      h ^= h >> 32;
    }
    const double z = std::bit_cast<double>(h ^ uint64_t{0x1234});
    if (!(std::abs(z) > 0x1p53 && std::abs(z) < 0x1p199)) continue;
    points.push_back({p.x, p.y, z});
  }
  const Welded welded = WeldWithin(points, 0.125);
  EXPECT_EQ(welded.first.size(), points.size());
}

}  // namespace
}  // namespace orbox::mesh_internal
