// SPDX-License-Identifier: Apache-2.0

// Searches for balls drop triangles that no ball touches. Here most triangles
// of the solids are far from the other surface, and balls touch only such
// triangles.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/solids/clash.h"
#include "orbox/bvh/solids/shared_region.h"
#include "tests/support/meshes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;

// Divides each triangle into four, `levels` times.
Mesh Divided(const Mesh& mesh, int levels) {
  std::vector<Triangle> triangles;
  for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    triangles.push_back(mesh.triangle(id));
  }
  for (int level = 0; level < levels; ++level) {
    std::vector<Triangle> parts;
    for (const Triangle& t : triangles) {
      const Vec3 ab = (t.a + t.b) * 0.5;
      const Vec3 bc = (t.b + t.c) * 0.5;
      const Vec3 ca = (t.c + t.a) * 0.5;
      parts.insert(parts.end(), {Triangle{t.a, ab, ca}, Triangle{ab, t.b, bc},
                                 Triangle{ca, bc, t.c}, Triangle{ab, bc, ca}});
    }
    triangles = parts;
  }
  return meshes::FromTriangles(triangles);
}

// Expects that the solids share a region of this thickness, for both orders.
void ExpectThickness(const Mesh& a, const Mesh& b, double thickness) {
  const Tree x = trees::Make(a);
  const Tree y = trees::Make(b);
  for (const auto& [first, second] : {std::pair(x, y), std::pair(y, x)}) {
    const MeasureBounds found =
        ThicknessOfShared(first, second, {.relative = 0.01}).thickness;
    EXPECT_LE(found.lower, thickness + 1e-9);
    EXPECT_GE(found.upper, thickness - 1e-9);
    EXPECT_LE(found.upper, found.lower * 1.01 + 1e-5);
    EXPECT_EQ(IsSharedThicker(first, second, 0.9 * thickness), thickness > 0);
    EXPECT_FALSE(IsSharedThicker(first, second, 1.1 * thickness + 1e-6));
  }
}

// A rod that is thin at its end is in a wall. Deep in the wall it is as thick
// as the measure, far from all triangles near the face of the wall.
TEST(BallTouchTest, ARodThatIsThickDeepInAWall) {
  const Mesh box = Divided(Box({{-0.1, -0.1, -0.5}, {0.1, 0.1, 0.5}}), 4);
  std::vector<Vec3> corners(box.vertices().begin(), box.vertices().end());
  for (Vec3& p : corners) {
    if (p.z < 0.25) p = {p.x * 0.125, p.y * 0.125, p.z};
  }
  const Mesh rod =
      meshes::Make(corners, {box.triangles().begin(), box.triangles().end()});
  const Mesh wall = Box({{-1, -1, 0}, {1, 1, 1}});
  ExpectThickness(rod, wall, 0.2);
}

TEST(BallTouchTest, ABoxThatTouchesAndABoxInside) {
  const Mesh wall = Box({{-1, -1, 0}, {1, 1, 1}});
  const Mesh beside = Divided(Box({{0, 0, 1}, {0.5, 0.5, 1.5}}), 3);
  const Mesh within = Divided(Box({{0, 0, 0.25}, {0.5, 0.25, 0.75}}), 3);
  ExpectThickness(beside, wall, 0);
  ExpectThickness(meshes::Joined(beside, within), wall, 0.25);
  ExpectThickness(meshes::Joined(within, beside), wall, 0.25);
}

// A triangle without area hangs two boxes together, across the boundary of the
// wall. It does not count, so no other triangle of its component is there.
TEST(BallTouchTest, TrianglesThatDoNotCountConnectOthers) {
  const Mesh wall = Box({{-1, -1, 0}, {1, 1, 1}});
  const Mesh two =
      meshes::Joined(Divided(Box({{0, 0, 1.25}, {0.5, 0.5, 1.5}}), 3),
                     Divided(Box({{0, 0, 0.25}, {0.5, 0.25, 0.75}}), 3));
  std::vector<TriangleIndices> triangles(two.triangles().begin(),
                                         two.triangles().end());
  const auto last = static_cast<uint32_t>(two.vertex_count() - 1);
  triangles.push_back({0, last, last});
  ExpectThickness(
      meshes::Make({two.vertices().begin(), two.vertices().end()}, triangles),
      wall, 0.25);
}

TEST(BallTouchTest, BoxesOfSmallTrianglesShareWhatBoxesShare) {
  meshes::Random random(40);
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const auto box = [&] {
      const Vec3 lo = random.LatticePoint(3);
      const Vec3 size = random.LatticePoint(2);
      const Vec3 hi = lo + Abs(size) + Vec3{1, 1, 1};
      return Aabb{lo * 0.25, hi * 0.25};
    };
    const Aabb a = box();
    const Aabb b = box();
    const Vec3 common = Min(a.hi, b.hi) - Max(a.lo, b.lo);
    const double thickness =
        std::max(0.0, std::min(common.x, std::min(common.y, common.z)));
    ExpectThickness(Divided(Box(a), 2), Divided(Box(b), 2), thickness);
  }
}

Mesh WithCornersMoved(const Mesh& mesh, const std::vector<Vec3>& by) {
  std::vector<Vec3> corners(mesh.vertices().begin(), mesh.vertices().end());
  for (size_t i = 0; i < by.size(); ++i) corners[i] += by[i];
  return meshes::Make(corners,
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

TEST(BallTouchTest, CopiesAreDuplicatesWithinTheTolerance) {
  constexpr double kTolerance = 0.001;
  const Mesh wall = Box({{0, 0, 0}, {4, 0.3, 3}});
  const auto kind_of = [&](const std::vector<Vec3>& by) {
    return ClashOf(trees::Make(wall), trees::Make(WithCornersMoved(wall, by)),
                   {.tolerance = kTolerance})
        .kind;
  };
  meshes::Random random(41);
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec3> by;
    for (size_t k = 0; k < wall.vertex_count(); ++k) {
      by.push_back(random.Direction() * (0.24 * kTolerance));
    }
    EXPECT_EQ(NameOf(kind_of(by)), "duplicate");
  }
  // A corner moves outward, so that the copy contains the wall.
  EXPECT_EQ(NameOf(kind_of({{-0.1, -0.1, -0.1}})), "first inside");
  EXPECT_EQ(NameOf(kind_of({{0.1, 0.1, 0.1}})), "second inside");
}

}  // namespace
}  // namespace orbox
