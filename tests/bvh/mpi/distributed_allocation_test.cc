// SPDX-License-Identifier: Apache-2.0

// Memory that runs out at the n-th allocation of one rank, for some ranks. All
// ranks then report it, in any phase, and no rank waits for ever. With enough
// memory the results are right.

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/mpi/distributed_hausdorff.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

// Number of the allocation to fail after the n-th. The steps grow, since all
// ranks wait for each other each time.
size_t NextOfRanks(size_t n) { return n < 12 ? n + 1 : n + n / 3; }

// The ranks whose memory runs out in turn: up to three, the first and the last
// among them. More ranks would only take more time.
std::vector<int> FailingRanks(int size) {
  if (size <= 2) return size == 1 ? std::vector{0} : std::vector{0, 1};
  return {0, size / 2, size - 1};
}

// Calls `call` with the first, second, ... allocation of a rank failing, until
// there are no more, for each of FailingRanks in turn; more than `least` each.
void FailOnEachRank(Communicator& ranks,
                    const std::function<absl::Status()>& call,
                    uint64_t least = 3) {
  for (int r : FailingRanks(ranks.size())) {
    uint64_t failures = 0;
    for (size_t n = 0;; n = NextOfRanks(n)) {
      if (ranks.rank() == r) {
        SetAllocationsLeft(FailingThreads::kThisOne, n);
      } else {
        has_allocation_failed = false;
      }
      const absl::Status status = call();
      LetAllocationsSucceed();
      uint64_t failed[] = {has_allocation_failed ? uint64_t{1} : 0};
      ASSERT_TRUE(ranks.Max(failed).ok());
      ASSERT_TRUE(
          ranks.AgreeOn(static_cast<uint64_t>(status.code()), "codes").ok());
      if (failed[0] == 0) {
        EXPECT_TRUE(status.ok()) << status;
        break;
      }
      if (status.ok()) continue;  // it knew a way without
      ++failures;
      EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    }
    EXPECT_GT(failures, least);
  }
}

class DistributedAllocationTest : public ::testing::Test {
 protected:
  Communicator ranks_ = Ranks();
  SharedTree mesh_{ranks_, meshes::Soup(24, 0.5), 6};
  DistributedTree tree_ = mesh_.Open();
  std::vector<Vec3> points_ = {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, 0.5}};
};

TEST_F(DistributedAllocationTest, Open) {
  const std::string path = mesh_.path();
  FailOnEachRank(ranks_,
                 [&] { return DistributedTree::Open(ranks_, path).status(); });
}

TEST_F(DistributedAllocationTest, Build) {
  // Each build waits for the disk: not hundreds of them.
  if (ranks_.size() > 3)
    GTEST_SKIP() << "counts of up to three ranks are known";
  const SharedDirectory folder(ranks_);
  const std::vector<std::string> files = {folder.Path("mesh.ply")};
  absl::Status status;
  if (ranks_.rank() == 0) {
    status = WriteMeshFile(meshes::Soup(12, 0.5), files[0]);
  }
  ASSERT_TRUE(ranks_.Agree(status).ok());
  const std::string path = folder.Path("built.orboxd");
  FailOnEachRank(ranks_, [&] {
    return DistributedTree::Build(
               ranks_, files, path,
               {.memory = size_t{1} << 24, .chunk_triangles = 6, .threads = 1})
        .status();
  });
}

// In addition to its queries and results, a rank holds no more than its limit.
TEST_F(DistributedAllocationTest, QuestionsKeepToTheMemory) {
  const SharedTree torus(ranks_, meshes::Torus(60, 30), 400);
  const DistributedTree tree = torus.Open();
  std::vector<Vec3> points;
  meshes::Random random(3);
  // The total does not depend on the number of ranks.
  const auto count = static_cast<size_t>(8000 / ranks_.size());
  for (size_t i = 0; i < count; ++i) points.push_back(random.Point(-1.5, 1.5));
  // The answers, twice, and the ids of the chunks that are mapped.
  const auto held = static_cast<int64_t>(
      count * 2 * sizeof(std::optional<GlobalSurfacePoint>) +
      tree.chunks().triangle_count() * sizeof(uint64_t));
  const auto peak = [&](size_t memory) {
    return PeakBytesOf([&] {
             EXPECT_TRUE(ClosestPoint(tree, points, {.memory = memory}).ok());
           }) -
           held;
  };
  constexpr size_t kMemory = size_t{1} << 19;
  EXPECT_LT(peak(kMemory), static_cast<int64_t>(kMemory));
  // Without a tight limit the query holds more.
  if (ranks_.size() > 3) return;
  EXPECT_GT(peak(kMemory << 10), static_cast<int64_t>(kMemory));
}

TEST_F(DistributedAllocationTest, ABuildKeepsToItsMemory) {
  if (ranks_.size() > 3)
    GTEST_SKIP() << "counts of up to three ranks are known";
  for (const char* name : {"large.stl", "large.ply"}) {
    const SharedDirectory folder(ranks_);
    const std::vector<std::string> files = {folder.Path(name)};
    absl::Status status;
    if (ranks_.rank() == 0) {
      status = WriteMeshFile(meshes::Torus(440, 160), files[0]);
    }
    ASSERT_TRUE(ranks_.Agree(status).ok());
    const BuildChunkedOptions options{.memory = size_t{1} << 24,
                                      .chunk_triangles = 6000,
                                      .quality = Quality::kFast,
                                      .threads = 1};
    const std::string path = folder.Path("large.orboxd");
    EXPECT_LT(
        PeakBytesOf([&] {
          status =
              DistributedTree::Build(ranks_, files, path, options).status();
        }),
        static_cast<int64_t>(options.memory));
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST_F(DistributedAllocationTest, QueriesOfOneMesh) {
  FailOnEachRank(ranks_, [&] { return ClosestPoint(tree_, points_).status(); });
  FailOnEachRank(ranks_, [&] { return KNearest(tree_, points_, 3).status(); });
  const std::vector<Sphere> balls = {{{0, 0, 0}, 2}};
  FailOnEachRank(ranks_, [&] { return AllOverlaps(tree_, balls).status(); });
  const std::vector<Ray> rays = {{{2, 0.5, 0.5}, {-1, 0.1, 0}}};
  FailOnEachRank(ranks_, [&] { return AllHits(tree_, rays).status(); });
}

TEST_F(DistributedAllocationTest, Fields) {
  const std::vector<SweptSphere> balls = {{{2, 0.5, 0.5}, {-1, 0.6, 0.5}, 0.2}};
  FailOnEachRank(ranks_, [&] { return ClosestHit(tree_, balls).status(); });
  FailOnEachRank(
      ranks_, [&] { return DistributedWindingNumberField::Of(tree_).status(); },
      /*least=*/1);
  const auto winding = DistributedWindingNumberField::Of(tree_);
  ASSERT_TRUE(winding.ok()) << winding.status();
  FailOnEachRank(ranks_, [&] { return winding->At(points_, 0).status(); });
  FailOnEachRank(ranks_, [&] { return winding->IsInside(points_).status(); });
  const SharedTree closed(ranks_, meshes::Cube(), 5);
  const DistributedTree cube = closed.Open();
  FailOnEachRank(ranks_, [&] {
    return DistributedSignedDistanceField::Create(cube).status();
  });
  const auto field = DistributedSignedDistanceField::Create(cube);
  ASSERT_TRUE(field.ok()) << field.status();
  FailOnEachRank(ranks_, [&] { return field->Distance(points_).status(); });
  // Edges that are open meet all ranks.
  FailOnEachRank(ranks_, [&]() -> absl::Status {
    const absl::Status open =
        DistributedSignedDistanceField::Create(tree_).status();
    if (open.code() == absl::StatusCode::kFailedPrecondition) {
      return absl::OkStatus();
    }
    return open;
  });
}

TEST_F(DistributedAllocationTest, Pairs) {
  FailOnEachRank(ranks_, [&] { return AllWithin(tree_, tree_, 0.1).status(); });
  FailOnEachRank(ranks_, [&] { return AllSelfOverlaps(tree_).status(); });
  const Pose pose = Pose::Translation({5, 0, 0});
  FailOnEachRank(ranks_, [&] {
    return ClosestPair(PosedDistributedTree(tree_, pose), tree_).status();
  });
}

TEST_F(DistributedAllocationTest, Hausdorff) {
  // Many phases, each an agreement of all ranks.
  if (ranks_.size() > 3)
    GTEST_SKIP() << "counts of up to three ranks are known";
  HausdorffLimits goal;
  goal.max_parts = 8;
  const Pose pose = Pose::Translation({0.1, 0, 0});
  FailOnEachRank(ranks_, [&] {
    return HausdorffDistance(PosedDistributedTree(tree_, pose), tree_, goal)
        .status();
  });
  FailOnEachRank(ranks_, [&] {
    return DeviationField(PosedDistributedTree(tree_, pose), tree_, goal)
        .status();
  });
}

}  // namespace
}  // namespace orbox
