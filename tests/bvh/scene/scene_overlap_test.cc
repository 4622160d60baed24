// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/scene_overlap.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// The results by testing each two bodies.
std::vector<BodyPair> Expected(const scenes::Cast& cast) {
  std::vector<BodyPair> pairs;
  scenes::ForEachPair(cast, [&](BodyPair p, const auto& a, const auto& b) {
    if (AnyOverlap(a, b)) pairs.push_back(p);
  });
  return pairs;
}

TEST(SceneOverlapTest, TheAnswersAreThoseOfEachTwoBodies) {
  for (const double side : {2.0, 8.0}) {
    SCOPED_TRACE(side);
    const scenes::Cast cast = scenes::Crowd(40, side, 1);
    const Scene scene = scenes::Make(cast);
    const auto pairs = Expected(cast);
    EXPECT_GT(pairs.size(), 0);
    EXPECT_LT(pairs.size(), 40 * 39 / 2);
    EXPECT_EQ(AllOverlaps(scene), pairs);
    EXPECT_TRUE(AnyOverlap(scene));
    scenes::ExpectSameLists(AllOverlappingTriangles(scene),
                            scenes::ListEachPair<TrianglePair>(
                                cast, [](const auto& a, const auto& b) {
                                  return AllOverlaps(a, b);
                                }));
  }
}

TEST(SceneOverlapTest, TheAnswersAreThoseOfBruteForce) {
  const scenes::Cast cast = scenes::Crowd(12, 2, 7);
  const Scene scene = scenes::Make(cast);
  std::vector<BodyPair> pairs;
  for (uint32_t a = 0; a < cast.size(); ++a) {
    for (uint32_t b = a + 1; b < cast.size(); ++b) {
      const Mesh x = meshes::Moved(cast[a].tree.mesh(), cast[a].pose);
      const Mesh y = meshes::Moved(cast[b].tree.mesh(), cast[b].pose);
      if (!brute_force::Overlapping(x, y).empty()) pairs.push_back({a, b});
    }
  }
  EXPECT_EQ(AllOverlaps(scene), pairs);
  EXPECT_GT(pairs.size(), 0);
}

TEST(SceneOverlapTest, FewBodiesHaveFewPairs) {
  Scene scene;
  EXPECT_FALSE(AnyOverlap(scene));
  EXPECT_TRUE(AllOverlaps(scene).empty());
  EXPECT_TRUE(AllOverlappingTriangles(scene).bodies.empty());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube())).ok());
  scene.Update();
  EXPECT_FALSE(AnyOverlap(scene));
  EXPECT_TRUE(AllOverlaps(scene).empty());
}

TEST(SceneOverlapTest, TouchingIsOverlappingToTheLastBit) {
  const Tree cube = trees::Make(meshes::Cube());
  const double beyond = std::nextafter(1.0, 2.0);
  Scene scene;
  ASSERT_TRUE(scene.Add(cube).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({1, 0, 0})).ok());
  ASSERT_TRUE(scene.Add(cube, Pose::Translation({0, beyond, 0})).ok());
  scene.Update();
  EXPECT_THAT(AllOverlaps(scene), testing::ElementsAre(BodyPair{0, 1}));
}

TEST(SceneOverlapTest, ABodyInsideAnotherDoesNotOverlapIt) {
  Scene scene;
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-2, -2, -2}, 4))).ok());
  ASSERT_TRUE(scene.Add(trees::Make(meshes::Cube({-1, -1, -1}, 2))).ok());
  scene.Update();
  EXPECT_TRUE(AllOverlaps(scene).empty());
}

TEST(SceneOverlapTest, ThreadsDoNotShow) {
  const Scene scene = scenes::Make(scenes::Crowd(80, 5, 3));
  const PosedTree mesh =
      PosedTree::Create(trees::Make(meshes::Torus(40, 20)),
                        Pose::Rotation({0, 0, 1}, 1, {2, 2, 2}))
          .value();
  TraversalStatistics one;
  const RunOptions alone{.statistics = &one};
  const auto pairs = AllOverlaps(scene, alone).value();
  const auto triangles = AllOverlappingTriangles(scene, alone).value();
  const auto bodies = AllOverlaps(scene, mesh, {}, alone).value();
  const auto of_mesh = AllOverlappingTriangles(scene, mesh, {}, alone).value();
  EXPECT_EQ(of_mesh.bodies, bodies);
  EXPECT_GT(one.triangle_tests, 0);
  for (const int threads : {0, 2, 3, 4}) {
    TraversalStatistics many;
    const RunOptions options{.statistics = &many, .threads = threads};
    EXPECT_EQ(AllOverlaps(scene, options).value(), pairs);
    scenes::ExpectSameLists(AllOverlappingTriangles(scene, options).value(),
                            triangles);
    EXPECT_EQ(AllOverlaps(scene, mesh, {}, options).value(), bodies);
    scenes::ExpectSameLists(
        AllOverlappingTriangles(scene, mesh, {}, options).value(), of_mesh);
    EXPECT_EQ(many, one);
  }
}

TEST(SceneOverlapTest, ProgressReachesOneAndCancellingEnds) {
  const Scene scene = scenes::Make(scenes::Crowd(40, 3, 1));
  std::atomic<bool> cancelled = false;
  double share = 0;
  RunOptions options;
  options.cancelled = &cancelled;
  options.progress = [&share](double done) {
    EXPECT_GE(done, share);
    share = done;
  };
  const auto all = AllOverlaps(scene, options).value();
  EXPECT_EQ(all, AllOverlaps(scene));
  EXPECT_EQ(share, 1);
  share = 0;
  options.progress = [&](double) { cancelled = true; };
  for (const absl::Status& status :
       {AllOverlaps(scene, options).status(),
        AnyOverlap(scene, options).status(),
        AllOverlappingTriangles(scene, options).status(),
        AnyOverlap(scene, scene.body(0), {}, options).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

TEST(SceneOverlapTest, TheOrderOfBodiesOnlyRenamesThem) {
  const scenes::Cast cast = scenes::Crowd(40, 3, 5);
  std::vector<uint32_t> place(cast.size());
  std::iota(place.begin(), place.end(), 0);
  meshes::Random random(1);
  for (size_t i = place.size(); i > 1; --i) {
    std::swap(place[i - 1], place[random.Below(i)]);
  }
  scenes::Cast shuffled;
  for (const uint32_t i : place) shuffled.push_back(cast[i]);
  auto renamed = AllOverlaps(scenes::Make(shuffled));
  for (BodyPair& p : renamed) {
    const auto [a, b] = std::minmax(place[p.a], place[p.b]);
    p = {a, b};
  }
  std::sort(renamed.begin(), renamed.end());
  EXPECT_EQ(renamed, AllOverlaps(scenes::Make(cast)));
}

}  // namespace
}  // namespace orbox
