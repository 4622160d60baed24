// SPDX-License-Identifier: Apache-2.0

// Inside, signed distances, winding numbers and relations of ranks are those of
// one tree: for shells that overlap, flush and open bodies, at poses.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/large/mesh_relation.h"
#include "orbox/bvh/large/queries.h"
#include "orbox/bvh/large/signed_distance.h"
#include "orbox/bvh/large/winding_number.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/bvh/mpi/ranks.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"
#include "tests/support/solid_cases.h"

namespace orbox {
namespace {

constexpr InsideRule kRules[] = {InsideRule::kWinding, InsideRule::kParity};

size_t SizeFor(const Mesh& mesh) { return mesh.triangle_count() / 7 + 2; }

TEST(DistributedSolidsTest, PointsAreInsideAsInOneTree) {
  Communicator ranks = Ranks();
  for (const solids::Case& c : solids::Cases()) {
    SCOPED_TRACE(c.name);
    const SharedTree files(ranks, c.mesh, SizeFor(c.mesh));
    const DistributedTree tree = files.Open();
    const std::vector<Vec3> points =
        OwnShare(ranks, chunks::PointsAround(c.mesh, 8));
    const auto windings = WindingNumberField::Of(files.whole());
    const auto numbers = DistributedWindingNumberField::Of(tree)->At(points);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    for (size_t i = 0; i < points.size(); ++i) {
      // On the surface, a number may be that of either side.
      if (ClosestPoint(files.whole(), points[i])->distance < 1e-9) continue;
      EXPECT_NEAR((*numbers)[i], windings.At(points[i]), 2e-3);
    }
    const auto field = DistributedSignedDistanceField::Create(tree);
    EXPECT_EQ(field.ok(), c.is_closed);
    if (!field.ok()) continue;
    const auto one = SignedDistanceField::Create(files.whole()).value();
    for (const InsideRule rule : kRules) {
      const auto distances = field->Distance(points, {.inside = rule}).value();
      const auto inside = IsInside(tree, points, {.inside = rule}).value();
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(distances[i], one.With(rule).Distance(points[i])) << i;
        EXPECT_EQ(inside[i] != 0, IsInside(files.whole(), points[i], rule))
            << i;
      }
    }
  }
}

TEST(DistributedSolidsTest, RelationsAreThoseOfOneTree) {
  Communicator ranks = Ranks();
  meshes::Random random(3);
  for (const solids::Case& c : solids::Cases()) {
    SCOPED_TRACE(c.name);
    const SharedTree files(ranks, c.mesh, SizeFor(c.mesh));
    const DistributedTree tree = files.Open();
    for (int i = 0; i < 3; ++i) {
      const Mesh probe = solids::Probe(random, c.mesh.bounds());
      const SharedTree of_probe(ranks, probe, SizeFor(probe));
      const DistributedTree other = of_probe.Open();
      for (const Pose& pose : solids::Poses(random)) {
        const PosedTree a = PosedTree::Create(files.whole(), pose).value();
        const PosedTree b = PosedTree::Create(of_probe.whole(), pose).value();
        const PosedDistributedTree x(tree, pose);
        const PosedDistributedTree y(other, pose);
        for (const InsideRule rule : kRules) {
          const auto found = RelationOfMeshes(x, y, {.inside = rule});
          ASSERT_TRUE(found.ok()) << found.status();
          const MeshRelation expected =
              RelationOfMeshes(a, b, {.inside = rule});
          if (!c.is_closed && *found == MeshRelation::kUndefined &&
              expected == MeshRelation::kApart) {
            continue;
          }
          EXPECT_EQ(*found, expected) << i;
        }
      }
    }
  }
}

TEST(DistributedSolidsTest, RelationsAgreeOnErrors) {
  Communicator ranks = Ranks();
  const auto box = DistributedTree::Replicate(
      ranks, ChunkedTree(Build(meshes::Cube()).value()));
  ASSERT_TRUE(box.ok()) << box.status();
  const DistributedOptions wrong{.max_distance = -1};
  EXPECT_EQ(RelationOfApartMeshes(*box, *box, wrong).status().code(),
            absl::StatusCode::kInvalidArgument);
  if (ranks.size() == 1) return;
  const PosedDistributedTree own(
      *box, Pose::Translation({static_cast<double>(ranks.rank()), 0, 0}));
  EXPECT_EQ(RelationOfApartMeshes(own, *box).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
