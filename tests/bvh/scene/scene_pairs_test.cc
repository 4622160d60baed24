#include "orbox/bvh/scene/scene_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectSame(const std::vector<BodyGap>& x, const std::vector<BodyGap>& y) {
  ASSERT_EQ(x.size(), y.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].bodies, y[i].bodies);
    EXPECT_EQ(x[i].gap.distance, y[i].gap.distance);
    EXPECT_EQ(x[i].gap.triangles, y[i].gap.triangles);
    EXPECT_EQ(x[i].gap.on_a, y[i].gap.on_a);
    EXPECT_EQ(x[i].gap.on_b, y[i].gap.on_b);
  }
}

template <typename Pair>
void ExpectSame(const BodyPairLists<Pair>& x, const BodyPairLists<Pair>& y) {
  EXPECT_EQ(x.bodies, y.bodies);
  EXPECT_EQ(x.pairs.offsets, y.pairs.offsets);
  EXPECT_EQ(x.pairs.values, y.pairs.values);
}

// The answers by asking each two bodies.
std::vector<BodyPair> ExpectedClashes(const scenes::Cast& cast) {
  std::vector<BodyPair> pairs;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    if (AnyOverlap(a, b)) pairs.push_back(p);
  });
  return pairs;
}

std::vector<BodyGap> ExpectedGaps(const scenes::Cast& cast, double distance) {
  std::vector<BodyGap> gaps;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const auto gap = ClosestPair(a, b, {.max_distance = distance});
    if (gap) gaps.push_back({p, *gap});
  });
  return gaps;
}

template <typename Pair, typename Ask>
BodyPairLists<Pair> ExpectedLists(const scenes::Cast& cast, Ask ask) {
  BodyPairLists<Pair> lists;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const std::vector<Pair> pairs = ask(a, b);
    if (pairs.empty()) return;
    lists.bodies.push_back(p);
    lists.pairs.values.insert(lists.pairs.values.end(), pairs.begin(),
                              pairs.end());
    lists.pairs.offsets.push_back(lists.pairs.values.size());
  });
  return lists;
}

TEST(ScenePairsTest, TheAnswersAreThoseOfEachTwoBodies) {
  for (const double side : {2.0, 8.0}) {
    SCOPED_TRACE(side);
    const scenes::Cast cast = scenes::Crowd(40, side, 1);
    const Scene scene = scenes::Make(cast);
    const auto clashes = ExpectedClashes(cast);
    EXPECT_GT(clashes.size(), 0);
    EXPECT_LT(clashes.size(), 40 * 39 / 2);
    EXPECT_EQ(ClashingBodies(scene), clashes);
    ExpectSame(
        ClashingTriangles(scene),
        ExpectedLists<TrianglePair>(cast, [](const auto& a, const auto& b) {
          return AllOverlaps(a, b);
        }));
    for (const double d : {0.0, 0.2, 1.0, kInfinity}) {
      SCOPED_TRACE(d);
      ExpectSame(BodiesWithin(scene, d), ExpectedGaps(cast, d));
    }
    for (const double d : {0.0, 0.2}) {
      ExpectSame(
          TrianglesWithin(scene, d),
          ExpectedLists<PairDistance>(cast, [&](const auto& a, const auto& b) {
            return AllWithin(a, b, d);
          }));
    }
  }
}

TEST(ScenePairsTest, TheAnswersAreThoseOfBruteForce) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 7);
  const Scene scene = scenes::Make(cast);
  std::vector<BodyPair> clashes;
  std::vector<BodyGap> gaps;
  for (uint32_t a = 0; a < cast.size(); ++a) {
    for (uint32_t b = a + 1; b < cast.size(); ++b) {
      const Mesh x = meshes::Moved(cast[a].tree.mesh(), cast[a].pose);
      const Mesh y = meshes::Moved(cast[b].tree.mesh(), cast[b].pose);
      const Witness gap = brute_force::Closest(x, y);
      if (gap.distance == 0) clashes.push_back({a, b});
      if (gap.distance <= 0.3) gaps.push_back({{a, b}, gap});
    }
  }
  EXPECT_EQ(ClashingBodies(scene), clashes);
  ExpectSame(BodiesWithin(scene, 0.3), gaps);
  EXPECT_GT(gaps.size(), clashes.size());
  EXPECT_GT(clashes.size(), 0);
}

TEST(ScenePairsTest, DistancesThatAreNoneHaveNoPairs) {
  const Scene scene = scenes::Make(scenes::Crowd(10, 1, 1));
  for (const double d : {-1.0, -0x1p-1070, std::nan("")}) {
    EXPECT_TRUE(BodiesWithin(scene, d).empty());
    EXPECT_TRUE(BoundsWithin(scene, d).empty());
    EXPECT_TRUE(TrianglesWithin(scene, d).bodies.empty());
    EXPECT_EQ(TrianglesWithin(scene, d).pairs.size(), 0);
  }
}

TEST(ScenePairsTest, WhatOnlyRoundsToTheDistanceIsNotWithin) {
  const Tree above = trees::Make(meshes::WallsAt({1}));
  const Tree below = trees::Make(meshes::WallsAt({-1}));
  const Tree middle = trees::Make(meshes::WallsAt({meshes::kBarelyBelow0}));
  EXPECT_EQ(ClosestPair(above, middle)->distance, 1);
  EXPECT_FALSE(ClosestPair(above, middle, {.max_distance = 1}));
  const Scene scene = scenes::Make({{above, {}}, {middle, {}}, {below, {}}});
  const auto within = BodiesWithin(scene, 1);
  ASSERT_EQ(within.size(), 1u);
  EXPECT_EQ(within[0].bodies, (BodyPair{1, 2}));
  EXPECT_EQ(within[0].gap.distance, 1);
  EXPECT_EQ(TrianglesWithin(scene, 1).bodies.size(), 1u);
}

TEST(ScenePairsTest, FewBodiesHaveFewPairs) {
  Scene scene;
  scene.Update();
  EXPECT_TRUE(ClashingBodies(scene).empty());
  EXPECT_TRUE(BodiesWithin(scene, kInfinity).empty());
  EXPECT_TRUE(ClashingTriangles(scene).bodies.empty());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube())).ok());
  scene.Update();
  EXPECT_TRUE(ClashingBodies(scene).empty());
  EXPECT_TRUE(BodiesWithin(scene, kInfinity).empty());
  EXPECT_TRUE(TrianglesWithin(scene, kInfinity).bodies.empty());
}

TEST(ScenePairsTest, ABodyInsideAnotherDoesNotMeetIt) {
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-2, -2, -2}, 4))).ok());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-1, -1, -1}, 2))).ok());
  scene.Update();
  EXPECT_TRUE(ClashingBodies(scene).empty());
  EXPECT_TRUE(BodiesWithin(scene, 0.999).empty());
  const auto gaps = BodiesWithin(scene, 1);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps[0].gap.distance, 1);
}

TEST(ScenePairsTest, TouchingIsMeetingToTheLastBit) {
  const Tree cube = trees::Make(meshes::Cube());
  const double beyond = std::nextafter(1.0, 2.0);
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({1, 0, 0})).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({0, beyond, 0})).ok());
  scene.Update();
  EXPECT_THAT(ClashingBodies(scene), testing::ElementsAre(BodyPair{0, 1}));
  EXPECT_EQ(BodiesWithin(scene, beyond - 1).size(), 3);
  EXPECT_EQ(BodiesWithin(scene, std::nextafter(beyond - 1, 0.0)).size(), 1);
}

TEST(ScenePairsTest, ThreadsDoNotShow) {
  const Scene scene = scenes::Make(scenes::Crowd(80, 5, 3));
  TraversalStatistics one;
  const auto clashes = ClashingBodies(scene, {.threads = 1}, &one);
  const auto gaps = BodiesWithin(scene, 0.4, {.threads = 1}, &one);
  const auto meeting = ClashingTriangles(scene, {.threads = 1}, &one);
  const auto within = TrianglesWithin(scene, 0.1, {.threads = 1}, &one);
  for (const int threads : {0, 2, 3, 4}) {
    TraversalStatistics many;
    EXPECT_EQ(ClashingBodies(scene, {.threads = threads}, &many), clashes);
    ExpectSame(BodiesWithin(scene, 0.4, {.threads = threads}, &many), gaps);
    ExpectSame(ClashingTriangles(scene, {.threads = threads}, &many), meeting);
    ExpectSame(TrianglesWithin(scene, 0.1, {.threads = threads}, &many),
               within);
    EXPECT_EQ(many, one);
  }
}

TEST(ScenePairsTest, TheOrderOfBodiesOnlyRenamesThem) {
  const scenes::Cast cast = scenes::Crowd(40, 3, 5);
  std::vector<uint32_t> place(cast.size());
  std::iota(place.begin(), place.end(), 0);
  meshes::Random random(1);
  for (size_t i = place.size(); i > 1; --i) {
    std::swap(place[i - 1], place[random.Below(i)]);
  }
  scenes::Cast shuffled;
  for (const uint32_t i : place) shuffled.push_back(cast[i]);
  auto renamed = ClashingBodies(scenes::Make(shuffled));
  for (BodyPair& p : renamed) {
    const auto [a, b] = std::minmax(place[p.a], place[p.b]);
    p = {a, b};
  }
  std::sort(renamed.begin(), renamed.end());
  EXPECT_EQ(renamed, ClashingBodies(scenes::Make(cast)));
}

TEST(ScenePairsTest, ScalingByAPowerOfTwoChangesTheUnitAlone) {
  const scenes::Cast cast = scenes::Crowd(30, 3, 6);
  for (const double factor : {0x1p-40, 0x1p30}) {
    scenes::Cast scaled = cast;
    for (scenes::Actor& actor : scaled) {
      for (Vec3& row : actor.pose.rows) row = row * factor;
      actor.pose.translation = actor.pose.translation * factor;
    }
    std::vector<BodyGap> expected = BodiesWithin(scenes::Make(cast), 0.5);
    for (BodyGap& g : expected) {
      g.gap.distance *= factor;
      g.gap.on_a = g.gap.on_a * factor;
      g.gap.on_b = g.gap.on_b * factor;
    }
    ExpectSame(BodiesWithin(scenes::Make(scaled), 0.5 * factor), expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST(ScenePairsTest, HugeScenesLoseNothing) {
  // Beyond where squares of coordinates are finite.
  const Tree cube = trees::Make(meshes::Cube());
  Pose large;
  for (Vec3& row : large.rows) row = row * 0x1p700;
  Scene scene;
  ASSERT_TRUE(scene.Add(cube, large).ok());
  large.translation = {0x1p701, 0, 0};
  ASSERT_TRUE(scene.Add(cube, large).ok());
  scene.Update();
  EXPECT_TRUE(ClashingBodies(scene).empty());
  const auto gaps = BodiesWithin(scene, 0x1p700);
  ASSERT_EQ(gaps.size(), 1);
  EXPECT_EQ(gaps[0].gap.distance, 0x1p700);
  EXPECT_TRUE(BodiesWithin(scene, std::nextafter(0x1p700, 0.0)).empty());
}

}  // namespace
}  // namespace orbox
