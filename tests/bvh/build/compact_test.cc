// SPDX-License-Identifier: Apache-2.0

// Compact trees: what they hold, what they cost, and that they expand to the
// same on every instruction set.
#include "orbox/bvh/build/internal/compact.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

Tree Compact(const Mesh& mesh, Volumes volumes = Volumes::kMixed,
             int threads = 0) {
  return Build(mesh, {.volumes = volumes,
                      .storage = Storage::kCompact,
                      .threads = threads})
      .value();
}

TEST(Compact, HoldsEveryTriangleInEveryKindOfVolume) {
  for (const auto& [name, mesh] : meshes::Assortment()) {
    SCOPED_TRACE(name);
    for (const trees::Kind& kind : trees::Kinds()) {
      SCOPED_TRACE(kind.name);
      const Tree tree = Compact(mesh, kind.volumes);
      EXPECT_EQ(tree.storage(), Storage::kCompact);
      TreeChecker(tree).Check();
    }
  }
}

TEST(Compact, IsTheSameForAnyNumberOfThreads) {
  const Mesh mesh = meshes::Torus(200, 100);
  const Tree one = Compact(mesh, Volumes::kMixed, 1);
  trees::ExpectSameTree(one, Compact(mesh, Volumes::kMixed, 2));
  trees::ExpectSameTree(one, Compact(mesh, Volumes::kMixed, 5));
}

TEST(Compact, TakesHalfTheBytesAndNoCorners) {
  const Mesh mesh = meshes::Torus(200, 100);
  const Tree wide = trees::Make(mesh);
  const Tree compact = Compact(mesh);
  const size_t wide_bytes =
      wide.nodes().size_bytes() + wide.leaves().size_bytes();
  EXPECT_LE(compact.size_bytes(), wide_bytes * 0.61);
  EXPECT_LE(compact.size_bytes(), 33 * mesh.triangle_count());
  EXPECT_TRUE(compact.corners().empty());
}

// The volumes of the wide tree, and not much more.
TEST(Compact, EnlargesBoxesByLessThanAStepOnEachSide) {
  const Tree wide = trees::Make(meshes::Torus(60, 40));
  for (const Node& node : wide.nodes()) {
    const CompactNode compact = CompactOf(node);
    const Node expanded = Expanded(compact);
    ASSERT_NE(node.kind, VolumeKind::kSphere);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (size_t axis = 0; axis < 3; ++axis) {
        const float lo = node.rows[axis][lane];
        const float hi = node.rows[axis + 3][lane];
        EXPECT_LE(expanded.rows[axis][lane], lo);
        EXPECT_GE(expanded.rows[axis + 3][lane], hi);
        EXPECT_GE(expanded.rows[axis][lane], lo - 1.01f * compact.step[axis]);
        EXPECT_LE(expanded.rows[axis + 3][lane],
                  hi + 1.01f * compact.step[axis]);
      }
    }
  }
}

// Blocks that no mesh has to have: from points to the full range of exponents.
TEST(Compact, ContainsRandomBlocks) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::uniform_int_distribution<int> exponent(-140, 0);
  for (int i = 0; i < 20'000; ++i) {
    Node node = {};
    const bool is_sphere = i % 3 == 0;
    node.kind = is_sphere ? VolumeKind::kSphere : VolumeKind::kAabb;
    node.count = kLanes;
    const double scale = std::ldexp(1.0, exponent(random));
    const double offset = i % 2 == 0 ? 0 : unit(random);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (size_t axis = 0; axis < 3; ++axis) {
        const auto x = static_cast<float>(offset + scale * unit(random));
        const auto y = static_cast<float>(offset + scale * unit(random));
        node.rows[axis][lane] = is_sphere ? x : std::min(x, y);
        node.rows[axis + 3][lane] = std::max(x, y);
      }
      if (is_sphere) {
        node.rows[3][lane] = static_cast<float>(scale * std::abs(unit(random)));
      }
    }
    const Node expanded = Expanded(CompactOf(node));
    for (size_t lane = 0; lane < kLanes; ++lane) {
      long double squared = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const long double moved =
            static_cast<long double>(expanded.rows[axis][lane]) -
            node.rows[axis][lane];
        squared += moved * moved;
        if (is_sphere) continue;
        ASSERT_LE(expanded.rows[axis][lane], node.rows[axis][lane]) << i;
        ASSERT_GE(expanded.rows[axis + 3][lane], node.rows[axis + 3][lane])
            << i;
      }
      if (is_sphere) {
        ASSERT_GE(expanded.rows[3][lane],
                  node.rows[3][lane] + std::sqrt(squared))
            << i;
      }
    }
  }
}

TEST(Compact, IsRefittedToACompactTree) {
  const Mesh mesh = meshes::Torus(60, 40);
  const Tree tree = Compact(mesh);
  std::vector<Vec3> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3& v : vertices) v = {v.x + 0.1 * v.z, 1.2 * v.y, v.z - 0.3 * v.x};
  const Mesh moved =
      Mesh::Create(vertices, {mesh.triangles().begin(), mesh.triangles().end()})
          .value();
  const Tree refitted = Refit(tree, moved).value();
  EXPECT_EQ(refitted.storage(), Storage::kCompact);
  TreeChecker(refitted).Check();
  const Vec3 p{0.3, 0.2, 0.7};
  EXPECT_EQ(ClosestPoint(refitted, p)->distance,
            ClosestPoint(trees::Make(moved), p)->distance);
}

}  // namespace
}  // namespace orbox
