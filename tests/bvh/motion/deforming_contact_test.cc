// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/deforming_contact.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/pairs/pair_overlap.h"
#include "orbox/bvh/query/pairs/self_overlap.h"
#include "tests/support/deforming_motions.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using brute_force::ByForce;
using brute_force::Deforming;
using brute_force::ExpectSame;
using brute_force::Mapped;
using brute_force::Motion;
using brute_force::RandomMotion;
using brute_force::WithVertices;

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

// Results have equal bytes for every kind and storage of trees.
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

Mesh MeshAt(const Motion& motion, double t) {
  std::vector<Vec3> at;
  for (size_t i = 0; i < motion.to.size(); ++i) {
    at.push_back(motion.from.vertices()[i] * (1 - t) + motion.to[i] * t);
  }
  return WithVertices(motion.from, at);
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
        EXPECT_FALSE(AnySelfOverlap(there, SharedCorners::kByIndex)) << t;
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

// Scaled by a power of two, the same times to the last bit.
TEST(DeformingContactTest, EveryScale) {
  meshes::Random random(6);
  const Motion a =
      RandomMotion(meshes::Torus(8, 5), {0, 0, 1.5}, {0, 0, -3}, 0.1, random);
  const Motion b = RandomMotion(meshes::Torus(8, 5), {}, {}, 0.1, random);
  const auto expected = FirstContact(Deforming(a), Deforming(b));
  ASSERT_TRUE(expected);
  for (const int exponent : {-140, -40, 40, 190}) {
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
                           std::numeric_limits<double>::infinity(), 0x1p201}) {
    to[3].y = bad;
    const auto mesh = DeformingMesh::Create(tree, to);
    EXPECT_EQ(mesh.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(mesh.status().message().find("vertex 3 at t = 1 is"),
              absl::string_view::npos);
  }
  to.pop_back();
  EXPECT_EQ(DeformingMesh::Create(tree, to).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(DeformingContactTest, RunOptionsCountAndCancel) {
  meshes::Random random(4);
  const Motion a =
      RandomMotion(meshes::Torus(24, 12), {0, 0, 0.9}, {0, 0, -1}, 0.1, random);
  const Motion b = RandomMotion(meshes::Soup(40, 0.3, 1), {}, {}, 0.1, random);
  const DeformingMesh x = Deforming(a);
  const DeformingMesh y = Deforming(b);
  TraversalStatistics steps;
  const RunOptions counted{.statistics = &steps};
  ExpectSame(FirstContact(x, y, {}, counted).value(), FirstContact(x, y));
  EXPECT_GT(steps.leaves_visited, 0);
  ExpectSame(FirstSelfContact(x, {}, counted).value(), FirstSelfContact(x));
  const std::atomic<bool> cancelled = true;
  const RunOptions ended{.cancelled = &cancelled};
  for (const absl::Status& status : {FirstContact(x, y, {}, ended).status(),
                                     FirstSelfContact(x, {}, ended).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  }
}

}  // namespace
}  // namespace orbox
