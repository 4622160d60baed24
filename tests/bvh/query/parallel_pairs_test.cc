#include "orbox/bvh/query/parallel_pairs.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

constexpr int kThreads[] = {1, 2, 3, 7};
constexpr double kInf = std::numeric_limits<double>::infinity();

// A surface through which another goes, with much to tell.
struct Scene {
  Mesh a = meshes::Joined(meshes::Torus(60, 24), meshes::Soup(300, 0.3));
  Mesh b = meshes::Icosphere(4, {0.9, 0.1, 0.2}, 0.5);
  Pose pose = Pose::Rotation({0.6, 0.8, 0}, 0.3, {0.1, 0.05, 0});
};

// Results and statistics of one thread, whatever the number of threads.
void CheckTwoTrees(const PosedTree& a, const PosedTree& b) {
  TraversalStatistics meeting;
  const auto pairs = OverlappingPairs(a, b, &meeting);
  for (const int threads : kThreads) {
    SCOPED_TRACE(threads);
    TraversalStatistics s;
    EXPECT_EQ(ParallelOverlappingPairs(a, b, {.threads = threads}, &s).value(),
              pairs);
    EXPECT_EQ(s, meeting);
    EXPECT_EQ(ParallelOverlappingPairs(a, b, {.threads = threads}).value(),
              pairs);
  }
  for (const double distance : {0.0, 0.02, 0.1}) {
    TraversalStatistics within;
    const auto near = PairsWithin(a, b, distance, &within);
    for (const int threads : kThreads) {
      SCOPED_TRACE(threads);
      TraversalStatistics s;
      EXPECT_EQ(
          ParallelPairsWithin(a, b, distance, {.threads = threads}, &s).value(),
          near);
      EXPECT_EQ(s, within);
    }
  }
}

void CheckOneTree(const Tree& tree) {
  for (const SharedCorners shared :
       {SharedCorners::kByPosition, SharedCorners::kByIndex}) {
    TraversalStatistics alone;
    const auto pairs = SelfIntersections(tree, shared, &alone);
    for (const int threads : kThreads) {
      SCOPED_TRACE(threads);
      TraversalStatistics s;
      EXPECT_EQ(
          ParallelSelfIntersections(tree, shared, {.threads = threads}, &s)
              .value(),
          pairs);
      EXPECT_EQ(s, alone);
    }
    const double size = Norm(tree.mesh().bounds().hi - tree.mesh().bounds().lo);
    for (const double share : {0.0, 0.01}) {
      TraversalStatistics within;
      const auto near = SelfPairsWithin(tree, share * size, shared, &within);
      for (const int threads : kThreads) {
        SCOPED_TRACE(threads);
        TraversalStatistics s;
        EXPECT_EQ(ParallelSelfPairsWithin(tree, share * size, shared,
                                          {.threads = threads}, &s)
                      .value(),
                  near);
        EXPECT_EQ(s, within);
      }
    }
  }
}

TEST(ParallelPairsTest, AnswersAndStatisticsAreThoseOfOneThread) {
  const Scene scene;
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree a = trees::Make(scene.a, kind.volumes);
    const Tree b = trees::Make(scene.b, kind.volumes);
    const PosedTree posed = PosedTree::Create(a, scene.pose).value();
    EXPECT_GT(OverlappingPairs(posed, b).size(), 100u);
    EXPECT_GT(SelfIntersections(a).size(), 100u);
    CheckTwoTrees(posed, b);
    CheckTwoTrees(b, posed);
    CheckOneTree(a);
  }
}

// From one triangle on, which has no parts to speak of.
TEST(ParallelPairsTest, EveryMeshHasParts) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const Tree tree = trees::Make(m.mesh);
    CheckOneTree(tree);
    CheckOneTree(trees::Make(m.mesh, Volumes::kMixed, 1));
    const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 0.5,
                                     m.mesh.bounds().HalfExtents() * 0.25);
    CheckTwoTrees(PosedTree::Create(tree, pose).value(), tree);
    CheckTwoTrees(tree, trees::Make(meshes::OneTriangle()));
  }
}

TEST(ParallelPairsTest, LimitsAreThoseOfOneThread) {
  const Tree tree = trees::Make(meshes::Torus(12, 6));
  const Tree cube = trees::Make(meshes::Cube());
  EXPECT_TRUE(ParallelPairsWithin(tree, cube, -1).value().empty());
  EXPECT_TRUE(ParallelPairsWithin(tree, cube, std::nan("")).value().empty());
  EXPECT_TRUE(ParallelSelfPairsWithin(tree, -1).value().empty());
  EXPECT_EQ(ParallelSelfPairsWithin(tree, kInf).value(),
            SelfPairsWithin(tree, kInf));
  EXPECT_EQ(ParallelPairsWithin(tree, cube, kInf).value(),
            PairsWithin(tree, cube, kInf));
}

TEST(ParallelPairsTest, OptionsAreThoseOfBatches) {
  const Scene scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  const auto codes = [&](const BatchOptions& options) {
    return std::vector<absl::StatusCode>{
        ParallelOverlappingPairs(a, b, options).status().code(),
        ParallelPairsWithin(a, b, 0.1, options).status().code(),
        ParallelSelfIntersections(a, SharedCorners::kByPosition, options)
            .status()
            .code(),
        ParallelSelfPairsWithin(a, 0.1, SharedCorners::kByPosition, options)
            .status()
            .code()};
  };
  EXPECT_THAT(codes({.threads = -1}),
              testing::Each(absl::StatusCode::kInvalidArgument));
  BatchOptions cancelled;
  const std::atomic<bool> yes = true;
  cancelled.cancelled = &yes;
  EXPECT_THAT(codes(cancelled), testing::Each(absl::StatusCode::kCancelled));
  double share = 0;
  BatchOptions watched{.threads = 3};
  watched.progress = [&share](double done) {
    EXPECT_GE(done, share);
    EXPECT_LE(done, 1);
    share = done == 1 ? 0 : done;
  };
  EXPECT_THAT(codes(watched), testing::Each(absl::StatusCode::kOk));
  EXPECT_EQ(share, 0);
}

TEST(ParallelPairsTest, EveryInstructionSetAgreesToTheLastCount) {
  const Scene scene;
  const Tree a = trees::Make(scene.a);
  const Tree b = trees::Make(scene.b);
  TraversalStatistics expected;
  const auto pairs = OverlappingPairs(a, b, &expected);
  const auto self = SelfIntersections(a, SharedCorners::kByPosition, &expected);
  trees::OnEachInstructionSet([&] {
    TraversalStatistics s;
    EXPECT_EQ(ParallelOverlappingPairs(a, b, {.threads = 2}, &s).value(),
              pairs);
    EXPECT_EQ(ParallelSelfIntersections(a, SharedCorners::kByPosition,
                                        {.threads = 2}, &s)
                  .value(),
              self);
    EXPECT_EQ(s, expected);
  });
}

}  // namespace
}  // namespace orbox
