// SPDX-License-Identifier: Apache-2.0

// Chunked trees when memory runs out at the n-th allocation: each function
// reports it, a build leaves nothing behind, and existing files stay.
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/io/write_mesh.h"
#include "orbox/bvh/large/build_chunked.h"
#include "orbox/bvh/large/chunked_hausdorff.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/winding_number.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/scratch_directory.h"

namespace orbox {
namespace {

class ChunkedAllocationTest : public testing::Test {
 protected:
  ChunkedAllocationTest() {
    EXPECT_TRUE(WriteMeshFile(meshes::Soup(20, 0.5), files_[0]).ok());
    EXPECT_TRUE(BuildTree().ok());
  }

  absl::Status BuildTree() const {
    return BuildChunked(
               files_, path_,
               {.memory = size_t{1} << 24, .chunk_triangles = 6, .threads = 1})
        .status();
  }
  size_t FilesThere() const {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(folder_.Path(""))) {
      ++count;
    }
    return count;
  }

  const ScratchDirectory folder_;
  const std::vector<std::string> files_ = {folder_.Path("mesh.ply")};
  const std::string path_ = folder_.Path("mesh.orboxd");
  const QueryOptions options_ = {.threads = 1};
};

TEST_F(ChunkedAllocationTest, BuildsLeaveWhatWasThere) {
  size_t failures = 0;
  // Each build waits for the disk: not hundreds of them.
  for (size_t n = 0;; n += 1 + n / 3) {
    SetAllocationsLeft(FailingThreads::kThisOne, n);
    const absl::Status status = BuildTree();
    LetAllocationsSucceed();
    if (!has_allocation_failed) break;
    EXPECT_EQ(FilesThere(), 2u) << n << status;
    if (status.ok()) continue;
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_TRUE(ChunkedTree::Open(path_).ok());
    ++failures;
  }
  EXPECT_GT(failures, 10u);
}

// A mesh whose tree takes more than the memory is sorted by a file, and built
// in chunks.
TEST_F(ChunkedAllocationTest, ABuildKeepsToItsMemory) {
  const std::string file = folder_.Path("large.stl");
  const BuildChunkedOptions options{.memory = size_t{1} << 24,
                                    .chunk_triangles = 6000,
                                    .quality = Quality::kFast,
                                    .threads = 1};
  const auto memory = static_cast<int64_t>(options.memory);
  {
    const Mesh mesh = meshes::Torus(440, 160);
    ASSERT_TRUE(WriteMeshFile(mesh, file).ok());
    EXPECT_GT(
        PeakBytesOf([&] {
          EXPECT_TRUE(
              Build(mesh, {.quality = Quality::kFast, .threads = 1}).ok());
        }),
        memory);
  }
  absl::Status status;
  EXPECT_LT(
      PeakBytesOf([&] {
        status =
            BuildChunked({&file, 1}, folder_.Path("large"), options).status();
      }),
      memory);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(ChunkedAllocationTest, QueriesOfOneMeshSaySo) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, 0.5}};
  const std::vector<Sphere> balls = {{{0, 0, 0}, 2}, {{1, 1, 1}, 0.5}};
  const std::vector<Ray> rays = {{{2, 0.5, 0.5}, {-1, 0.1, 0}}};
  const auto fails = [&](auto call) {
    // Chunks are mapped again each time.
    EXPECT_GT(FailEachAllocation([&]() -> absl::Status {
                const absl::StatusOr<ChunkedTree> tree =
                    ChunkedTree::Open(path_);
                return tree.ok() ? call(*tree).status() : tree.status();
              }),
              10u);
  };
  using Tree = ChunkedTree;
  fails([&](const Tree& t) { return ClosestPoint(t, points, options_); });
  fails([&](const Tree& t) { return KNearest(t, points, 3, options_); });
  fails([&](const Tree& t) { return AllOverlaps(t, balls, options_); });
  fails([&](const Tree& t) { return ClosestHit(t, rays, options_); });
  fails([&](const Tree& t) { return AllHits(t, rays, options_); });
  fails([&](const Tree& t) { return IsInside(t, points, options_); });
  const std::vector<SweptSphere> sweeps = {{{2, 0, 0}, {0, 0, 0}, 0.1}};
  fails([&](const Tree& t) { return ClosestHit(t, sweeps, options_); });
  fails([&](const Tree& t) { return ChunkedWindingNumberField::Of(t); });
  const ChunkedTree tree = ChunkedTree::Open(path_).value();
  const auto field = ChunkedWindingNumberField::Of(tree).value();
  fails([&](const Tree&) { return field.At(points, 1e-3, {.threads = 1}); });
  fails([&](const Tree&) { return field.IsInside(points, options_); });
  fails([&](const Tree& t) { return t.MovedBy(Pose::Translation({1, 0, 0})); });
}

TEST_F(ChunkedAllocationTest, PairsSaySo) {
  const ChunkedTree tree = ChunkedTree::Open(path_).value();
  const auto fails = [&](auto call) {
    EXPECT_GT(FailEachAllocation([&] { return call().status(); }), 3u);
  };
  const PosedChunkedTree posed(tree);
  const std::vector<ChunkTask> tasks = PairTasks(posed, posed, 0.1);
  fails([&] { return AllOverlaps(posed, posed, options_); });
  fails([&] { return AllWithin(posed, posed, 0.1, options_); });
  fails([&] { return WithinOfTasks(posed, posed, 0.1, tasks, options_); });
  fails([&] { return AllSelfOverlaps(tree, options_); });
  HausdorffLimits few;
  few.max_parts = 8;
  fails([&] { return HausdorffDistance(posed, posed, few); });
  fails([&] { return DeviationField(posed, posed, few); });
  fails([&] { return SelfWithinOfTasks(tree, 0.1, tasks, options_); });
}

}  // namespace
}  // namespace orbox
