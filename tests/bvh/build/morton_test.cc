// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/morton.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

BuildOptions Fast(int max_leaf = 8) {
  BuildOptions options;
  options.quality = Quality::kFast;
  options.max_leaf_triangles = max_leaf;
  return options;
}

TEST(MortonTest, TreesKeepTheirLaws) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    for (const int max_leaf : {1, 5, 8}) {
      TreeChecker(Build(m.mesh, Fast(max_leaf)).value()).Check();
    }
  }
  TreeChecker(Build(meshes::Torus(100, 50), Fast()).value()).Check();
}

// All in one cell of the curve: what is there is ordered all the same.
TEST(MortonTest, DetailFarFromTheRestIsOrdered) {
  const Mesh detail = meshes::Torus(100, 50);
  const Mesh mesh = meshes::Joined(
      detail,
      meshes::Moved(meshes::Torus(20, 10), Pose::Translation({1e5, 0, 0})));
  const Tree tree = Build(mesh, Fast()).value();
  TreeChecker(tree).Check();
  const Tree alone = Build(detail, Fast()).value();
  EXPECT_LE(tree.depth(), alone.depth() + 3);
  EXPECT_LE(tree.leaves().size(), alone.leaves().size() * 1.1 + 80);
}

TEST(MortonTest, IsNearlyAsGoodAsTheHeuristicAlone) {
  for (const Mesh& mesh :
       {meshes::Torus(200, 100), meshes::Soup(20'000, 0.02)}) {
    const double fast = ExpectedVisits(Build(mesh, Fast()).value());
    const double balanced = ExpectedVisits(Build(mesh).value());
    EXPECT_LT(fast, 1.2 * balanced);
  }
}

TEST(MortonTest, TheSameTriangles) {
  const Tree tree = Build(meshes::Identical(20'000), Fast()).value();
  TreeChecker(tree).Check();
  EXPECT_EQ(tree.leaves().size(), 2500u);
}

}  // namespace
}  // namespace orbox
