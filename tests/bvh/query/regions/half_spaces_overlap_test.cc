// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/query/regions/region_overlap.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"
#include "tests/support/special_numbers.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::IsEmpty;

using Set = std::vector<HalfSpace>;

// The view from `eye` along `to`, as wide as it is far, between two distances.
Set Frustum(const Vec3& eye, const Vec3& to, double near, double far) {
  const Vec3 side = Normalized(Cross(to, {0.3, -0.5, 0.8}));
  const Vec3 up = Cross(side, to);
  Set set = {{to, Dot(to, eye) + far}, {-to, -(Dot(to, eye) + near)}};
  for (const Vec3& s : {side, up, -side, -up}) {
    const Vec3 n = s - 0.5 * to;
    set.push_back({n, Dot(n, eye)});
  }
  return set;
}

void CheckRange(const Mesh& mesh, const std::vector<trees::Named>& variants,
                const Set& set) {
  const auto expected = brute_force::InRange(mesh, HalfSpaces(set));
  for (const trees::Named& v : variants) {
    SCOPED_TRACE(v.name);
    EXPECT_EQ(AllOverlaps(v.tree, set), expected);
    EXPECT_EQ(CountOverlaps(v.tree, set), expected.size());
    EXPECT_EQ(AnyOverlap(v.tree, set), !expected.empty());
    TraversalStatistics statistics;
    EXPECT_EQ(AllOverlaps(v.tree, set, {.statistics = &statistics}).value(),
              expected);
    EXPECT_EQ(statistics.triangle_tests, statistics.settled_by_float +
                                             statistics.settled_by_double +
                                             statistics.settled_by_expansion +
                                             statistics.settled_by_exact);
  }
}

TEST(HalfSpacesOverlapTest, AgreesWithBruteForceOnEveryMesh) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    const auto variants = trees::Variants(m.mesh);
    const Aabb& b = m.mesh.bounds();
    const double size = Norm(b.hi - b.lo);
    for (int i = 0; i < 12; ++i) {
      const Vec3 eye = b.Center() + random.Direction() * size;
      const Vec3 to =
          Normalized(b.Center() - eye + random.Direction() * (0.3 * size));
      CheckRange(m.mesh, variants,
                 Frustum(eye, to, 0.5 * size, random.Uniform(0.6, 1.8) * size));
      // A wedge, and a plane through a vertex.
      const Vec3 v = m.mesh.vertices()[random.Below(m.mesh.vertex_count())];
      const Vec3 n = random.Direction();
      CheckRange(m.mesh, variants, {{n, Dot(n, v)}, {to, Dot(to, v)}});
      CheckRange(m.mesh, variants, {{{1, 0, 0}, v.x}, {{-1, 0, 0}, -v.x}});
    }
  }
}

TEST(HalfSpacesOverlapTest, TouchingIsOverlapping) {
  const Mesh cube = meshes::Cube({1, 1, 1}, 2);
  const auto variants = trees::Variants(cube);
  for (const double gap : {0.0, 0x1p-52, -0x1p-52}) {
    CheckRange(cube, variants, {{{1, 0, 0}, 1 - gap}});
    CheckRange(cube, variants, {{{-1, 0, 0}, -3 - gap}});
    // An edge and a corner.
    CheckRange(cube, variants, {{{1, 1, 0}, 2 - gap}});
    CheckRange(cube, variants, {{{3, 4, 5}, 12 * (1 - gap)}});
  }
  for (const trees::Named& v : variants) {
    EXPECT_TRUE(AnyOverlap(v.tree, Set{{{3, 4, 5}, 12}}));
    EXPECT_FALSE(AnyOverlap(v.tree, Set{{{3, 4, 5}, 12 - 0x1p-49}}));
  }
}

TEST(HalfSpacesOverlapTest, EveryScaleAndPlace) {
  const Mesh torus = meshes::Torus(24, 10);
  const Set set = Frustum({2, 1, 1}, Normalized(Vec3{-2, -1, -1}), 0.5, 2.4);
  const auto expected = brute_force::InRange(torus, HalfSpaces(set));
  ASSERT_FALSE(expected.empty());
  ASSERT_LT(expected.size(), torus.triangle_count());
  for (const int exponent : {-140, -40, 40, 190}) {
    SCOPED_TRACE(exponent);
    const double s = std::ldexp(1.0, exponent);
    Set scaled = set;
    for (HalfSpace& h : scaled) h.offset *= s;
    for (const trees::Named& v : trees::Variants(meshes::Scaled(torus, s))) {
      EXPECT_EQ(AllOverlaps(v.tree, scaled), expected);
    }
    // The length of a normal means nothing.
    for (const trees::Named& v : trees::Variants(torus)) {
      Set longer = set;
      for (HalfSpace& h : longer) {
        const double factor = exponent < 0 ? s : s * 0.5;
        h = {h.normal * factor, h.offset * factor};
      }
      EXPECT_EQ(AllOverlaps(v.tree, longer), expected);
    }
  }
  for (const double offset : {0x1p20, 0x1p40}) {
    const Vec3 away{offset, -offset, offset};
    const Mesh moved = meshes::Moved(torus, Pose::Translation(away));
    Set there = set;
    for (HalfSpace& h : there) h.offset += Dot(h.normal, away);
    CheckRange(moved, trees::Variants(moved), there);
  }
}

TEST(HalfSpacesOverlapTest, AllAndNothing) {
  const Tree tree = trees::Make(meshes::Tetrahedron());
  EXPECT_EQ(CountOverlaps(tree, HalfSpaces()), 4u);
  EXPECT_EQ(CountOverlaps(tree, Set{{{0, 0, 1}, kInf}}), 4u);
  EXPECT_EQ(CountOverlaps(tree, Set{{{0, 0, 0}, 0}}), 4u);
  EXPECT_EQ(CountOverlaps(tree, Set{{{0, 0, 1}, 1e300}}), 4u);
  EXPECT_EQ(CountOverlaps(tree, Set{{{1e300, 1e300, 1e300}, 1e308}}), 4u);
  for (const HalfSpace& nothing :
       {HalfSpace{{0, 0, 1}, -kInf}, HalfSpace{{0, 0, 0}, -1},
        HalfSpace{{0, 0, 1}, -1e300}}) {
    EXPECT_THAT(AllOverlaps(tree, Set{nothing}), IsEmpty());
    EXPECT_THAT(AllOverlaps(tree, Set{{{0, 0, 1}, 9}, nothing}), IsEmpty());
  }
}

TEST(HalfSpacesOverlapTest, WhatLiesInsideIsTakenUntested) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics statistics;
    const size_t found =
        AllOverlaps(tree, Set{{{1, 0.1, 0}, 0.8}}, {.statistics = &statistics})
            .value()
            .size();
    EXPECT_GT(found, 2000u);
    EXPECT_LT(statistics.triangle_tests, found / 2) << kind.name;
  }
}

TEST(HalfSpacesOverlapTest, EveryInstructionSetAgreesToTheLastCount) {
  const Mesh mesh = meshes::Grid(40, 0.2);
  const Set set =
      Frustum({0.5, 0.4, 1}, Normalized(Vec3{0.1, 0.2, -1}), 0.5, 1.5);
  for (const trees::Kind& kind : trees::Kinds()) {
    const Tree tree = trees::Make(mesh, kind.volumes);
    TraversalStatistics first;
    SetInstructionSet(SupportedInstructionSets().front());
    const auto expected =
        AllOverlaps(tree, set, {.statistics = &first}).value();
    ASSERT_FALSE(expected.empty());
    trees::OnEachInstructionSet([&] {
      TraversalStatistics statistics;
      EXPECT_EQ(AllOverlaps(tree, set, {.statistics = &statistics}).value(),
                expected);
      EXPECT_EQ(statistics, first);
    });
  }
}

TEST(HalfSpacesOverlapTest, TheVisitorStops) {
  const Tree tree = trees::Make(meshes::Grid(10));
  int seen = 0;
  VisitOverlaps(tree, HalfSpaces(), [&](uint32_t) {
    return ++seen == 3 ? Visit::kStop : Visit::kContinue;
  });
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace orbox
