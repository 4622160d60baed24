// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/solid_boundary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/inside/internal/surface_sides.h"
#include "orbox/bvh/query/inside/internal/walls.h"
#include "orbox/bvh/solids/internal/solid.h"
#include "orbox/bvh/solids/internal/solid_edges.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A beam, and one that crosses it: they share 0.5.
const Aabb kBeam{{0, 0, 0}, {4, 1, 1}};
const Aabb kAcross{{1.5, -1, 0.25}, {2.5, 2, 0.75}};

double VolumeInside(const Mesh& mesh) {
  double volume = 0;
  for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
    const Triangle s = mesh.triangle(t);
    volume += Dot(s.a, Cross(s.b, s.c)) / 6;
  }
  return volume;
}

std::optional<SolidBoundary> BoundaryOf(const Mesh& mesh) {
  const Tree tree = trees::Make(mesh);
  const SurfaceSides sides = SurfaceSides::Create(mesh).value();
  return BoundaryWithoutWalls(tree, FrontsOf(tree, sides), {});
}

TEST(SolidBoundaryTest, EnclosesTheUnion) {
  const Mesh mesh = meshes::Joined(solids::Box(kBeam), solids::Box(kAcross));
  const std::optional<SolidBoundary> boundary = BoundaryOf(mesh);
  ASSERT_TRUE(boundary.has_value());
  EXPECT_NEAR(VolumeInside(boundary->tree.mesh()), 4 + 1.5 - 0.5, 1e-9);
}

TEST(SolidBoundaryTest, HasTheInsideBehindEachPiece) {
  // The winding numbers add up to 0 in the overlap of the two boxes.
  const Mesh mesh = meshes::Joined(solids::Box(kBeam),
                                   meshes::TurnedOver(solids::Box(kAcross)));
  const std::optional<SolidBoundary> boundary = BoundaryOf(mesh);
  // All of it bounds the inside, whichever way it faces.
  EXPECT_FALSE(boundary.has_value());
  // With a box around one end, which has walls in it.
  const Mesh more =
      meshes::Joined(mesh, solids::Box({{3.5, -0.5, -0.5}, {5, 1.5, 1.5}}));
  const std::optional<SolidBoundary> outward = BoundaryOf(more);
  ASSERT_TRUE(outward.has_value());
  EXPECT_TRUE(outward->is_outward);
  EXPECT_NEAR(VolumeInside(outward->tree.mesh()), 4 + 1.5 - 2 * 0.5 + 6 - 0.5,
              1e-9);
}

TEST(SolidBoundaryTest, EdgesOfPiecesLeaveRoomWhereTheSolidIsReflex) {
  const Mesh mesh = meshes::Joined(solids::Box(kBeam), solids::Box(kAcross));
  const Tree tree = trees::Make(mesh);
  const SolidSurface::Boundary* boundary =
      SolidSurface::Of(mesh).WithoutWalls(tree);
  ASSERT_NE(boundary, nullptr);
  // Edges that are not of two triangles, by their room.
  std::array<size_t, 4> counts{};
  const size_t triangle_count = boundary->surface.tree.mesh().triangle_count();
  for (uint32_t t = 0; t < triangle_count; ++t) {
    for (const uint32_t e : boundary->edges.OfTriangle(t)) {
      if (e == SolidEdges::kNobody) continue;
      const SolidEdges::Edge& edge = boundary->edges[e];
      if (edge.triangles[1] != SolidEdges::kNobody) continue;
      ++counts[static_cast<size_t>(edge.room)];
    }
  }
  EXPECT_EQ(counts[static_cast<size_t>(SolidEdges::Room::kNone)], 0u);
  EXPECT_EQ(counts[static_cast<size_t>(SolidEdges::Room::kAny)], 0u);
  EXPECT_GT(counts[static_cast<size_t>(SolidEdges::Room::kBehind)] +
                counts[static_cast<size_t>(SolidEdges::Room::kInFront)],
            0u);
}

TEST(SolidBoundaryTest, BoundsWhatIsAWall) {
  const Mesh mesh = meshes::Joined(solids::Box(kBeam), solids::Box(kAcross));
  const std::optional<SolidBoundary> boundary = BoundaryOf(mesh);
  ASSERT_TRUE(boundary.has_value());
  // Walls are where the two beams are.
  const Aabb common{Max(kBeam.lo, kAcross.lo), Min(kBeam.hi, kAcross.hi)};
  size_t walls = 0;
  Aabb all = common;
  for (const Aabb& wall : boundary->walls) {
    if (!(wall.lo.x <= wall.hi.x)) continue;
    ++walls;
    all = {Min(all.lo, wall.lo), Max(all.hi, wall.hi)};
  }
  // Two faces of one, four of the other, of two triangles each.
  EXPECT_GE(walls, 6u);
  EXPECT_LE(walls, 12u);
  EXPECT_LT(MaxCoordinate(Abs(all.lo - common.lo)), 1e-9);
  EXPECT_LT(MaxCoordinate(Abs(all.hi - common.hi)), 1e-9);
}

// Shells that meet nothing are kept or dropped as a whole.
TEST(SolidBoundaryTest, ShellsInsideAreWalls) {
  const Mesh outer = solids::Box(kBeam);
  const Mesh inner = solids::Box({{1, 0.25, 0.25}, {2, 0.75, 0.75}});
  const std::optional<SolidBoundary> boundary =
      BoundaryOf(meshes::Joined(outer, inner));
  ASSERT_TRUE(boundary.has_value());
  EXPECT_EQ(boundary->tree.mesh().triangle_count(), outer.triangle_count());
  EXPECT_FALSE(
      BoundaryOf(meshes::Joined(outer, solids::TurnedOver(inner))).has_value());
  EXPECT_FALSE(BoundaryOf(outer).has_value());
}

}  // namespace
}  // namespace orbox
