// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/scene_clash.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/solids/interior_overlap.h"
#include "tests/support/scenes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

void ExpectSame(const Clash& x, const Clash& y) {
  EXPECT_EQ(x.kind, y.kind);
  EXPECT_EQ(x.thickness, y.thickness);
  EXPECT_EQ(x.center, y.center);
  EXPECT_EQ(x.volume, y.volume);
  ASSERT_EQ(x.gap.has_value(), y.gap.has_value());
  if (!x.gap) return;
  EXPECT_EQ(x.gap->distance, y.gap->distance);
}

TEST(SceneClashTest, TheAnswersAreThoseOfEachTwoBodies) {
  const scenes::Cast cast = scenes::Crowd(24, 2.5, 1);
  const Scene scene = scenes::Make(cast);
  const ClashOptions options{.tolerance = 0.02, .clearance = 0.2};
  std::vector<BodyPairClash> expected;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    const Clash clash = ClashOf(a, b, options);
    if (clash.kind != ClashKind::kApart) expected.push_back({p, clash});
  });
  EXPECT_GT(expected.size(), 20u);
  for (const int threads : {1, 2, 3}) {
    const std::vector<BodyPairClash> found =
        AllClashes(scene, options, {.threads = threads}).value();
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].bodies, expected[i].bodies);
      ExpectSame(found[i].clash, expected[i].clash);
    }
  }
  EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                          [](const auto& c) { return IsClash(c.clash.kind); }));
  EXPECT_TRUE(AnyClash(scene, options));
  EXPECT_TRUE(AnyClash(scene, options, {.threads = 2}).value());
}

TEST(SceneClashTest, TheRuleOfInsideDecides) {
  Scene scene;
  const Tree body =
      trees::Make(meshes::Joined(solids::Box({{0, 0, 0}, {3, 2, 2}}),
                                 solids::Box({{1, 0.5, -1}, {5, 3, 1}})));
  const Tree probe =
      trees::Make(solids::Box({{1.5, 0.75, 0.25}, {2.5, 1.75, 0.75}}));
  ASSERT_TRUE(scene.Add(body).ok());
  ASSERT_TRUE(scene.Add(probe).ok());
  scene.Update();
  EXPECT_TRUE(AnyClash(scene));
  EXPECT_EQ(AllClashes(scene).size(), 1u);
  const ClashOptions parity{.inside = InsideRule::kParity};
  EXPECT_FALSE(AnyClash(scene, parity));
  EXPECT_TRUE(AllClashes(scene, parity).empty());
}

TEST(SceneClashTest, ExactKindsAreThoseOfInteriors) {
  Scene scene;
  std::vector<Tree> trees;
  // Neighbours touch, overlap by the last bit, or are apart by it.
  double from = 0;
  for (const double to : {1.0, 2.0, std::nextafter(3.0, 4.0), 4.0,
                          std::nextafter(5.0, 4.0), 6.0}) {
    trees.push_back(trees::Make(solids::Box({{from, 0, 0}, {to, 1, 1}})));
    ASSERT_TRUE(scene.Add(trees.back()).ok());
    from = std::round(to);
  }
  scene.Update();
  size_t overlaps = 0;
  for (const int threads : {1, 2}) {
    const auto found =
        AllClashes(scene, {.exact = true}, {.threads = threads}).value();
    for (const BodyPairClash& c : found) {
      const bool expected =
          AnyInteriorOverlap(trees[c.bodies.a], trees[c.bodies.b]);
      EXPECT_EQ(c.clash.kind == ClashKind::kClash, expected);
      overlaps += expected ? 1 : 0;
    }
  }
  EXPECT_EQ(overlaps, 2u);
}

TEST(SceneClashTest, ABodyInsideAnotherIsFound) {
  Scene scene;
  const Tree block = trees::Make(solids::Box({{0, 0, 0}, {9, 9, 9}}));
  ASSERT_TRUE(scene.Add(block).ok());
  ASSERT_TRUE(
      scene.Add(trees::Make(meshes::Icosphere(1)), Pose::Translation({4, 4, 4}))
          .ok());
  ASSERT_TRUE(scene.Add(block, Pose::Translation({9, 0, 0})).ok());
  scene.Update();
  const auto found = AllClashes(scene, {.tolerance = 0.001});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].bodies, (BodyPair{0, 1}));
  EXPECT_EQ(found[0].clash.kind, ClashKind::kSecondInside);
  EXPECT_EQ(found[1].bodies, (BodyPair{0, 2}));
  EXPECT_EQ(found[1].clash.kind, ClashKind::kTouch);
  // Some pairs alone.
  const BodyPair chosen[] = {{0, 2}};
  EXPECT_EQ(AllClashes(scene, chosen, {.tolerance = 0.001}).size(), 1u);
  EXPECT_EQ(AllClashCandidates(scene, {.tolerance = 0.001}).size(), 2u);
}

}  // namespace
}  // namespace orbox
