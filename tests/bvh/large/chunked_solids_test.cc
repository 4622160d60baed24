// SPDX-License-Identifier: Apache-2.0

// Inside, signed distances, winding numbers and relations of chunks are those
// of one tree: for shells that overlap, flush and open bodies, at poses.
#include <array>
#include <atomic>
#include <cmath>
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
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/inside/mesh_relation.h"
#include "orbox/bvh/query/inside/signed_distance.h"
#include "orbox/bvh/query/inside/winding_number.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/chunks.h"
#include "tests/support/meshes.h"
#include "tests/support/solid_cases.h"

namespace orbox {
namespace {

constexpr InsideRule kRules[] = {InsideRule::kWinding, InsideRule::kParity};

// Chunks of few triangles, so that components span chunks.
size_t SizeFor(const Mesh& mesh) { return mesh.triangle_count() / 7 + 2; }

TEST(ChunkedSolidsTest, PointsAreInsideAsInOneTree) {
  for (const solids::Case& c : solids::Cases()) {
    SCOPED_TRACE(c.name);
    const chunks::Files files(c.mesh);
    const ChunkedTree chunked = files.Chunked(SizeFor(c.mesh));
    const std::vector<Vec3> points = chunks::PointsAround(c.mesh, 12);
    const auto windings = WindingNumberField::Of(files.tree());
    const auto numbers = ChunkedWindingNumberField::Of(chunked)->At(points);
    for (size_t i = 0; i < points.size(); ++i) {
      // On the surface, a number may be that of either side.
      if (ClosestPoint(files.tree(), points[i])->distance < 1e-9) continue;
      EXPECT_NEAR((*numbers)[i], windings.At(points[i]), 2e-3);
    }
    const auto field = ChunkedSignedDistanceField::Create(chunked);
    EXPECT_EQ(field.ok(), c.is_closed);
    EXPECT_EQ(IsClosed(chunked).value(), c.is_closed);
    EXPECT_EQ(DoFacesAgree(chunked).value(), DoFacesAgree(c.mesh));
    if (!field.ok()) continue;
    const auto one = SignedDistanceField::Create(files.tree()).value();
    for (const InsideRule rule : kRules) {
      const QueryOptions by{.inside = rule};
      const auto distances = field->Distance(points, by).value();
      const auto inside = IsInside(chunked, points, by).value();
      for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(distances[i], one.With(rule).Distance(points[i])) << i;
        EXPECT_EQ(inside[i] != 0, IsInside(files.tree(), points[i], rule)) << i;
      }
    }
  }
}

TEST(ChunkedSolidsTest, RelationsAreThoseOfOneTree) {
  meshes::Random random(3);
  std::array<size_t, 6> seen{};
  for (const solids::Case& c : solids::Cases()) {
    SCOPED_TRACE(c.name);
    const chunks::Files files(c.mesh);
    const ChunkedTree chunked = files.Chunked(SizeFor(c.mesh));
    for (int i = 0; i < 20; ++i) {
      const Mesh probe = solids::Probe(random, c.mesh.bounds());
      const chunks::Files of_probe(probe);
      const ChunkedTree chunked_probe = of_probe.Chunked(SizeFor(probe));
      for (const Pose& pose : solids::Poses(random)) {
        const PosedTree a = PosedTree::Create(files.tree(), pose).value();
        const PosedTree b = PosedTree::Create(of_probe.tree(), pose).value();
        const auto x = PosedChunkedTree::Create(chunked, pose).value();
        const auto y = PosedChunkedTree::Create(chunked_probe, pose).value();
        for (const InsideRule rule : kRules) {
          const QueryOptions by{.inside = rule};
          const MeshRelation expected = RelationOfMeshes(a, b, by);
          const MeshRelation found = RelationOfMeshes(x, y, by).value();
          ++seen[static_cast<size_t>(expected)];
          // The header says why an open mesh may have fewer results.
          if (!c.is_closed && found == MeshRelation::kUndefined &&
              expected == MeshRelation::kApart) {
            continue;
          }
          EXPECT_EQ(found, expected) << i;
          EXPECT_EQ(RelationOfMeshes(y, x, by).value(),
                    RelationOfMeshes(b, a, by))
              << i;
        }
      }
    }
  }
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_GT(seen[i], 2U) << i;
}

TEST(ChunkedSolidsTest, RelationsReturnErrors) {
  const ChunkedTree box(Build(meshes::Cube()).value());
  EXPECT_EQ(RelationOfMeshes(box, box, {.max_distance = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::atomic<bool> cancelled = true;
  const auto inner = PosedChunkedTree::Create(
      box, Pose{{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}}, {0.5, 0.5, 0.5}});
  EXPECT_EQ(RelationOfApartMeshes(box, *inner).value(),
            MeshRelation::kSecondInFirst);
  EXPECT_EQ(RelationOfApartMeshes(box, *inner, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace orbox
