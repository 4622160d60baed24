// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/solids/interior_overlap.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/sanitized.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using solids::Box;

// Integers to integers: five times a rotation, and moved.
Vec3 TurnedPoint(const Vec3& p) {
  return {3 * p.x - 4 * p.y + 7, 4 * p.x + 3 * p.y - 2, 5 * p.z + 1};
}
// Thrice a rotation about a diagonal axis.
Vec3 TurnedAround(const Vec3& p) {
  return {2 * p.x - p.y + 2 * p.z, 2 * p.x + 2 * p.y - p.z,
          -p.x + 2 * p.y + 2 * p.z};
}

Mesh Moved(const Mesh& mesh, const std::function<Vec3(const Vec3&)>& move) {
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.push_back(move(v));
  return Mesh::Create(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()})
      .value();
}

// Queried both ways, unmoved and turned.
void ExpectOverlap(const Mesh& a, const Mesh& b, bool expected) {
  const std::function<Vec3(const Vec3&)> moves[] = {
      [](const Vec3& p) { return p; }, TurnedPoint, TurnedAround};
  for (const auto& move : moves) {
    const Tree x = trees::Make(Moved(a, move));
    const Tree y = trees::Make(Moved(b, move));
    EXPECT_EQ(AnyInteriorOverlap(x, y), expected);
    EXPECT_EQ(AnyInteriorOverlap(y, x), expected);
  }
}

TEST(InteriorOverlapTest, BoxesInEveryWayToBeFlush) {
  const Aabb a{{1, 1, 1}, {2, 2, 2}};
  const std::array<std::pair<int, int>, 6> ranges{
      {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {0, 3}, {2, 3}}};
  for (const auto& [x, to_x] : ranges) {
    for (const auto& [y, to_y] : ranges) {
      for (const auto& [z, to_z] : ranges) {
        const Aabb b{{1.0 * x, 1.0 * y, 1.0 * z},
                     {1.0 * to_x, 1.0 * to_y, 1.0 * to_z}};
        const bool expected =
            x < 2 && to_x > 1 && y < 2 && to_y > 1 && z < 2 && to_z > 1;
        // Each position is another way to touch; under a sanitizer, a third.
        if (kSanitized && (x + to_x + y + to_y + z + to_z) % 3 != 0) continue;
        SCOPED_TRACE(testing::Message() << x << to_x << y << to_y << z << to_z);
        const Tree s = trees::Make(Moved(Box(a), TurnedPoint));
        const Tree t = trees::Make(Moved(Box(b), TurnedPoint));
        EXPECT_EQ(AnyInteriorOverlap(s, t), expected);
      }
    }
  }
}

// A set of unit cubes of a 3 x 3 x 3 grid, one bit for each.
using Voxels = uint32_t;

uint32_t BitAt(int x, int y, int z) {
  if (std::min({x, y, z}) < 0 || std::max({x, y, z}) > 2) return 0;
  return uint32_t{1} << (x + 3 * y + 9 * z);
}

// Their boundary alone, in squares each of which has one of its diagonals.
Mesh BoundaryOf(Voxels voxels, meshes::Random& random) {
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < 27; ++i) {
    const std::array<int, 3> at{i % 3, i / 3 % 3, i / 9};
    if ((voxels >> i & 1) == 0) continue;
    for (size_t axis = 0; axis < 3; ++axis) {
      for (const int side : {0, 1}) {
        std::array<int, 3> next = at;
        next[axis] += side == 1 ? 1 : -1;
        if ((voxels & BitAt(next[0], next[1], next[2])) != 0) continue;
        const auto first = static_cast<uint32_t>(vertices.size());
        for (int k = 0; k < 4; ++k) {
          std::array<double, 3> p{1.0 * at[0], 1.0 * at[1], 1.0 * at[2]};
          p[axis] += side;
          p[(axis + 1) % 3] += k == 1 || k == 2 ? 1 : 0;
          p[(axis + 2) % 3] += k >= 2 ? 1 : 0;
          vertices.push_back({p[0], p[1], p[2]});
        }
        const uint32_t turn = random.Uniform(0, 1) < 0.5 ? 0 : 1;
        const auto corner = [&](uint32_t k) { return first + (k + turn) % 4; };
        const uint32_t one = side == 1 ? 1 : 3;  // all face outward
        triangles.push_back({corner(0), corner(one), corner(2)});
        triangles.push_back({corner(0), corner(2), corner(4 - one)});
      }
    }
  }
  return Mesh::Create(std::move(vertices), std::move(triangles)).value();
}

// Each cube by all its sides: those between two cubes are there twice, cut by
// the same diagonal or by two. Only parity decides that they are no walls.
Mesh CubesOf(Voxels voxels, meshes::Random& random) {
  std::optional<Mesh> all;
  for (int i = 0; i < 27; ++i) {
    if ((voxels >> i & 1) == 0) continue;
    const Mesh cube = BoundaryOf(Voxels{1} << i, random);
    all = all ? meshes::Joined(*all, cube) : cube;
  }
  return *all;
}

Voxels SomeVoxels(meshes::Random& random, double share) {
  Voxels voxels = 0;
  while (voxels == 0) {
    for (int i = 0; i < 27; ++i) {
      if (random.Uniform(0, 1) < share) voxels |= uint32_t{1} << i;
    }
  }
  return voxels;
}

TEST(InteriorOverlapTest, CubesOfAGridTouchInEveryWay) {
  meshes::Random random(1);
  int overlaps = 0;
  for (int i = 0; i < (kSanitized ? 5 : 24); ++i) {
    SCOPED_TRACE(i);
    const Voxels a = SomeVoxels(random, 0.2);
    // Half of them touch only: no cube of a.
    Voxels b =
        i % 2 == 0 ? SomeVoxels(random, 0.1) : SomeVoxels(random, 0.6) & ~a;
    if (b == 0) continue;
    if (i % 4 == 0) b |= a & (~a + 1);  // one cube of it
    overlaps += (a & b) != 0;
    const auto move = i % 3 == 0 ? TurnedPoint : TurnedAround;
    const Tree x = trees::Make(Moved(BoundaryOf(a, random), move));
    const Tree y = trees::Make(Moved(BoundaryOf(b, random), move));
    EXPECT_EQ(AnyInteriorOverlap(x, y), (a & b) != 0);
    EXPECT_EQ(AnyInteriorOverlap(y, x), (a & b) != 0);
  }
  EXPECT_GT(overlaps, kSanitized ? 1 : 3);
}

TEST(InteriorOverlapTest, FacesThatCancelAreNone) {
  meshes::Random random(2);
  for (int i = 0; i < (kSanitized ? 4 : 12); ++i) {
    SCOPED_TRACE(i);
    const Voxels a = SomeVoxels(random, 0.2);
    const Voxels b =
        i % 2 == 0 ? SomeVoxels(random, 0.1) : SomeVoxels(random, 0.4) & ~a;
    if (b == 0) continue;
    const Tree x = trees::Make(CubesOf(a, random));
    const Tree y = trees::Make(CubesOf(b, random));
    EXPECT_EQ(AnyInteriorOverlap(x, y), (a & b) != 0);
  }
}

// Boxes of one mesh overlap: by winding numbers it is their union, by parity
// what an odd number of them contain.
TEST(InteriorOverlapTest, MeshesThatIntersectThemselvesAreWhatTheRuleSays) {
  meshes::Random random(3);
  std::array<int, 3> lo{};
  std::array<int, 3> hi{};
  struct Insides {
    Voxels winding = 0;
    Voxels parity = 0;
  };
  const auto box_of = [&](Insides* insides) {
    for (size_t k = 0; k < 3; ++k) {
      const int p = static_cast<int>(random.Uniform(0, 4));
      const int q = static_cast<int>(random.Uniform(0, 3));
      lo[k] = std::min({p, q, 2});
      hi[k] = std::max({p, q + 1, lo[k] + 1});
      hi[k] = std::min(hi[k], 3);
    }
    for (int i = 0; i < 27; ++i) {
      const std::array<int, 3> at{i % 3, i / 3 % 3, i / 9};
      bool is_in = true;
      for (size_t k = 0; k < 3; ++k) {
        is_in = is_in && lo[k] <= at[k] && at[k] < hi[k];
      }
      if (!is_in) continue;
      insides->winding |= uint32_t{1} << i;
      insides->parity ^= uint32_t{1} << i;
    }
    return Box({{1.0 * lo[0], 1.0 * lo[1], 1.0 * lo[2]},
                {1.0 * hi[0], 1.0 * hi[1], 1.0 * hi[2]}});
  };
  int touching = 0;
  int differ = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    Insides a;
    Insides b;
    Mesh x = meshes::Joined(box_of(&a), box_of(&a));
    if (i % 2 == 0) x = meshes::Joined(x, box_of(&a));
    const Mesh y = box_of(&b);
    const bool expected = (a.winding & b.winding) != 0;
    const bool by_parity = (a.parity & b.winding) != 0;
    touching += expected ? 0 : 1;
    differ += expected != by_parity ? 1 : 0;
    const Tree s = trees::Make(Moved(x, TurnedAround));
    const Tree t = trees::Make(Moved(y, TurnedAround));
    EXPECT_EQ(AnyInteriorOverlap(s, t), expected);
    EXPECT_EQ(AnyInteriorOverlap(t, s), expected);
    constexpr InsideRule parity = InsideRule::kParity;
    EXPECT_EQ(AnyInteriorOverlap(s, t, parity), by_parity);
    EXPECT_EQ(AnyInteriorOverlap(t, s, parity), by_parity);
  }
  EXPECT_GT(touching, 2);
  EXPECT_GT(differ, 0);
}

Mesh WithOneTurned(const Mesh& mesh, size_t triangle) {
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(),
                                         mesh.triangles().end());
  std::swap(triangles[triangle][1], triangles[triangle][2]);
  return Mesh::Create({mesh.vertices().begin(), mesh.vertices().end()},
                      std::move(triangles))
      .value();
}

// A pipe through a plate, a bolt and its nut, which are one mesh of two boxes
// that overlap; a probe deep within what both share; in a cavity, and in a box
// within a box that faces the same way.
TEST(InteriorOverlapTest, ShellsThatOverlapCountOnce) {
  const Mesh first = Box({{0, 0, 0}, {2, 2, 2}});
  const Mesh second = Box({{1, 0, 0}, {3, 2, 2}});
  const Mesh outer = Box({{-1, -1, -1}, {4, 3, 3}});
  const Tree probe = trees::Make(Box({{1.25, 0.5, 0.5}, {1.75, 1.5, 1.5}}));
  // Fills what both share, walls and all.
  const Tree plug = trees::Make(Box({{1, 0, 0}, {2, 2, 2}}));
  struct ShellCase {
    Mesh mesh;
    bool is_inside;
  };
  const Mesh both = meshes::Joined(first, second);
  const std::vector<ShellCase> cases = {
      {both, true},
      {solids::TurnedOver(both), true},
      {meshes::Joined(first, first), true},
      {meshes::Joined(outer, both), true},
      {meshes::Joined(outer, solids::TurnedOver(first)), false},
      {meshes::Joined(solids::TurnedOver(outer), first), false},
      {meshes::Joined(meshes::Joined(outer, solids::TurnedOver(first)), second),
       true},
      {meshes::Joined(first, solids::TurnedOver(first)), false},
      // Faces that do not agree: parity.
      {WithOneTurned(both, 3), false},
      {WithOneTurned(first, 3), true},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    for (const auto move : {TurnedPoint, TurnedAround}) {
      const Tree solid = trees::Make(Moved(cases[i].mesh, move));
      for (const Tree* with : {&probe, &plug}) {
        const Tree moved = trees::Make(Moved(with->mesh(), move));
        EXPECT_EQ(AnyInteriorOverlap(solid, moved), cases[i].is_inside);
        EXPECT_EQ(AnyInteriorOverlap(moved, solid), cases[i].is_inside);
      }
    }
  }
}

// Two tetrahedra with small integer coordinates: a plane separates their
// interiors if one along a face of either, or along two edges, does.
using Corners = std::array<std::array<int, 3>, 4>;

bool AreSeparatedAlong(const Corners& a, const Corners& b,
                       const std::array<int, 3>& n) {
  if (n == std::array<int, 3>{}) return false;
  const auto extent = [&](const Corners& c) {
    std::array<int, 4> at{};
    for (size_t i = 0; i < 4; ++i) {
      for (size_t k = 0; k < 3; ++k) at[i] += n[k] * c[i][k];
    }
    return std::pair{*std::min_element(at.begin(), at.end()),
                     *std::max_element(at.begin(), at.end())};
  };
  const auto x = extent(a);
  const auto y = extent(b);
  return x.second <= y.first || y.second <= x.first;
}

std::array<int, 3> CrossOf(const std::array<int, 3>& a,
                           const std::array<int, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
          a[0] * b[1] - a[1] * b[0]};
}

bool TetrahedraOverlap(const Corners& a, const Corners& b) {
  std::array<std::vector<std::array<int, 3>>, 2> edges;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < i; ++j) {
      for (size_t k = 0; k < 2; ++k) {
        const Corners& c = k == 0 ? a : b;
        edges[k].push_back(
            {c[i][0] - c[j][0], c[i][1] - c[j][1], c[i][2] - c[j][2]});
      }
    }
  }
  for (const auto& p : {edges[0], edges[1]}) {
    for (const auto& q : {edges[0], edges[1]}) {
      for (const auto& e : p) {
        for (const auto& f : q) {
          if (AreSeparatedAlong(a, b, CrossOf(e, f))) return false;
        }
      }
    }
  }
  return true;
}

TEST(InteriorOverlapTest, TetrahedraOfASmallGridAgreeWithSeparatingPlanes) {
  meshes::Random random(4);
  const auto make = [&](Corners* corners) {
    for (;;) {
      std::vector<Vec3> vertices;
      for (auto& c : *corners) {
        for (int& x : c) x = static_cast<int>(random.Uniform(0, 3.999));
        vertices.push_back({1.0 * c[0], 1.0 * c[1], 1.0 * c[2]});
      }
      const Vec3 e = vertices[1] - vertices[0];
      const Vec3 f = vertices[2] - vertices[0];
      if (Dot(Cross(e, f), vertices[3] - vertices[0]) == 0) continue;
      return Mesh::Create(vertices,
                          {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}})
          .value();
    }
  };
  int overlaps = 0;
  constexpr int kCount = 200;
  for (int i = 0; i < kCount; ++i) {
    SCOPED_TRACE(i);
    Corners p{};
    Corners q{};
    const Tree a = trees::Make(make(&p));
    const Tree b = trees::Make(make(&q));
    const bool expected = TetrahedraOverlap(p, q);
    overlaps += expected;
    EXPECT_EQ(AnyInteriorOverlap(a, b), expected);
  }
  EXPECT_GT(overlaps, kCount / 10);
  EXPECT_LT(overlaps, 9 * kCount / 10);
}

TEST(InteriorOverlapTest, OneRoundingIsToldFromNone) {
  const Tree a = trees::Make(Box({{0, 0, 0}, {1, 1, 1}}));
  const double below = std::nextafter(1.0, 0.0);
  EXPECT_FALSE(
      AnyInteriorOverlap(a, trees::Make(Box({{1, -1, -1}, {2, 2, 2}}))));
  EXPECT_TRUE(
      AnyInteriorOverlap(a, trees::Make(Box({{below, -1, -1}, {2, 2, 2}}))));
  // A tip that reaches in, and one that does not.
  const auto cone = [](double tip) {
    return trees::Make(
        meshes::Make({{tip, 0.3, 0.4}, {3, 0, 0}, {3, 1, 0}, {3, 0.5, 1}},
                     {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}));
  };
  EXPECT_TRUE(AnyInteriorOverlap(a, cone(below)));
  EXPECT_FALSE(AnyInteriorOverlap(a, cone(1)));
}

TEST(InteriorOverlapTest, InsideCavitiesCopiesAndOpenMeshes) {
  const Mesh outer = Box({{0, 0, 0}, {4, 4, 4}});
  const Mesh hole = Box({{1, 1, 1}, {3, 3, 3}});
  const Mesh shell = meshes::Joined(outer, solids::TurnedOver(hole));
  // A part that faces as the one around it is no cavity.
  ExpectOverlap(meshes::Joined(outer, hole), hole, true);
  ExpectOverlap(outer, hole, true);
  ExpectOverlap(outer, outer, true);
  ExpectOverlap(outer, solids::TurnedOver(outer), true);
  ExpectOverlap(shell, hole, false);
  ExpectOverlap(shell, Box({{1, 1, 1}, {2, 2, 2}}), false);
  ExpectOverlap(shell, Box({{1, 1, 0}, {2, 2, 2}}), true);
  // Many parts, one of them inside.
  ExpectOverlap(meshes::Joined(Box({{9, 0, 0}, {10, 1, 1}}), hole), outer,
                true);
  ExpectOverlap(
      meshes::Joined(Box({{4, 0, 0}, {5, 1, 1}}), Box({{9, 0, 0}, {10, 1, 1}})),
      outer, false);
  ExpectOverlap(meshes::Joined(outer, outer), hole, true);
  const Tree open = trees::Make(solids::Opened(outer));
  EXPECT_FALSE(AnyInteriorOverlap(open, trees::Make(hole)));
}

TEST(InteriorOverlapTest, MovedMeshesAreWhereTheirVerticesAre) {
  const Tree a = trees::Make(Box({{0, 0, 0}, {1, 1, 1}}));
  const Tree b = trees::Make(Box({{0, 0, 0}, {1, 2, 3}}));
  const auto at = [&](const Vec3& p) {
    return PosedTree::Create(b, Pose::Translation(p)).value();
  };
  EXPECT_FALSE(AnyInteriorOverlap(a, at({1, 0, 0})));
  EXPECT_FALSE(AnyInteriorOverlap(a, at({-1, -2, -3})));
  EXPECT_TRUE(AnyInteriorOverlap(a, at({0x1.fffffffffffffp-1, 0, 0})));
  EXPECT_TRUE(AnyInteriorOverlap(at({5, 5, 5}), at({5, 5, 5})));
}

TEST(InteriorOverlapTest, OptionsAreAsEverywhere) {
  const Tree a = trees::Make(Box({{0, 0, 0}, {1, 1, 1}}));
  const std::atomic<bool> cancelled{true};
  const Tree next = trees::Make(Box({{0.5, -1, -1}, {1, 2, 2}}));
  EXPECT_EQ(AnyInteriorOverlap(a, next, {}, {.cancelled = &cancelled})
                .status()
                .code(),
            absl::StatusCode::kCancelled);
  EXPECT_TRUE(AnyInteriorOverlap(a, next));
}

}  // namespace
}  // namespace orbox
