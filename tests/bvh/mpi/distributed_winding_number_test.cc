// SPDX-License-Identifier: Apache-2.0

// Winding numbers of ranks have the bytes of those of the chunks in one
// process.

#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/winding_number.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

std::vector<Vec3> PointsWithOthers(const Mesh& mesh) {
  std::vector<Vec3> points = chunks::PointsAround(mesh, 15);
  points.push_back({1e3, 0, 0});
  return points;
}

void CheckWindings(const SharedTree& mesh, const std::vector<Vec3>& own,
                   size_t memory) {
  const DistributedTree tree = mesh.Open();
  const ChunkedWindingNumberField one =
      ChunkedWindingNumberField::Of(tree.chunks()).value();
  const auto field = DistributedWindingNumberField::Of(tree);
  ASSERT_TRUE(field.ok()) << field.status();
  for (const double error : {0.1, 1e-3, 0.0}) {
    const auto numbers = field->At(own, error, {.memory = memory});
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    const std::vector<double> here = one.At(own, error).value();
    ASSERT_EQ(numbers->size(), own.size());
    for (size_t i = 0; i < own.size(); ++i) {
      EXPECT_TRUE(chunks::SameBits({(*numbers)[i], 0, 0}, {here[i], 0, 0}))
          << (*numbers)[i] << " and " << here[i];
    }
  }
  const auto inside = field->IsInside(own, {.memory = memory});
  ASSERT_TRUE(inside.ok()) << inside.status();
  EXPECT_EQ(*inside, one.IsInside(own).value());
}

TEST(DistributedWindingNumberTest, AnswersAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  for (const Mesh& mesh : {meshes::Torus(20, 10), meshes::Soup(120, 0.3),
                           meshes::Grid(5), meshes::Identical(30)}) {
    const std::vector<Vec3> points = PointsWithOthers(mesh);
    for (const size_t size : {8, 1000}) {
      const SharedTree shared(ranks, mesh, size);
      CheckWindings(shared, OwnShare(ranks, points), size_t{1} << 30);
      // Only one rank has queries.
      CheckWindings(shared, ranks.rank() == 0 ? points : std::vector<Vec3>(),
                    size_t{1} << 30);
    }
  }
}

// Near chunks that do not fit into the memory together are queried in several
// rounds.
TEST(DistributedWindingNumberTest, LittleMemoryTakesMoreRounds) {
  Communicator ranks = Ranks();
  const Mesh torus = meshes::Torus(20, 10);
  const SharedTree shared(ranks, torus, 8);
  std::vector<Vec3> points;
  meshes::Random random(2);
  for (int i = 0; i < 700; ++i) points.push_back(random.Point(-1.2, 1.2));
  CheckWindings(shared, OwnShare(ranks, points), size_t{1} << 17);
}

TEST(DistributedWindingNumberTest, StatisticsAreSummed) {
  Communicator ranks = Ranks();
  const SharedTree shared(ranks, meshes::Torus(20, 10), 16);
  const DistributedTree tree = shared.Open();
  const auto field = DistributedWindingNumberField::Of(tree).value();
  TraversalStatistics all;
  TraversalStatistics own;
  const std::vector<Vec3> points = {{1, 0, 0.1}};
  ASSERT_TRUE(
      field.At(points, 0, {.statistics = &all, .own_statistics = &own}).ok());
  uint64_t tests[] = {own.triangle_tests};
  ASSERT_TRUE(ranks.Sum(tests).ok());
  EXPECT_EQ(tests[0], all.triangle_tests);
  // Each rank computes the sum over all triangles.
  EXPECT_EQ(tests[0],
            tree.chunks().triangle_count() * static_cast<size_t>(ranks.size()));
}

}  // namespace
}  // namespace orbox
