// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/deforming_contact.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pair_overlap.h"
#include "orbox/bvh/query/self_overlap.h"
#include "orbox/overlap/motion/internal/apart_until.h"
#include "tests/support/brute_contact.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// A mesh and where its vertices go.
struct Motion {
  Mesh from;
  std::vector<Vec3> to;
};

Mesh WithVertices(const Mesh& mesh, std::vector<Vec3> vertices) {
  return *Mesh::Create(std::move(vertices),
                       {mesh.triangles().begin(), mesh.triangles().end()});
}

template <typename Map>
std::vector<Vec3> Mapped(std::span<const Vec3> points, Map map) {
  std::vector<Vec3> mapped;
  for (const Vec3& p : points) mapped.push_back(map(p));
  return mapped;
}

// To multiples of 2^-16, so that what is at times of few bits is a double.
Vec3 Snapped(const Vec3& p) {
  return {std::ldexp(std::round(std::ldexp(p.x, 16)), -16),
          std::ldexp(std::round(std::ldexp(p.y, 16)), -16),
          std::ldexp(std::round(std::ldexp(p.z, 16)), -16)};
}

// Every vertex goes by `way`, and strays from that by up to `stray`.
Motion RandomMotion(const Mesh& mesh, const Vec3& start, const Vec3& way,
                    double stray, meshes::Random& random) {
  Motion motion{mesh, {}};
  std::vector<Vec3> from;
  for (const Vec3& v : mesh.vertices()) {
    from.push_back(Snapped(v + start));
    motion.to.push_back(
        Snapped(from.back() + way + random.Point(-stray, stray)));
  }
  motion.from = WithVertices(mesh, from);
  return motion;
}

DeformingMesh Deforming(const Motion& motion) {
  return *DeformingMesh::Create(*Build(motion.from), motion.to);
}

Mesh MeshAt(const Motion& motion, double t) {
  std::vector<Vec3> at;
  for (size_t i = 0; i < motion.to.size(); ++i) {
    at.push_back(motion.from.vertices()[i] * (1 - t) + motion.to[i] * t);
  }
  return WithVertices(motion.from, at);
}

MovingTriangle TriangleOf(const Motion& m, uint32_t id) {
  const TriangleIndices& t = m.from.triangles()[id];
  return {m.from.triangle(id), {m.to[t[0]], m.to[t[1]], m.to[t[2]]}};
}

// All pairs.
std::optional<DeformingContact> ByForce(const Motion& a, const Motion& b) {
  std::optional<DeformingContact> best;
  for (uint32_t i = 0; i < a.from.triangle_count(); ++i) {
    for (uint32_t j = 0; j < b.from.triangle_count(); ++j) {
      brute_force::KeepFirst(
          {i, j}, FirstContact(TriangleOf(a, i), TriangleOf(b, j)), &best);
    }
  }
  return best;
}

std::vector<SharedCorner> SharedCornersOf(const Motion& m, uint32_t i,
                                          uint32_t j) {
  std::vector<SharedCorner> shared;
  for (size_t k = 0; k < 3; ++k) {
    for (size_t l = 0; l < 3; ++l) {
      if (m.from.triangles()[i][k] == m.from.triangles()[j][l]) {
        shared.push_back({k, l});
      }
    }
  }
  return shared;
}

std::optional<DeformingContact> ByForce(const Motion& m) {
  std::optional<DeformingContact> best;
  for (uint32_t i = 0; i < m.from.triangle_count(); ++i) {
    for (uint32_t j = i + 1; j < m.from.triangle_count(); ++j) {
      brute_force::KeepFirst(
          {i, j},
          FirstContactBeyond(TriangleOf(m, i), TriangleOf(m, j),
                             SharedCornersOf(m, i, j)),
          &best);
    }
  }
  return best;
}

void ExpectSame(const std::optional<DeformingContact>& contact,
                const std::optional<DeformingContact>& expected) {
  ASSERT_EQ(contact.has_value(), expected.has_value());
  if (!contact) return;
  EXPECT_EQ(contact->earliest, expected->earliest);
  EXPECT_EQ(contact->latest, expected->latest);
  EXPECT_EQ(contact->triangles, expected->triangles);
}

TEST(DeformingContactTest, AgreesWithAllPairs) {
  meshes::Random random(1);
  int contacts = 0;
  int apart = 0;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    // Half of them towards where the other one is at first.
    const Vec3 start = random.Point(-3, 3);
    const Vec3 way = i % 2 == 0 ? start * -1.5 : random.Point(-2, 2);
    const Motion a = RandomMotion(meshes::Torus(8, 5), start, way, 0.1, random);
    const Motion b = RandomMotion(meshes::Soup(40, 0.3, i), {},
                                  random.Point(-0.5, 0.5), 0.1, random);
    const auto expected = ByForce(a, b);
    ExpectSame(FirstContact(Deforming(a), Deforming(b)), expected);
    const auto swapped = FirstContact(Deforming(b), Deforming(a));
    ASSERT_EQ(swapped.has_value(), expected.has_value());
    if (expected) {
      EXPECT_EQ(swapped->earliest, expected->earliest);
      EXPECT_EQ(swapped->latest, expected->latest);
    }
    contacts += expected && expected->earliest > 0 ? 1 : 0;
    apart += expected ? 0 : 1;
  }
  EXPECT_GT(contacts, 10);
  EXPECT_GT(apart, 10);
}

// The same bytes, however the triangles are parted and kept.
TEST(DeformingContactTest, DoesNotDependOnTheTree) {
  meshes::Random random(2);
  const Motion a =
      RandomMotion(meshes::Torus(12, 6), {0, 0, 0.9}, {0, 0, -1}, 0.1, random);
  const Motion b =
      RandomMotion(meshes::Torus(10, 6), {1, 0, 0}, {0, 0.2, 0}, 0.1, random);
  const auto expected = ByForce(a, b);
  ASSERT_TRUE(expected);
  EXPECT_GT(expected->earliest, 0);
  const DeformingMesh other = Deforming(b);
  for (const trees::Named& variant : trees::Variants(a.from)) {
    SCOPED_TRACE(variant.name);
    ExpectSame(FirstContact(*DeformingMesh::Create(variant.tree, a.to), other),
               expected);
  }
}

// Cloth that crumples: flat at first, so that nothing meets.
TEST(DeformingContactTest, AMeshWithItselfAgreesWithAllPairs) {
  meshes::Random random(3);
  int contacts = 0;
  int apart = 0;
  for (int i = 0; i < 40 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const double stray = random.Uniform(0.02, 0.5);
    const Motion m =
        RandomMotion(meshes::Grid(5, 0.1, i), {}, {1, 2, 3}, stray, random);
    const auto expected = ByForce(m);
    ExpectSame(FirstSelfContact(Deforming(m)), expected);
    contacts += expected && expected->earliest > 0 ? 1 : 0;
    apart += expected ? 0 : 1;
  }
  EXPECT_GT(contacts, 5);
  EXPECT_GT(apart, 5);
}

TEST(DeformingContactTest, AgreesWithSamples) {
  meshes::Random random(4);
  int contacts = 0;
  for (int i = 0; i < 24 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Motion a = RandomMotion(meshes::Icosphere(1), random.Point(-2, 2),
                                  random.Point(-3, 3), 0.2, random);
    const Motion b = RandomMotion(meshes::Grid(4, 0.1, i), random.Point(-1, 1),
                                  random.Point(-1, 1), 0.2, random);
    const auto contact = FirstContact(Deforming(a), Deforming(b));
    const auto self = FirstSelfContact(Deforming(b));
    contacts += contact ? 1 : 0;
    for (int k = 0; k <= 32; ++k) {
      const double t = k / 32.0;
      const Tree here = *Build(MeshAt(a, t));
      const Tree there = *Build(MeshAt(b, t));
      if (!contact || t < contact->earliest) {
        EXPECT_FALSE(AnyOverlap(here, there)) << t;
      }
      if (!self || t < self->earliest) {
        EXPECT_FALSE(
            AnySelfOverlap(there, {.shared_corners = SharedCorners::kByIndex}))
            << t;
      }
    }
  }
  EXPECT_GT(contacts, 5);
}

TEST(DeformingContactTest, NothingTunnels) {
  const Motion sheet{meshes::Grid(8), {}};
  Motion still = sheet;
  still.to = {sheet.from.vertices().begin(), sheet.from.vertices().end()};
  meshes::Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Vec3 aim{random.Uniform(0.01, 0.99), random.Uniform(0.01, 0.99), 0};
    const double speed = std::pow(10, random.Uniform(0, 8));
    const Vec3 way =
        Vec3{random.Uniform(-1, 1), random.Uniform(-1, 1), -1} * speed;
    const double at = random.Uniform(0.1, 0.9);
    Motion bullet{meshes::Tetrahedron(aim - way * at, 1e-3), {}};
    bullet.to =
        Mapped(bullet.from.vertices(), [&](const Vec3& v) { return v + way; });
    const auto contact = FirstContact(Deforming(bullet), Deforming(still));
    ASSERT_TRUE(contact);
    EXPECT_NEAR(contact->earliest, at, 2e-3 / std::abs(way.z) + 1e-12);
    EXPECT_LE(contact->latest - contact->earliest, 0x1p-40);
    EXPECT_NEAR(contact->point.x, aim.x, 1e-2);
    EXPECT_NEAR(contact->point.z, 0, 1e-2);
  }
}

// A sheet on which the other half comes down: its far edge last of all, and its
// hinge never.
TEST(DeformingContactTest, ASheetFoldsOntoItself) {
  const Mesh grid = meshes::Grid(4);
  const auto fold = [&grid](double height) {
    Motion m{grid, {}};
    std::vector<Vec3> from;
    for (const Vec3& v : grid.vertices()) {
      from.push_back({v.x, v.y, v.x > 0.5 ? v.x - 0.5 : 0});
      // Over to the other side, down to `height` of what it is away.
      m.to.push_back({v.x > 0.5 ? 1 - v.x : v.x, v.y,
                      v.x > 0.5 ? height * (v.x - 0.5) : 0});
    }
    m.from = WithVertices(grid, from);
    return m;
  };
  EXPECT_FALSE(FirstSelfContact(Deforming(fold(0x1p-30))));
  const auto flat = FirstSelfContact(Deforming(fold(0)));
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat->latest, 1);
  const auto through = FirstSelfContact(Deforming(fold(-0.5)));
  ASSERT_TRUE(through);
  EXPECT_GT(through->earliest, 0.5);
  EXPECT_LT(through->latest, 1);
}

// Every vertex goes to a multiple of where it is.
Motion Scaled(const Mesh& mesh, double by, double (*round)(double)) {
  std::vector<Vec3> from;
  for (const Vec3& v : mesh.vertices()) {
    from.push_back({round(v.x), round(v.y), round(v.z)});
  }
  Motion m{WithVertices(mesh, from), {}};
  m.to = Mapped(from, [by](const Vec3& v) { return v * by; });
  return m;
}

// Half of a ball goes through the other half: faces come to lie on faces.
Motion Dented(const Mesh& ball) {
  Motion m{ball, {}};
  m.to = Mapped(ball.vertices(), [](const Vec3& v) {
    return v.x > 0 ? Vec3{v.x * -1.2, v.y, v.z} : v;
  });
  return m;
}

double ToFewDigits(double x) {
  return std::ldexp(std::round(std::ldexp(x, 16)), -16);
}
double AsItIs(double x) { return x; }

// All that touches at one time: the pair with the lowest ids, of every tree.
TEST(DeformingContactTest, EverythingTouchesAtOnce) {
  const auto expect = [](const Motion& m, double time) {
    SCOPED_TRACE(time);
    const auto expected = ByForce(m);
    ASSERT_TRUE(expected);
    EXPECT_NEAR(expected->earliest, time, 0x1p-40);
    EXPECT_NEAR(expected->latest, time, 0x1p-40);
    for (const trees::Named& variant : trees::Variants(m.from)) {
      SCOPED_TRACE(variant.name);
      ExpectSame(FirstSelfContact(*DeformingMesh::Create(variant.tree, m.to)),
                 expected);
    }
  };
  const Mesh ball = meshes::Icosphere(0);
  expect(Scaled(ball, -1, ToFewDigits), 0.5);
  expect(Scaled(ball, -3, ToFewDigits), 0.25);
  // Times that no double holds, at which all is exactly in one point, or
  // almost.
  expect(Scaled(ball, -0.75, ToFewDigits), 4.0 / 7);
  expect(Scaled(ball, -0.7, AsItIs), 10.0 / 17);
  expect(Scaled(meshes::Soup(24, 0.04, 1), -1, ToFewDigits), 0.5);
  expect(Scaled(meshes::Soup(24, 0.04, 1), -0.7, AsItIs), 10.0 / 17);
  expect(Dented(meshes::Icosphere(1)), 10.0 / 11);
  // Onto a line.
  for (const double by : {-1.0, -0.75}) {
    Motion line = Scaled(meshes::Soup(24, 0.04, 2), by, ToFewDigits);
    for (size_t i = 0; i < line.to.size(); ++i) {
      line.to[i].y = line.from.vertices()[i].y;
    }
    expect(line, 1 / (1 - by));
  }
}

// All of 48,840 pairs without common corners are told apart until shortly
// before, without deciding when they touch, which takes up to milliseconds
// each.
TEST(DeformingContactTest, ManyTouchAtOnceAndFewAreDecided) {
  const auto expect = [](const Motion& m, double time) {
    SCOPED_TRACE(time);
    const auto contact = FirstSelfContact(Deforming(m));
    ASSERT_TRUE(contact);
    EXPECT_NEAR(contact->earliest, time, 0x1p-40);
    EXPECT_NEAR(contact->latest, time, 0x1p-40);
    int apart = 0;
    int all = 0;
    for (uint32_t i = 0; i < m.from.triangle_count(); ++i) {
      for (uint32_t j = i + 1; j < m.from.triangle_count(); ++j) {
        if (!SharedCornersOf(m, i, j).empty()) continue;
        ++all;
        apart +=
            AreApartUntil(TriangleOf(m, i), TriangleOf(m, j), contact->earliest)
                ? 1
                : 0;
      }
    }
    EXPECT_GT(all, 48000);
    EXPECT_EQ(apart, all);
  };
  const Mesh ball = meshes::Icosphere(2);
  for (const double by : {-0.7, -0.75, -1.0}) {
    expect(Scaled(ball, by, ToFewDigits), 1 / (1 - by));
    expect(Scaled(ball, by, AsItIs), 1 / (1 - by));
  }
  expect(Dented(ball), 10.0 / 11);
}

TEST(DeformingContactTest, SheetsOnSheets) {
  meshes::Random random(8);
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const Vec3 aside{random.Uniform(-1, 1), 0, 1};
    Motion a = RandomMotion(meshes::Grid(4), aside, {0, 0, -2}, 0, random);
    // One corner is sooner by less than the tolerance, or by more.
    if (i >= 2) a.to[7].z -= i == 2 ? 0x1p-45 : 0x1p-12;
    const Motion b = RandomMotion(meshes::Grid(5), {}, {}, 0, random);
    const auto expected = ByForce(a, b);
    ASSERT_TRUE(expected);
    EXPECT_LE(expected->earliest, 0.5);
    const DeformingMesh ground = Deforming(b);
    for (const trees::Named& variant : trees::Variants(a.from)) {
      SCOPED_TRACE(variant.name);
      ExpectSame(
          FirstContact(*DeformingMesh::Create(variant.tree, a.to), ground),
          expected);
    }
  }
}

// A pair that touches later by less than a cell of time is as good, if its ids
// are lower.
TEST(DeformingContactTest, TimesOfOneCellAreOne) {
  const Mesh ground = meshes::FromTriangles(
      {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{4, -9, 0}, {9, -9, 0}, {5, 9, 0}}});
  const Motion b{ground, {ground.vertices().begin(), ground.vertices().end()}};
  const Triangle flat{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (const double height : {1 + 0x1p-44, 1 + 0x1p-38}) {
    const Mesh above = meshes::FromTriangles(
        {{{5.1, 0.2, height}, {6, 0.3, 2}, {5, 1.1, 3}}, flat});
    const Motion a{above, Mapped(above.vertices(), [](const Vec3& v) {
                     return v + Vec3{0, 0, -2};
                   })};
    for (const trees::Named& variant : trees::Variants(a.from)) {
      SCOPED_TRACE(variant.name);
      const auto contact = FirstContact(
          *DeformingMesh::Create(variant.tree, a.to), Deforming(b));
      ASSERT_TRUE(contact);
      EXPECT_EQ(contact->earliest, 0.5 - 0x1p-41);
      EXPECT_EQ(contact->latest, 0.5 + 0x1p-41);
      EXPECT_EQ(contact->triangles, height == 1 + 0x1p-44
                                        ? (TrianglePair{0, 1})
                                        : (TrianglePair{1, 0}));
    }
  }
}

// Scaled by a power of two, the same times to the last bit.
TEST(DeformingContactTest, EveryScale) {
  meshes::Random random(6);
  const Motion a =
      RandomMotion(meshes::Torus(8, 5), {0, 0, 1.5}, {0, 0, -3}, 0.1, random);
  const Motion b = RandomMotion(meshes::Torus(8, 5), {}, {}, 0.1, random);
  const auto expected = FirstContact(Deforming(a), Deforming(b));
  ASSERT_TRUE(expected);
  for (const int exponent : {-300, -40, 40, 300}) {
    const double scale = std::ldexp(1.0, exponent);
    const auto scaled = [&](const Motion& m) {
      const auto map = [=](const Vec3& v) { return v * scale; };
      return Deforming({WithVertices(m.from, Mapped(m.from.vertices(), map)),
                        Mapped(m.to, map)});
    };
    ExpectSame(FirstContact(scaled(a), scaled(b)), expected);
  }
}

TEST(DeformingContactTest, LimitsAreKept) {
  meshes::Random random(7);
  const Motion a =
      RandomMotion(meshes::Torus(8, 5), {0, 0, 1.5}, {0, 0, -3}, 0.1, random);
  const Motion b = RandomMotion(meshes::Torus(8, 5), {}, {}, 0.1, random);
  const auto all = FirstContact(Deforming(a), Deforming(b));
  ASSERT_TRUE(all);
  ASSERT_GT(all->earliest, 0.01);
  const DeformingMesh p = Deforming(a);
  const DeformingMesh q = Deforming(b);
  ExpectSame(FirstContact(p, q, {.max_t = all->latest}), all);
  EXPECT_FALSE(FirstContact(p, q, {.max_t = all->earliest - 1e-9}));
  EXPECT_FALSE(FirstContact(p, q, {.max_t = -1}));
  const auto rough = FirstContact(p, q, {.tolerance = 0.25});
  ASSERT_TRUE(rough);
  EXPECT_LE(rough->earliest, all->earliest);
  EXPECT_GE(rough->latest, all->latest);
  EXPECT_LE(rough->latest - rough->earliest, 0.25);
}

TEST(DeformingContactTest, BadVerticesAreRefused) {
  const Tree tree = *Build(meshes::Cube());
  std::vector<Vec3> to(tree.mesh().vertex_count());
  EXPECT_TRUE(DeformingMesh::Create(tree, to).ok());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), 0x1p1000}) {
    to[3].y = bad;
    const auto mesh = DeformingMesh::Create(tree, to);
    EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(mesh.status().message().find("vertex 3 at t = 1"),
              absl::string_view::npos);
  }
  to.pop_back();
  EXPECT_EQ(DeformingMesh::Create(tree, to).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
