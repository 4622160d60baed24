// SPDX-License-Identifier: Apache-2.0

// Signed distances of ranks are those of one tree in one process.

#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/mpi/distributed_tree.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

void CheckSigned(const SharedTree& mesh, std::span<const Vec3> own,
                 double max_distance) {
  const SignedDistanceField one =
      SignedDistanceField::Create(mesh.whole()).value();
  const auto field = DistributedSignedDistanceField::Create(mesh.Open());
  ASSERT_TRUE(field.ok()) << field.status();
  const DistributedOptions options{.max_distance = max_distance};
  const auto near = field->ClosestPoint(own, options);
  const auto distances = field->Distance(own, options);
  const auto inside = field->IsInside(own);
  ASSERT_TRUE(near.ok() && distances.ok() && inside.ok()) << near.status();
  ASSERT_EQ(near->size(), own.size());
  for (size_t i = 0; i < own.size(); ++i) {
    const auto here = one.ClosestPoint(own[i], max_distance);
    ASSERT_EQ((*near)[i].has_value(), here.has_value());
    EXPECT_EQ((*inside)[i] != 0, one.IsInside(own[i]));
    if (!here) {
      EXPECT_TRUE(std::isnan((*distances)[i]));
      continue;
    }
    EXPECT_EQ((*near)[i]->triangle, here->triangle);
    EXPECT_EQ((*near)[i]->distance, here->distance);
    EXPECT_TRUE(chunks::SameBits((*near)[i]->point, here->point));
    EXPECT_EQ((*distances)[i], here->distance);
  }
}

TEST(DistributedSignedDistanceTest, AnswersAreThoseOfOneProcess) {
  Communicator ranks = Ranks();
  for (const Mesh& mesh : {meshes::Torus(20, 10), meshes::Icosphere(2),
                           meshes::Joined(meshes::Cube(), meshes::Cube())}) {
    const std::vector<Vec3> points = chunks::PointsAround(mesh, 12);
    for (const size_t size : {16, 1000}) {
      const SharedTree shared(ranks, mesh, size);
      CheckSigned(shared, OwnShare(ranks, points),
                  std::numeric_limits<double>::infinity());
      CheckSigned(shared, OwnShare(ranks, points), 0.1);
      // Only one rank has queries.
      if (ranks.rank() == ranks.size() - 1) {
        CheckSigned(shared, points, 1);
      } else {
        CheckSigned(shared, {}, 1);
      }
    }
  }
}

// The status names the lowest triangle at an edge, as that of one process does,
// however little memory there is for edges.
TEST(DistributedSignedDistanceTest, AnOpenMeshIsRefusedOnAll) {
  Communicator ranks = Ranks();
  for (const Mesh& mesh :
       {meshes::Grid(6), meshes::Soup(40, 0.4), meshes::DegenerateMix(40),
        meshes::Joined(meshes::Torus(20, 10), meshes::OneTriangle())}) {
    const SharedTree shared(ranks, mesh, 9);
    const DistributedTree tree = shared.Open();
    const absl::Status one =
        ChunkedSignedDistanceField::Create(tree.chunks()).status();
    EXPECT_EQ(one.code(), absl::StatusCode::kFailedPrecondition) << one;
    for (const size_t memory : {size_t{1} << 30, size_t{1} << 14}) {
      const absl::Status all =
          DistributedSignedDistanceField::Create(tree, {.memory = memory})
              .status();
      EXPECT_EQ(all.ToString(), one.ToString());
    }
  }
}

}  // namespace
}  // namespace orbox
