// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/close_holes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/inside_rule.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/inside_facts.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"

namespace orbox {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

// The cube [0, n]^3 with unit squares of two triangles each.
Mesh Grid(int n) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool is_top : {false, true}) {
      for (int i = 0; i < n * n; ++i) {
        Vec3 corner;
        corner[axis] = is_top ? n : 0;
        corner[u] = i % n;
        corner[v] = i / n;
        const auto first = static_cast<uint32_t>(vertices.size());
        for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
          Vec3 p = corner;
          p[u] += x;
          p[v] += y;
          vertices.push_back(p);
        }
        const uint32_t second = first + (is_top ? 1 : 3);
        const uint32_t last = first + (is_top ? 3 : 1);
        triangles.push_back({first, second, first + 2});
        triangles.push_back({first, first + 2, last});
      }
    }
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// The mesh without some of its triangles.
Mesh Without(const Mesh& mesh, const std::vector<uint32_t>& ids) {
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    if (std::find(ids.begin(), ids.end(), i) == ids.end()) {
      triangles.push_back(mesh.triangles()[i]);
    }
  }
  return Mesh::Create({mesh.vertices().begin(), mesh.vertices().end()},
                      std::move(triangles))
      .value();
}

// A triangle of the grid with a side of n that has no vertex on the cube's
// edges.
bool IsAmidASide(const Triangle& t, int n) {
  const Vec3 middle = (t.a + t.b + t.c) * (1.0 / 3);
  int within = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    within += middle[axis] > 1 && middle[axis] < n - 1 ? 1 : 0;
  }
  return within == 2;
}

double VolumeOf(const Mesh& mesh) {
  return FactsOfInside(Build(mesh).value())->MiddleVolume();
}

TEST(CloseHolesTest, TrianglesOfTheMeshRemainAndCapsFollow) {
  const Mesh cube = meshes::Cube();
  const Mesh open = solids::Opened(cube);
  ASSERT_FALSE(IsClosed(open));
  const ClosedHoles closed = CloseHoles(open, 3.5).value();
  EXPECT_EQ(closed.holes, 1u);
  EXPECT_TRUE(DoFacesAgree(closed.mesh));
  ASSERT_EQ(closed.mesh.triangle_count(), cube.triangle_count());
  EXPECT_EQ(closed.mesh.vertex_count(), open.vertex_count());
  for (size_t i = 0; i < open.triangle_count(); ++i) {
    EXPECT_EQ(closed.mesh.triangles()[i], open.triangles()[i]);
  }
  EXPECT_DOUBLE_EQ(VolumeOf(closed.mesh), 1);
}

TEST(CloseHolesTest, LoopsMustBeShorter) {
  const Mesh open = solids::Opened(solids::Box({{0, 0, 0}, {4, 3, 3}}));
  const double loop = 4 + 3 + 5;  // of a triangle of a side of 4 by 3
  EXPECT_EQ(CloseHoles(open, 1).value().holes, 0u);
  EXPECT_EQ(CloseHoles(open, 1).value().mesh.triangle_count(), 11u);
  EXPECT_EQ(CloseHoles(open, loop).value().holes, 0u);
  EXPECT_EQ(CloseHoles(open, loop + 0x1p-40).value().holes, 1u);
  // One of two loops is too long: none is closed.
  const Mesh two = Without(Grid(4), {0, 40, 41});
  EXPECT_EQ(CloseHoles(two, 3.5).value().holes, 0u);
  EXPECT_EQ(CloseHoles(two, 4.5).value().holes, 2u);
  // Lengths are those at the pose.
  const Pose twice{.rows = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}};
  EXPECT_EQ(CloseHoles(open, loop + 1, twice).value().holes, 0u);
  EXPECT_EQ(CloseHoles(open, 2 * loop + 1, twice).value().holes, 1u);
}

TEST(CloseHolesTest, ClosedMeshesAndBadLengths) {
  EXPECT_EQ(CloseHoles(meshes::Cube(), kAny).value().holes, 0u);
  const Mesh open = solids::Opened(meshes::Cube());
  EXPECT_EQ(CloseHoles(open, 0).value().holes, 0u);
  for (const double bad : {-1.0, std::nan("")}) {
    EXPECT_EQ(CloseHoles(open, bad).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

// A cube without random triangles. Most of its sides are plane around a hole,
// so that the caps are the triangles that were removed, or cover them.
TEST(CloseHolesTest, RandomHolesOfPlaneSidesCloseToTheOriginal) {
  std::mt19937 random(71);
  const Mesh cube = Grid(6);
  size_t most = 0;
  for (int round = 0; round < 40; ++round) {
    std::vector<uint32_t> ids;
    const size_t count = 1 + random() % 20;
    while (ids.size() < count) {
      const uint32_t id = random() % cube.triangle_count();
      if (IsAmidASide(cube.triangle(id), 6)) ids.push_back(id);
    }
    const Mesh open = Without(cube, ids);
    const ClosedHoles closed = CloseHoles(open, kAny).value();
    ASSERT_GT(closed.holes, 0u);
    most = std::max(most, closed.holes);
    EXPECT_TRUE(DoFacesAgree(closed.mesh)) << round;
    EXPECT_NEAR(VolumeOf(closed.mesh), 216, 1e-9) << round;
  }
  EXPECT_GT(most, 10u);
}

// Loops that meet at vertices: two holes with one common vertex, two with two,
// and a ring of four squares around a square that remains at its corners.
TEST(CloseHolesTest, LoopsMayMeetAtVertices) {
  const Mesh cube = Grid(5);
  // Squares of the side z = 0, by row and column. Triangles 2 i and 2 i + 1 are
  // square i of a side; z is the third axis.
  const uint32_t first = 4 * 25;
  const auto square = [&](uint32_t row, uint32_t column) {
    return std::vector<uint32_t>{2 * (first + 5 * row + column),
                                 2 * (first + 5 * row + column) + 1};
  };
  const auto without = [&](std::vector<std::pair<uint32_t, uint32_t>> squares) {
    std::vector<uint32_t> ids;
    for (const auto& [row, column] : squares) {
      for (const uint32_t id : square(row, column)) ids.push_back(id);
    }
    return Without(cube, ids);
  };
  for (const Mesh& open :
       {without({{1, 1}, {2, 2}}), without({{1, 1}, {2, 2}, {3, 1}, {2, 0}}),
        without({{1, 2}, {2, 1}, {2, 3}, {3, 2}}),
        without({{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 3}})}) {
    ASSERT_FALSE(IsClosed(open));
    const ClosedHoles closed = CloseHoles(open, kAny).value();
    EXPECT_GT(closed.holes, 0u);
    EXPECT_TRUE(DoFacesAgree(closed.mesh));
    EXPECT_NEAR(VolumeOf(closed.mesh), 125, 1e-9);
  }
}

// A fin in a cube, attached along an edge: all edges of the fin are used an odd
// number of times.
TEST(CloseHolesTest, EdgesOfThreeTriangles) {
  const Mesh cube = meshes::Cube();
  std::vector<Vec3> vertices(cube.vertices().begin(), cube.vertices().end());
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  // A triangle on an edge of the cube, with its tip inside.
  const TriangleIndices side = triangles[0];
  vertices.push_back({0.5, 0.5, 0.5});
  triangles.push_back(
      {side[0], side[1], static_cast<uint32_t>(vertices.size() - 1)});
  const Mesh finned = Mesh::Create(vertices, triangles).value();
  ASSERT_FALSE(IsClosed(finned));
  const ClosedHoles closed = CloseHoles(finned, kAny).value();
  EXPECT_EQ(closed.holes, 1u);
  EXPECT_TRUE(DoFacesAgree(closed.mesh));
  EXPECT_NEAR(VolumeOf(closed.mesh), 1, 1e-9);
}

TEST(CloseHolesTest, ARimWhoseFacesDisagreeIsClosed) {
  const Mesh cube = Grid(3);
  std::vector<TriangleIndices> triangles(cube.triangles().begin(),
                                         cube.triangles().end());
  std::swap(triangles[1][0], triangles[1][1]);  // a neighbour of the hole
  triangles.erase(triangles.begin());
  const Mesh open =
      Mesh::Create({cube.vertices().begin(), cube.vertices().end()}, triangles)
          .value();
  const ClosedHoles closed = CloseHoles(open, kAny).value();
  EXPECT_EQ(closed.holes, 1u);
  EXPECT_TRUE(IsClosed(closed.mesh));
  EXPECT_FALSE(DoFacesAgree(closed.mesh));
}

// Caps that would be as large as what they close.
TEST(CloseHolesTest, SheetsAndShortTubesRemainOpen) {
  const Mesh cube = Grid(4);
  std::vector<uint32_t> others;
  for (uint32_t id = 32; id < cube.triangle_count(); ++id) others.push_back(id);
  EXPECT_EQ(CloseHoles(Without(cube, others), kAny).value().holes, 0u);
  // A sheet next to a solid that lacks a triangle.
  EXPECT_EQ(
      CloseHoles(meshes::Joined(meshes::Joined(meshes::Cube({9, 9, 9}, 1),
                                               Without(cube, others)),
                                solids::Opened(meshes::Cube({20, 0, 0}, 1))),
                 kAny)
          .value()
          .holes,
      0u);
  const auto tube = [](double length) {
    const Mesh prism = solids::Prism(32, 0.5, {0, 0, 0}, {0, 0, length});
    std::vector<uint32_t> ends;
    for (uint32_t id = 0; id < prism.triangle_count(); ++id) {
      const Triangle t = prism.triangle(id);
      if (t.a.z == t.b.z && t.b.z == t.c.z) ends.push_back(id);
    }
    return Without(prism, ends);
  };
  EXPECT_EQ(CloseHoles(tube(0.9), kAny).value().holes, 0u);
  EXPECT_EQ(CloseHoles(tube(1.1), kAny).value().holes, 2u);
  EXPECT_EQ(CloseHoles(tube(1.1), 3).value().holes, 0u);
  EXPECT_EQ(CloseHoles(tube(1.1), 3.2).value().holes, 2u);
}

TEST(CloseHolesTest, LoopsOfTooManyEdgesRemainOpen) {
  for (const uint32_t sides : {256u, 257u}) {
    const Mesh prism = solids::Prism(sides, 0.5, {0, 0, 0}, {0, 0, 4});
    std::vector<uint32_t> end;
    for (uint32_t id = 0; id < prism.triangle_count(); ++id) {
      const Triangle t = prism.triangle(id);
      if (t.a.z == 0 && t.b.z == 0 && t.c.z == 0) end.push_back(id);
    }
    ASSERT_EQ(end.size(), sides - 2);
    EXPECT_EQ(CloseHoles(Without(prism, end), kAny).value().holes,
              sides == 256 ? 1u : 0u);
  }
}

Clash ClashWith(const Mesh& a, const Mesh& b, double close_holes) {
  const Tree tree_a = Build(a).value(), tree_b = Build(b).value();
  return ClashOf(tree_a, tree_b,
                 {.tolerance = 0.001,
                  .clearance = 0.5,
                  .close_holes = close_holes,
                  .thickness = true,
                  .gap = true});
}

TEST(CloseHolesTest, AWallThatLacksATriangleShowsItsPipe) {
  const Mesh wall = solids::Opened(meshes::Cube({-2, -2, -2}, 5));
  const Mesh pipe = meshes::Cube();
  EXPECT_EQ(ClashWith(wall, pipe, 0).kind, ClashKind::kApart);
  // Its loop is as long as 5 + 5 + 7.07.
  EXPECT_EQ(ClashWith(wall, pipe, 17).kind, ClashKind::kApart);
  const Clash found = ClashWith(wall, pipe, 17.1);
  EXPECT_EQ(found.kind, ClashKind::kSecondInside);
  EXPECT_EQ(found.closed_holes, (std::array<size_t, 2>{1, 0}));
  EXPECT_EQ(ClashWith(pipe, wall, 17.1).kind, ClashKind::kFirstInside);
  EXPECT_EQ(ClashWith(pipe, wall, 17.1).closed_holes,
            (std::array<size_t, 2>{0, 1}));
  const Clash apart = ClashWith(wall, meshes::Cube({40, 0, 0}), 17.1);
  EXPECT_EQ(apart.kind, ClashKind::kApart);
  EXPECT_EQ(apart.closed_holes, (std::array<size_t, 2>{1, 0}));
  EXPECT_LE(found.thickness.lower, 1);
  EXPECT_GE(found.thickness.upper, 1);
}

// Caps are no surface: a plug that covers a hole is as far away as its rim, and
// a rod through the hole clashes.
TEST(CloseHolesTest, CapsServeToDecideWhatIsInside) {
  const Mesh cube = Grid(5);
  const uint32_t square = 2 * (4 * 25 + 5 * 2 + 2);  // [2, 3]^2 of z = 0
  const Mesh open = Without(cube, {square, square + 1});
  const Mesh plug = solids::Box({{2.25, 2.25, -1}, {2.75, 2.75, 0}});
  const Clash covered = ClashWith(open, plug, 5);
  EXPECT_EQ(covered.closed_holes[0], 1u);
  EXPECT_EQ(covered.kind, ClashKind::kClearance);
  ASSERT_TRUE(covered.gap);
  EXPECT_DOUBLE_EQ(covered.gap->distance, 0.25);
  EXPECT_LT(covered.gap->triangles.a, open.triangle_count());
  EXPECT_EQ(ClashWith(cube, plug, 5).kind, ClashKind::kTouch);

  const Mesh rod = solids::Box({{2.25, 2.25, -1}, {2.75, 2.75, 2}});
  EXPECT_EQ(ClashWith(open, rod, 0).kind, ClashKind::kClearance);
  const Clash through = ClashWith(open, rod, 5);
  EXPECT_EQ(through.kind, ClashKind::kClash);
  ASSERT_TRUE(through.gap);
  EXPECT_DOUBLE_EQ(through.gap->distance, 0.25);
  EXPECT_GE(through.thickness.upper, 0.5);
  EXPECT_LE(through.thickness.lower, 0.5);
}

// Random boxes against a solid with holes in its plane sides: clashes and
// thicknesses are those of the closed original.
TEST(CloseHolesTest, ClashesAreThoseOfTheClosedOriginal) {
  std::mt19937 random(72);
  const auto coordinate = [&] { return 0.25 * (random() % 29) - 1; };
  const Mesh cube = Grid(5);
  std::vector<uint32_t> ids;
  for (uint32_t id = 3; id < cube.triangle_count(); id += 5) {
    if (IsAmidASide(cube.triangle(id), 5)) ids.push_back(id);
  }
  const Mesh open = Without(cube, ids);
  ASSERT_GT(CloseHoles(open, 9).value().holes, 8u);
  int clashes = 0;
  for (int round = 0; round < 60; ++round) {
    const Vec3 p{coordinate(), coordinate(), coordinate()};
    const Vec3 q{coordinate(), coordinate(), coordinate()};
    const Vec3 lo = Min(p, q);
    const Mesh box = solids::Box({lo, Max(p, q) + Vec3{0.5, 0.5, 0.5}});
    const Clash expected = ClashWith(cube, box, 0);
    const Clash found = ClashWith(open, box, 9);
    EXPECT_EQ(IsClash(found.kind), IsClash(expected.kind)) << round;
    if (!IsClash(expected.kind)) continue;
    ++clashes;
    EXPECT_EQ(found.kind, expected.kind) << round;
    EXPECT_LE(found.thickness.lower, expected.thickness.upper) << round;
    EXPECT_GE(found.thickness.upper, expected.thickness.lower) << round;
  }
  EXPECT_GT(clashes, 20);
}

TEST(CloseHolesTest, ScenesCloseTheHolesOfEachBody) {
  const Tree wall =
      Build(solids::Opened(meshes::Cube({-2, -2, -2}, 5))).value();
  const Tree pipe = Build(meshes::Cube()).value();
  Scene scene;
  for (const double x : {0.0, 20.0}) {
    ASSERT_TRUE(scene.Add(wall, Pose::Translation({x, 0, 0})).ok());
    ASSERT_TRUE(scene.Add(pipe, Pose::Translation({x, 0, 0})).ok());
  }
  // The loop of this wall is twice as long.
  const Pose twice{.rows = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}},
                   .translation = {50, 0, 0}};
  ASSERT_TRUE(scene.Add(wall, twice).ok());
  ASSERT_TRUE(scene.Add(pipe, Pose::Translation({50, 0, 0})).ok());
  scene.Update();
  const auto clashes = [&](double holes) {
    const auto found =
        AllClashes(scene, {.tolerance = 0.001, .close_holes = holes});
    return std::count_if(found.begin(), found.end(),
                         [](const auto& c) { return IsClash(c.clash.kind); });
  };
  EXPECT_EQ(clashes(0), 0);
  EXPECT_EQ(clashes(18), 2);
  EXPECT_EQ(clashes(35), 3);
  EXPECT_TRUE(AnyClash(scene, {.tolerance = 0.001, .close_holes = 18}));
  for (const BodyPairClash& found :
       AllClashes(scene, {.close_holes = 18, .depth = true})) {
    EXPECT_EQ(found.clash.closed_holes[0], 1u);
    ASSERT_TRUE(found.clash.depth);
    EXPECT_GE(found.clash.depth->depth.upper, 3);
  }
}

}  // namespace
}  // namespace orbox
