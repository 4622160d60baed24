#include "orbox/bvh/query/pose_batch.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<Pose> RandomPoses(size_t count) {
  meshes::Random random(1);
  std::vector<Pose> poses;
  for (size_t i = 0; i < count; ++i) {
    poses.push_back(Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                   random.Point(-2, 2)));
    // Some repeat, and some are no similarity.
    if (i % 50 == 7) poses.back() = poses[i / 2];
    if (i % 100 == 9) poses.back().rows[1] = poses.back().rows[1] * 2;
  }
  return poses;
}

void ExpectSame(const MeshDistanceResult& x, const MeshDistanceResult& y) {
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.triangles, y.triangles);
  EXPECT_EQ(x.on_a, y.on_a);
  EXPECT_EQ(x.on_b, y.on_b);
}

template <typename Value>
std::vector<Value> At(const Lists<Value>& lists, size_t i) {
  return {lists[i].begin(), lists[i].end()};
}

// All batches against the queries that they stand for.
void Check(const Tree& a, const std::vector<Pose>& poses, const PosedTree& b,
           const BatchOptions& options) {
  constexpr double kD = 0.1;
  const auto meets = MeshesOverlapAtPoses(a, poses, b, options).value();
  const auto near = MeshesWithinAtPoses(a, poses, b, kD, options).value();
  const auto gaps = MeshDistanceAtPoses(a, poses, b, options).value();
  const auto pairs = OverlappingPairsAtPoses(a, poses, b, options).value();
  const auto within = PairsWithinAtPoses(a, poses, b, kD, options).value();
  ASSERT_EQ(meets.size(), poses.size());
  ASSERT_EQ(near.size(), poses.size());
  ASSERT_EQ(gaps.size(), poses.size());
  ASSERT_EQ(pairs.size(), poses.size());
  ASSERT_EQ(within.size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(i);
    const PosedTree posed = PosedTree::Create(a, poses[i]).value();
    EXPECT_EQ(meets[i], MeshesOverlap(posed, b) ? 1 : 0);
    EXPECT_EQ(near[i], MeshesWithin(posed, b, kD) ? 1 : 0);
    ExpectSame(gaps[i], MeshDistance(posed, b));
    EXPECT_EQ(At(pairs, i), OverlappingPairs(posed, b));
    EXPECT_EQ(At(within, i), PairsWithin(posed, b, kD));
  }
  EXPECT_GT(std::count(meets.begin(), meets.end(), 1), 0);
  EXPECT_GT(std::count(meets.begin(), meets.end(), 0), 0);
}

TEST(PoseBatchTest, EachPoseHasTheAnswerThatItHasAlone) {
  const auto poses = RandomPoses(300);
  const Mesh torus = meshes::Torus(20, 8);
  const Mesh ball = meshes::Icosphere(2, {1, 0, 0}, 0.4);
  const Pose pose_b = Pose::Rotation({0, 0, 1}, 1, {0.1, 0.2, 0.3});
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    const Tree a = trees::Make(torus, kind.volumes);
    const Tree b = trees::Make(ball, kind.volumes);
    for (const int threads : {1, 3}) {
      Check(a, poses, PosedTree::Create(b, pose_b).value(),
            {.threads = threads});
    }
  }
}

TEST(PoseBatchTest, StatisticsDoNotDependOnThreads) {
  const auto poses = RandomPoses(300);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics one, three;
  ASSERT_TRUE(MeshDistanceAtPoses(a, poses, b, {.threads = 1}, &one).ok());
  ASSERT_TRUE(MeshDistanceAtPoses(a, poses, b, {.threads = 3}, &three).ok());
  EXPECT_EQ(one, three);
  // The pair of the pose before bounds the distance at the next.
  TraversalStatistics alone;
  for (const Pose& pose : poses) {
    MeshDistance(PosedTree::Create(a, pose).value(), b, &alone);
  }
  EXPECT_LT(one.settled_by_double, alone.settled_by_double);
}

TEST(PoseBatchTest, TheOrderOfThePosesDoesNotMatter) {
  auto poses = RandomPoses(150);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  const auto gaps = MeshDistanceAtPoses(a, poses, b).value();
  std::reverse(poses.begin(), poses.end());
  const auto reversed = MeshDistanceAtPoses(a, poses, b).value();
  for (size_t i = 0; i < gaps.size(); ++i) {
    ExpectSame(reversed[gaps.size() - 1 - i], gaps[i]);
  }
  EXPECT_TRUE(MeshDistanceAtPoses(a, {}, b).value().empty());
}

TEST(PoseBatchTest, TheFirstBadPoseIsNamed) {
  auto poses = RandomPoses(300);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  poses[250].translation.x = nan;
  poses[77].rows[0].y = nan;
  const Tree tree = trees::Make(meshes::Cube());
  for (const int threads : {1, 3}) {
    const BatchOptions options{.threads = threads};
    const std::vector<absl::Status> all = {
        MeshesOverlapAtPoses(tree, poses, tree, options).status(),
        MeshesWithinAtPoses(tree, poses, tree, 1, options).status(),
        MeshDistanceAtPoses(tree, poses, tree, options).status(),
        OverlappingPairsAtPoses(tree, poses, tree, options).status(),
        PairsWithinAtPoses(tree, poses, tree, 1, options).status()};
    for (const absl::Status& status : all) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(status.message()),
                  testing::StartsWith("pose 77: "));
    }
  }
}

TEST(PoseBatchTest, OptionsAreThoseOfBatches) {
  const auto poses = RandomPoses(300);
  const Tree tree = trees::Make(meshes::Cube());
  EXPECT_EQ(
      MeshesOverlapAtPoses(tree, poses, tree, {.threads = -1}).status().code(),
      absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  BatchOptions options;
  options.cancelled = &cancelled;
  EXPECT_EQ(MeshDistanceAtPoses(tree, poses, tree, options).status().code(),
            absl::StatusCode::kCancelled);
  double share = 0;
  BatchOptions watched;
  watched.progress = [&share](double done) { share = done; };
  EXPECT_TRUE(MeshesOverlapAtPoses(tree, poses, tree, watched).ok());
  EXPECT_EQ(share, 1);
}

TEST(PoseBatchTest, EveryInstructionSetAgreesToTheLastCount) {
  const auto poses = RandomPoses(100);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics first;
  SetInstructionSet(SupportedInstructionSets().front());
  const auto pairs = OverlappingPairsAtPoses(a, poses, b, {}, &first).value();
  const auto gaps = MeshDistanceAtPoses(a, poses, b, {}, &first).value();
  trees::OnEachInstructionSet([&] {
    TraversalStatistics statistics;
    const auto p = OverlappingPairsAtPoses(a, poses, b, {}, &statistics);
    EXPECT_EQ(p->offsets, pairs.offsets);
    EXPECT_EQ(p->values, pairs.values);
    const auto g = MeshDistanceAtPoses(a, poses, b, {}, &statistics).value();
    for (size_t i = 0; i < gaps.size(); ++i) ExpectSame(g[i], gaps[i]);
    EXPECT_EQ(statistics, first);
  });
}

}  // namespace
}  // namespace orbox
