// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/pair_search.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "orbox/overlap/base/instruction_set.h"
#include "orbox/overlap/triangles/triangle_overlap.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(PairSearchTest, WhereASearchBeginsDoesNotChangeWhetherTheyMeet) {
  const Tree ring = trees::Make(meshes::Torus(40, 16, 0.4, 0.1));
  meshes::Random random(1);
  int met = 0;
  for (const trees::Named& v : trees::Variants(meshes::Grid(16, 0.1))) {
    SCOPED_TRACE(v.name);
    for (int i = 0; i < 40; ++i) {
      const PosedTree a =
          PosedTree::Create(
              ring, Pose::Rotation(random.Direction(), random.Uniform(-3, 3),
                                   random.Point(-0.5, 2)))
              .value();
      Pose pose;
      if (i % 3 == 0) pose.rows[1] = pose.rows[1] * 2;
      const PosedTree b = PosedTree::Create(v.tree, pose).value();
      const FirstFound found = FindFirstOverlap({a, b}, nullptr);
      met += found.overlap.has_value() ? 1 : 0;
      const auto node = [&] {
        return static_cast<uint32_t>(random.Below(300));
      };
      for (const NodePair first : {found.nodes, NodePair{node(), node()},
                                   NodePair{1, ~0u}, NodePair{~0u, 1}}) {
        const FirstFound again =
            FindFirstOverlap({.a = a, .b = b, .first = first}, nullptr);
        EXPECT_EQ(again.overlap.has_value(), found.overlap.has_value());
      }
    }
  }
  EXPECT_GT(met, 10);
}

TEST(PairSearchTest, WhereTheyMetLessIsSearched) {
  const Tree ring = trees::Make(meshes::Torus(80, 40, 0.4, 0.1));
  const PosedTree a =
      PosedTree::Create(ring, Pose::Translation({0.3, 0.1, 0.05})).value();
  TraversalStatistics whole, first;
  const FirstFound found = FindFirstOverlap({a, ring}, &whole);
  ASSERT_TRUE(found.overlap.has_value());
  ASSERT_TRUE(found.nodes.any());
  const PosedTree b(ring);
  EXPECT_TRUE(FindFirstOverlap({.a = a, .b = b, .first = found.nodes}, &first)
                  .overlap.has_value());
  EXPECT_LT(first.TotalOfPairs().tests, whole.TotalOfPairs().tests);
}

// Nearly coincident surfaces: thousands of pairs that float leaves open, and
// few that meet. Several are decided at a time, and the first in order is
// found.
TEST(PairSearchTest, TheFirstOfManyOpenPairsIsTheSameWithEveryInstructionSet) {
  const Tree ring = trees::Make(meshes::Torus(40, 16));
  for (const double shift : {0.0, 1e-15, 1e-9, 1e-6, 1e-3}) {
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 0, 1}, Vec3{1, 2, 3}}) {
      const PosedTree a =
          PosedTree::Create(ring, Pose::Translation(way * shift)).value();
      SetInstructionSet(SupportedInstructionSets().front());
      TraversalStatistics expected_steps;
      const FirstFound expected = FindFirstOverlap({a, ring}, &expected_steps);
      ASSERT_TRUE(expected.overlap.has_value());
      EXPECT_TRUE(Overlaps(a.triangle(expected.overlap->a),
                           ring.mesh().triangle(expected.overlap->b)));
      EXPECT_EQ(expected_steps.triangle_tests,
                expected_steps.settled_by_float +
                    expected_steps.settled_by_double +
                    expected_steps.settled_by_expansion +
                    expected_steps.settled_by_exact);
      EXPECT_LT(expected_steps.triangle_tests, 3000);
      trees::OnEachInstructionSet([&] {
        TraversalStatistics steps;
        EXPECT_EQ(FindFirstOverlap({a, ring}, &steps).overlap,
                  expected.overlap);
        EXPECT_EQ(steps, expected_steps);
        EXPECT_EQ(FindFirstOverlap({a, ring}, nullptr).overlap,
                  expected.overlap);
      });
    }
  }
}

}  // namespace
}  // namespace orbox
