// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/weld_vertices.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/mesh/mesh_components.h"
#include "tests/support/mesh_bytes.h"
#include "tests/support/meshes.h"

namespace orbox {
namespace {

using testing::ElementsAre;

// The triangles of a mesh with corners of their own, each moved by up to `most`
// along each axis.
Mesh Shaken(const Mesh& mesh, double most) {
  meshes::Random random(4);
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const auto first = static_cast<uint32_t>(vertices.size());
    triangles.push_back({first, first + 1, first + 2});
    for (const Vec3& corner : {t.a, t.b, t.c}) {
      vertices.push_back(corner + random.Point(-most, most));
    }
  }
  return *Mesh::Create(vertices, triangles);
}

TEST(WeldVerticesTest, ClosesGapsOfTheDistanceAndNoWiderOnes) {
  const Mesh cube = meshes::Cube();
  const Mesh shaken = Shaken(cube, 0.001);
  ASSERT_FALSE(IsClosed(shaken));
  // Corners of one vertex are at most 2 * sqrt(3) * 0.001 apart.
  const auto closed = WeldVertices(shaken, 0.0035);
  ASSERT_TRUE(closed.ok()) << closed.status();
  EXPECT_TRUE(DoFacesAgree(closed->mesh));
  EXPECT_EQ(closed->mesh.vertex_count(), 8u);
  EXPECT_EQ(closed->mesh.triangle_count(), 12u);
  EXPECT_EQ(closed->moved, 36u - 8u);
  EXPECT_GT(closed->largest_move, 0);
  EXPECT_LE(closed->largest_move, 0.0035);
  EXPECT_EQ(closed->collapsed, 0u);
  const auto open = WeldVertices(shaken, 1e-6);
  ASSERT_TRUE(open.ok());
  EXPECT_FALSE(IsClosed(open->mesh));
  EXPECT_EQ(open->moved, 0u);
  EXPECT_EQ(open->largest_move, 0);
}

TEST(WeldVerticesTest, ZeroJoinsEqualVerticesAndOmitsUnusedOnes) {
  const Mesh mesh = *Mesh::Create(
      std::vector<Vec3>{
          {9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}},
      {{1, 2, 3}, {3, 4, 5}});
  const auto welded = WeldVertices(mesh, 0);
  ASSERT_TRUE(welded.ok());
  EXPECT_THAT(
      meshes::VerticesOf(welded->mesh),
      ElementsAre(Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}));
  EXPECT_THAT(meshes::TrianglesOf(welded->mesh),
              ElementsAre(TriangleIndices{0, 1, 2}, TriangleIndices{2, 1, 3}));
  EXPECT_EQ(welded->moved, 0u);
}

// The short sides of a strip of three triangles become points.
TEST(WeldVerticesTest, CollapsedTrianglesStayAndHaveNoEdges) {
  const Mesh mesh = *Mesh::Create(
      std::vector<Vec3>{
          {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0.01, 0}, {1, 1, 0}},
      {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
  const auto welded = WeldVertices(mesh, 0.01);
  ASSERT_TRUE(welded.ok());
  EXPECT_EQ(welded->mesh.triangle_count(), 3u);
  EXPECT_EQ(welded->collapsed, 1u);
  EXPECT_EQ(welded->first_collapsed, 1u);
  EXPECT_EQ(welded->moved, 1u);
  EXPECT_EQ(welded->first_moved, 1u);
  EXPECT_EQ(welded->largest_move, 0.01);
  EXPECT_EQ(welded->mesh.degenerate_count(), 1u);
  const SurfaceFacts facts = FactsOfSurface(welded->mesh);
  EXPECT_EQ(facts.non_manifold_edges, 0u);
  EXPECT_EQ(facts.boundary_edges, 4u);
  EXPECT_EQ(facts.boundary_loops, 1u);
}

TEST(WeldVerticesTest, AHugeDistanceLeavesAPoint) {
  for (const double distance : {10.0, 1e300}) {
    const auto welded = WeldVertices(meshes::Cube(), distance);
    ASSERT_TRUE(welded.ok());
    EXPECT_EQ(welded->mesh.vertex_count(), 1u);
    EXPECT_EQ(welded->collapsed, 12u);
    EXPECT_EQ(welded->moved, 7u);
  }
}

TEST(WeldVerticesTest, DistancesHaveToBeNumbersOfAtLeastZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double distance : {-1.0, -1e-300, std::nan(""), infinity}) {
    EXPECT_EQ(WeldVertices(meshes::Cube(), distance).status().code(),
              absl::StatusCode::kInvalidArgument)
        << distance;
  }
}

TEST(WeldVerticesTest, SuggestsADistanceThatCloses) {
  for (const double size : {1.0, 1e-7, 3e40}) {
    SCOPED_TRACE(size);
    const Mesh cube = meshes::Cube({size, size, size}, size);
    EXPECT_FALSE(DistanceThatCloses(cube).has_value());
    const Mesh shaken = Shaken(cube, 1e-5 * size);
    const std::optional<double> distance = DistanceThatCloses(shaken);
    ASSERT_TRUE(distance.has_value());
    EXPECT_LE(*distance, 4e-5 * size);
    EXPECT_TRUE(IsClosed(WeldVertices(shaken, *distance)->mesh));
    EXPECT_FALSE(IsClosed(WeldVertices(shaken, *distance / 100)->mesh));
  }
}

TEST(WeldVerticesTest, SuggestsNothingForHoles) {
  const Mesh one = *Mesh::Create(
      std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  EXPECT_FALSE(DistanceThatCloses(one).has_value());
}

}  // namespace
}  // namespace orbox
