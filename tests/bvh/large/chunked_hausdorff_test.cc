// SPDX-License-Identifier: Apache-2.0

// Chunks have the Hausdorff distances of the same meshes in memory, to the last
// bit.
#include "orbox/bvh/large/chunked_hausdorff.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "tests/support/chunks.h"
#include "tests/support/hausdorff_answers.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using hausdorff::ExpectSame;
using hausdorff::Within;

// A mesh in some chunks, and in one tree.
struct InChunks {
  explicit InChunks(const Mesh& mesh, size_t chunks = 6)
      : files(mesh), tree(files.Chunked(mesh.triangle_count() / chunks + 1)) {}

  chunks::Files files;
  ChunkedTree tree;
};

// Both ways, at this pose of A.
void CheckBothWays(const InChunks& a, const InChunks& b, const Pose& pose,
                   const HausdorffLimits& options) {
  const PosedTree posed_a = PosedTree::Create(a.files.tree(), pose).value();
  const SymmetricHausdorffResult one =
      SymmetricHausdorffDistance(posed_a, b.files.tree(), options).value();
  const GlobalSymmetricHausdorffResult chunked =
      SymmetricHausdorffDistance(PosedChunkedTree::Create(a.tree, pose).value(),
                                 b.tree, options)
          .value();
  ExpectSame(chunked.a_to_b, one.a_to_b);
  ExpectSame(chunked.b_to_a, one.b_to_a);
  EXPECT_EQ(chunked.lower(), one.lower());
  EXPECT_EQ(chunked.upper(), one.upper());
}

constexpr size_t kParts = 2000;

TEST(ChunkedHausdorffTest, ChunksHaveTheDistanceOfOneMesh) {
  const InChunks torus(meshes::Torus(16, 8));
  const Pose turned = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0.3, -0.1, 0.05}};
  for (const Mesh& mesh :
       {meshes::Torus(11, 7), meshes::Icosphere(2), meshes::Soup(40, 0.4),
        meshes::Grid(5), meshes::Identical(9)}) {
    const InChunks other(mesh, 3);
    CheckBothWays(torus, other, Pose{}, Within(std::nullopt, kParts));
    CheckBothWays(torus, other, turned, Within(1e-3, kParts));
  }
}

// All triangles of the one are as far as all others, so that none is settled by
// its corners.
TEST(ChunkedHausdorffTest, LayersOfTheSameDistance) {
  const Mesh low = meshes::Grid(6);
  const InChunks below(low);
  const InChunks above(
      meshes::Moved(low, Pose::Translation({0.01, 0.02, 1e-3})), 4);
  for (const double tolerance : {0.0, 1e-9, 1e-2}) {
    CheckBothWays(below, above, Pose{}, Within(tolerance, 600));
    CheckBothWays(below, below, Pose{}, Within(tolerance, 600));
  }
}

TEST(ChunkedHausdorffTest, PartsMayBeTooFew) {
  const InChunks torus(meshes::Torus(16, 8));
  const InChunks sphere(meshes::Icosphere(1), 1);
  for (const size_t parts : {0, 1, 2, 7, 40}) {
    CheckBothWays(torus, sphere, Pose{}, Within(0, parts));
  }
}

TEST(ChunkedHausdorffTest, FromFarAwayTheLowerBoundIsTheSame) {
  const chunks::Files a(meshes::Torus(8, 5));
  const chunks::Files b(meshes::Icosphere(1));
  const Pose away = Pose::Translation({1e6, 3e5, 0});
  const PosedTree posed = PosedTree::Create(a.tree(), away).value();
  const HausdorffResult one = HausdorffDistance(posed, b.tree()).value();
  const GlobalHausdorffResult chunked =
      HausdorffDistance(PosedChunkedTree::Create(a.Chunked(20), away).value(),
                        b.Chunked(20))
          .value();
  EXPECT_EQ(chunked.lower, one.lower);
  EXPECT_GE(chunked.upper, chunked.lower);
}

TEST(ChunkedHausdorffTest, ThreadsAndMemoryDoNotMatter) {
  const chunks::Files a(meshes::Torus(30, 10));
  const chunks::Files b(meshes::Icosphere(2));
  const HausdorffLimits limits = Within(1e-4, kParts);
  const HausdorffResult one =
      HausdorffDistance(a.tree(), b.tree(), limits).value();
  // Room for one chunk alone.
  const ChunkedTree tight_a = a.Chunked(50, 0, {.memory = 1});
  const ChunkedTree tight_b = b.Chunked(50, 0, {.memory = 1});
  for (const int threads : {1, 3}) {
    ExpectSame(HausdorffDistance(tight_a, tight_b, limits, {.threads = threads})
                   .value(),
               one);
  }
}

void ExpectSameField(const std::vector<TriangleDeviation>& found,
                     const std::vector<TriangleDeviation>& one) {
  ASSERT_EQ(found.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(found[i].nearest, one[i].nearest);
    EXPECT_EQ(found[i].farthest_lower, one[i].farthest_lower);
    EXPECT_EQ(found[i].farthest_upper, one[i].farthest_upper);
  }
}

TEST(ChunkedDeviationTest, ChunksHaveTheFieldOfOneMesh) {
  const InChunks torus(meshes::Torus(11, 7));
  const Pose turned = {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {0.3, -0.1, 0.05}};
  const HausdorffLimits options = Within(1e-3, 200);
  for (const Mesh& mesh :
       {meshes::Icosphere(1), meshes::Soup(40, 0.4), meshes::Grid(4),
        meshes::Identical(9), meshes::DegenerateMix(30)}) {
    const InChunks other(mesh, 4);
    for (const Pose& pose : {Pose{}, turned}) {
      const PosedTree one = PosedTree::Create(torus.files.tree(), pose).value();
      const PosedChunkedTree chunked =
          PosedChunkedTree::Create(torus.tree, pose).value();
      ExpectSameField(DeviationField(chunked, other.tree, options).value(),
                      DeviationField(one, other.files.tree(), options).value());
      ExpectSameField(DeviationField(other.tree, chunked, options).value(),
                      DeviationField(other.files.tree(), one, options).value());
    }
  }
}

// A mesh in memory from chunks whose ids begin anywhere; in little memory, on
// some threads.
TEST(ChunkedDeviationTest, IdsMemoryAndThreadsDoNotMatter) {
  const chunks::Files a(meshes::Torus(16, 8));
  const chunks::Files b(meshes::Icosphere(2));
  const HausdorffLimits limits = Within(1e-3, 100);
  RunOptions options;
  const auto one = DeviationField(a.tree(), b.tree(), limits).value();
  options.threads = 3;
  TraversalStatistics statistics;
  options.statistics = &statistics;
  double last = 0;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
  };
  ExpectSameField(
      DeviationField(a.Chunked(50, uint64_t{1} << 40, {.memory = 1}),
                     b.Chunked(50, 7, {.memory = 1}), limits, options)
          .value(),
      one);
  EXPECT_EQ(last, 1);
  EXPECT_GT(statistics.triangle_tests, 0U);
  options.progress = nullptr;
  ExpectSameField(
      DeviationField(ChunkedTree(a.tree()), b.Chunked(50), limits, options)
          .value(),
      one);
}

TEST(ChunkedDeviationTest, BadOptionsAndChunksAreErrors) {
  const ChunkedTree cube{Build(meshes::Cube()).value()};
  EXPECT_EQ(DeviationField(cube, cube, Within(-1, 9)).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  const RunOptions options{.cancelled = &cancelled};
  EXPECT_EQ(DeviationField(cube, cube, {}, options).status().code(),
            absl::StatusCode::kCancelled);
  const chunks::Files files(meshes::Torus(8, 5));
  const ChunkedTree broken = files.Chunked(30);
  std::remove((broken.path() + "/00000001.orbox").c_str());
  EXPECT_FALSE(DeviationField(broken, cube).ok());
  EXPECT_FALSE(DeviationField(cube, broken).ok());
}

TEST(ChunkedHausdorffTest, BadOptionsAndChunksAreErrors) {
  const ChunkedTree cube{Build(meshes::Cube()).value()};
  EXPECT_EQ(HausdorffDistance(cube, cube, Within(-1, kParts)).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  const RunOptions options{.cancelled = &cancelled};
  EXPECT_EQ(HausdorffDistance(cube, cube, {}, options).status().code(),
            absl::StatusCode::kCancelled);
  const chunks::Files files(meshes::Torus(8, 5));
  const ChunkedTree broken = files.Chunked(30);
  std::remove((broken.path() + "/00000001.orbox").c_str());
  EXPECT_FALSE(HausdorffDistance(broken, cube).ok());
  EXPECT_FALSE(HausdorffDistance(cube, broken).ok());
}

TEST(ChunkedHausdorffTest, ProgressReachesTheEnd) {
  const chunks::Files files(meshes::Torus(12, 6));
  double last = 0;
  TraversalStatistics statistics;
  RunOptions options;
  options.statistics = &statistics;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
  };
  ASSERT_TRUE(SymmetricHausdorffDistance(
                  files.Chunked(40), ChunkedTree(Build(meshes::Cube()).value()),
                  Within(1e-3, kParts), options)
                  .ok());
  EXPECT_EQ(last, 1);
  EXPECT_GT(statistics.triangle_tests, 0U);
}

TEST(MovedChunkedTreeTest, IsTheMeshWhereItStands) {
  const chunks::Files files(meshes::Torus(12, 6));
  const ChunkedTree tree = files.Chunked(40);
  const Pose pose = {{{{0, -2, 0}, {1, 0, 0}, {0, 0, 1}}}, {0.1, 0.2, 0.3}};
  const ChunkedTree moved = tree.MovedBy(pose).value();
  ASSERT_EQ(moved.table().size(), tree.table().size());
  EXPECT_EQ(moved.triangle_count(), tree.triangle_count());
  Aabb bounds = moved.table()[0].box;
  for (size_t i = 0; i < tree.table().size(); ++i) {
    const Chunk was = tree.Load(i).value();
    const Chunk is = moved.Load(i).value();
    EXPECT_EQ(is.ids[0], was.ids[0]);
    EXPECT_EQ(is.tree.mesh().triangle(3).b,
              pose.Apply(was.tree.mesh().triangle(3).b));
    EXPECT_EQ(is.tree.mesh().bounds().lo, moved.table()[i].box.lo);
    EXPECT_EQ(is.tree.mesh().bounds().hi, moved.table()[i].box.hi);
    bounds.lo = Min(bounds.lo, is.tree.mesh().bounds().lo);
    bounds.hi = Max(bounds.hi, is.tree.mesh().bounds().hi);
  }
  EXPECT_EQ(moved.bounds().lo, bounds.lo);
  EXPECT_EQ(moved.bounds().hi, bounds.hi);
  Pose infinite;
  infinite.translation.x = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(tree.MovedBy(infinite).ok());
}

}  // namespace
}  // namespace orbox
