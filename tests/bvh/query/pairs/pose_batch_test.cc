// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/pair_within.h"

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

void ExpectSameWitness(const Witness& x, const Witness& y) {
  EXPECT_EQ(x.distance, y.distance);
  EXPECT_EQ(x.triangles, y.triangles);
  EXPECT_EQ(x.on_a, y.on_a);
  EXPECT_EQ(x.on_b, y.on_b);
}

template <typename Value>
std::vector<Value> At(const Lists<Value>& lists, size_t i) {
  return {lists[i].begin(), lists[i].end()};
}

// Compares all batches with the single queries.
void Check(const Tree& a, const std::vector<Pose>& poses, const PosedTree& b,
           int threads) {
  const RunOptions options{.threads = threads};
  constexpr double kD = 0.1;
  const auto meets = AnyOverlap(a, poses, b, options).value();
  const auto near = AnyWithin(a, poses, b, kD, options).value();
  const auto gaps = ClosestPair(a, poses, b, {}, {.threads = threads}).value();
  const auto counts = CountOverlaps(a, poses, b, options).value();
  const auto near_counts = CountWithin(a, poses, b, kD, options).value();
  const auto pairs = AllOverlaps(a, poses, b, options).value();
  const auto within = AllWithin(a, poses, b, kD, options).value();
  ASSERT_EQ(meets.size(), poses.size());
  ASSERT_EQ(near.size(), poses.size());
  ASSERT_EQ(gaps.size(), poses.size());
  ASSERT_EQ(pairs.size(), poses.size());
  ASSERT_EQ(within.size(), poses.size());
  for (size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(i);
    const PosedTree posed = PosedTree::Create(a, poses[i]).value();
    EXPECT_EQ(meets[i], AnyOverlap(posed, b) ? 1 : 0);
    EXPECT_EQ(near[i], AnyWithin(posed, b, kD) ? 1 : 0);
    ExpectSameWitness(*gaps[i], *ClosestPair(posed, b));
    EXPECT_EQ(counts[i], pairs[i].size());
    EXPECT_EQ(near_counts[i], within[i].size());
    EXPECT_EQ(At(pairs, i), AllOverlaps(posed, b));
    EXPECT_EQ(At(within, i), AllWithin(posed, b, kD));
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
      Check(a, poses, PosedTree::Create(b, pose_b).value(), threads);
    }
  }
}

TEST(PoseBatchTest, StatisticsDoNotDependOnThreads) {
  // Each several times, so that most follow one that is near, in any pieces.
  std::vector<Pose> poses;
  for (const Pose& pose : RandomPoses(100)) {
    poses.insert(poses.end(), 8, pose);
  }
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics one, three;
  ASSERT_TRUE(
      ClosestPair(a, poses, b, {}, {.statistics = &one, .threads = 1}).ok());
  ASSERT_TRUE(
      ClosestPair(a, poses, b, {}, {.statistics = &three, .threads = 3}).ok());
  EXPECT_EQ(one, three);
  // The pair of the pose before bounds the distance at the next.
  TraversalStatistics alone;
  for (const Pose& pose : poses) {
    ClosestPair(PosedTree::Create(a, pose).value(), b, {},
                {.statistics = &alone})
        .value();
  }
  EXPECT_LT(one.settled_by_double, alone.settled_by_double);
}

TEST(PoseBatchTest, TheOrderOfThePosesDoesNotMatter) {
  auto poses = RandomPoses(150);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  const auto gaps = ClosestPair(a, poses, b).value();
  std::reverse(poses.begin(), poses.end());
  const auto reversed = ClosestPair(a, poses, b).value();
  for (size_t i = 0; i < gaps.size(); ++i) {
    ExpectSameWitness(*reversed[gaps.size() - 1 - i], *gaps[i]);
  }
  EXPECT_TRUE(ClosestPair(a, {}, b).value().empty());
}

TEST(PoseBatchTest, LimitsAndGuessesAreThoseOfEachPose) {
  const auto poses = RandomPoses(100);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  const auto all = ClosestPair(a, poses, b).value();
  const auto near =
      ClosestPair(a, poses, b,
                  {.max_distance = 0.2, .guess = TrianglePair{1, 2}})
          .value();
  size_t far = 0;
  for (size_t i = 0; i < poses.size(); ++i) {
    EXPECT_EQ(near[i].has_value(), all[i]->distance <= 0.2);
    if (near[i].has_value()) ExpectSameWitness(*near[i], *all[i]);
    far += near[i].has_value() ? 0 : 1;
  }
  EXPECT_GT(far, 0u);
  EXPECT_LT(far, poses.size());
}

TEST(PoseBatchTest, TheFirstBadPoseIsNamed) {
  auto poses = RandomPoses(300);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  poses[250].translation.x = nan;
  poses[77].rows[0].y = nan;
  const Tree tree = trees::Make(meshes::Cube());
  for (const int threads : {1, 3}) {
    const RunOptions options{.threads = threads};
    const std::vector<absl::Status> all = {
        AnyOverlap(tree, poses, tree, options).status(),
        AnyWithin(tree, poses, tree, 1, options).status(),
        ClosestPair(tree, poses, tree, {}, {.threads = threads}).status(),
        AllOverlaps(tree, poses, tree, options).status(),
        AllWithin(tree, poses, tree, 1, options).status()};
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
  EXPECT_EQ(AnyOverlap(tree, poses, tree, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  EXPECT_EQ(ClosestPair(tree, poses, tree, {}, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  double share = 0;
  RunOptions watched;
  watched.progress = [&share](double done) { share = done; };
  EXPECT_TRUE(AnyOverlap(tree, poses, tree, watched).ok());
  EXPECT_EQ(share, 1);
}

TEST(PoseBatchTest, EveryInstructionSetAgreesToTheLastCount) {
  const auto poses = RandomPoses(100);
  const Tree a = trees::Make(meshes::Torus(20, 8));
  const Tree b = trees::Make(meshes::Icosphere(2, {1, 0, 0}, 0.4));
  TraversalStatistics first;
  SetInstructionSet(SupportedInstructionSets().front());
  const auto pairs = AllOverlaps(a, poses, b, {.statistics = &first}).value();
  const auto gaps =
      ClosestPair(a, poses, b, {}, {.statistics = &first}).value();
  trees::OnEachInstructionSet([&] {
    TraversalStatistics statistics;
    const auto p = AllOverlaps(a, poses, b, {.statistics = &statistics});
    EXPECT_EQ(p->offsets, pairs.offsets);
    EXPECT_EQ(p->values, pairs.values);
    const auto g =
        ClosestPair(a, poses, b, {}, {.statistics = &statistics}).value();
    for (size_t i = 0; i < gaps.size(); ++i) ExpectSameWitness(*g[i], *gaps[i]);
    EXPECT_EQ(statistics, first);
  });
}

}  // namespace
}  // namespace orbox
