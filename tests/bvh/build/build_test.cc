// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/build.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

TEST(BuildTest, EveryTreeKeepsItsLaws) {
  for (const meshes::Named& m : meshes::Assortment()) {
    SCOPED_TRACE(m.name);
    for (const trees::Named& v : trees::Variants(m.mesh)) {
      SCOPED_TRACE(v.name);
      TreeChecker(v.tree).Check();
    }
  }
}

TEST(BuildTest, EveryInstructionSetKeepsTheLaws) {
  const Mesh mesh = meshes::Joined(meshes::Torus(30, 12), meshes::Needles(50));
  trees::OnEachInstructionSet([&] {
    for (const trees::Named& v : trees::Variants(mesh)) {
      SCOPED_TRACE(v.name);
      TreeChecker(v.tree).Check();
    }
  });
}

TEST(BuildTest, EveryLeafSizeKeepsTheLaws) {
  const Mesh mesh = meshes::Torus(30, 12);
  for (int leaf = 1; leaf <= 8; ++leaf) {
    TreeChecker(trees::Make(mesh, Volumes::kMixed, leaf)).Check();
  }
}

TEST(BuildTest, ModelsOfEverySizeAndPlace) {
  for (const double scale : {1e-60, 1e-43, 1e-12, 1e12, 1e59}) {
    SCOPED_TRACE(scale);
    const Mesh mesh = meshes::Scaled(meshes::Torus(20, 8), scale);
    for (const trees::Named& v : trees::Variants(mesh)) {
      TreeChecker(v.tree).Check();
    }
  }
  constexpr double most = kLargestCoordinate;
  const Mesh widest = meshes::Make(
      {{-most, -most, -most}, {most, most, most}, {most, -most, 0}},
      {{0, 1, 2}, {1, 2, 0}});
  TreeChecker(trees::Make(widest)).Check();
  const Mesh moved = meshes::Moved(meshes::Torus(20, 8),
                                   Pose::Translation({0x1p40, 0, -0x1p40}));
  TreeChecker(trees::Make(moved)).Check();
}

// Triangles whose boxes coincide, or nest so that each split takes one away:
// what makes a heuristic go deep.
TEST(BuildTest, HostileMeshesMakeShallowTrees) {
  EXPECT_LE(trees::Make(meshes::Identical(20'000)).depth(), 7);
  std::vector<Vec3> vertices;
  std::vector<TriangleIndices> triangles;
  for (uint32_t i = 0; i < 200; ++i) {
    const double s = std::ldexp(1.0, -static_cast<int>(i));
    vertices.insert(vertices.end(), {{s, 0, 0}, {s, s, 0}, {s, 0, s}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Mesh nested = meshes::Make(vertices, triangles);
  for (const trees::Named& v : trees::Variants(nested)) {
    SCOPED_TRACE(v.name);
    TreeChecker(v.tree).Check();
  }
}

TEST(BuildTest, TheMixIsAMix) {
  // A slanted, flat component and a round one each get their own kind of
  // volume.
  const Pose slant = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {4, 0, 0});
  const Mesh mesh = meshes::Joined(meshes::Torus(40, 20),
                                   meshes::Moved(meshes::Grid(40), slant));
  const Tree tree = trees::Make(mesh);
  std::vector<int> nodes(kVolumeKinds);
  for (const Node& node : tree.nodes()) ++nodes[static_cast<int>(node.kind)];
  EXPECT_GT(nodes[static_cast<int>(VolumeKind::kAabb)], 0);
  EXPECT_GT(nodes[static_cast<int>(VolumeKind::kObb)], 0);
}

void ExpectSameBytesEverywhere(const Mesh& mesh, BuildOptions options) {
  options.threads = 1;
  const Tree tree = Build(mesh, options).value();
  for (const int threads : {0, 2, 3}) {
    options.threads = threads;
    trees::ExpectSameTree(Build(mesh, options).value(), tree);
  }
  trees::OnEachInstructionSet(
      [&] { trees::ExpectSameTree(Build(mesh, options).value(), tree); });
}

TEST(BuildTest, TheSameInputGivesTheSameBytes) {
  // Large enough for all that is done by several threads.
  const Mesh mesh =
      meshes::Joined(meshes::Soup(15'000, 0.03), meshes::Grid(40, 0.1));
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    ExpectSameBytesEverywhere(mesh, {.volumes = kind.volumes});
  }
  for (const Quality quality : {Quality::kFast, Quality::kBest}) {
    SCOPED_TRACE(static_cast<int>(quality));
    ExpectSameBytesEverywhere(mesh, {.quality = quality});
  }
}

// The length of the box's longest and shortest edge in lane 0 of the anchor.
std::pair<float, float> EdgesOfRoot(const Tree& tree) {
  const Node& anchor = tree.nodes()[0];
  float edges[3];
  for (int k = 0; k < 3; ++k) {
    edges[k] = anchor.rows[k + 3][0] - anchor.rows[k][0];
  }
  const auto [least, most] = std::minmax_element(edges, edges + 3);
  return {*most, *least};
}

// A slanted plane: frames find it, so that the box is flat.
TEST(BuildTest, FramesFindThePlaneOfFlatParts) {
  meshes::Random random(3);
  for (int i = 0; i < 10; ++i) {
    const Pose turn = Pose::Rotation(random.Direction(), random.Uniform(0, 6));
    const Tree tree =
        trees::Make(meshes::Moved(meshes::Grid(10), turn), Volumes::kObb);
    EXPECT_LT(EdgesOfRoot(tree).second, 1e-5f * EdgesOfRoot(tree).first);
  }
}

TEST(BuildTest, SpheresAreTight) {
  for (const Mesh& mesh :
       {meshes::Icosphere(1), meshes::Icosphere(4), meshes::Torus(40, 20)}) {
    const Tree tree = trees::Make(mesh, Volumes::kSphere);
    // The ball about the box's centre is the smallest for these.
    double radius = 0;
    for (const Vec3& v : mesh.vertices()) {
      radius = std::max(radius, Norm(tree.space().FromModel(v)));
    }
    EXPECT_LE(tree.nodes()[0].rows[3][0], radius * 1.06);
  }
}

// By what is expected, and by what queries really visit.
TEST(BuildTest, TheBestTreesAreVisitedLess) {
  const Pose slant = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7);
  const Mesh mesh = meshes::Moved(meshes::Torus(80, 40), slant);
  const auto visits = [&](Quality quality) {
    const Tree tree = Build(mesh, {.quality = quality}).value();
    TraversalStatistics statistics;
    meshes::Random random(6);
    for (int i = 0; i < 2000; ++i) {
      ClosestPoint(tree, random.Point(-2, 2), 1e300,
                   {.statistics = &statistics})
          .value();
    }
    return std::pair(ExpectedVisits(tree), statistics.Total().nodes_visited +
                                               statistics.leaves_visited);
  };
  const auto best = visits(Quality::kBest);
  const auto balanced = visits(Quality::kBalanced);
  EXPECT_LT(best.first, balanced.first);
  EXPECT_LT(best.second, balanced.second);
}

TEST(BuildTest, FewLanesAreEmpty) {
  const Tree tree = trees::Make(meshes::Torus(200, 100));
  const double triangles = static_cast<double>(tree.mesh().triangle_count());
  EXPECT_GT(triangles / static_cast<double>(tree.leaves().size()), 6);
  size_t children = 0;
  for (const Node& node : tree.nodes()) children += node.count;
  EXPECT_GT(
      static_cast<double>(children) / static_cast<double>(tree.nodes().size()),
      5);
}

TEST(BuildTest, BadOptionsAreErrors) {
  for (const int leaf : {0, -1, 9}) {
    BuildOptions options;
    options.max_leaf_triangles = leaf;
    const auto tree = Build(meshes::Cube(), options);
    EXPECT_EQ(tree.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(tree.status().message()),
                testing::HasSubstr("max_leaf_triangles"));
  }
}

TEST(BuildTest, NegativeThreadsAreAnError) {
  BuildOptions options;
  options.threads = -1;
  const auto tree = Build(meshes::Cube(), options);
  EXPECT_EQ(tree.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(tree.status().message()),
              testing::HasSubstr("threads"));
}

TEST(BuildTest, ProgressGoesFromZeroToOne) {
  std::vector<double> shares;
  BuildOptions options;
  options.progress = [&](double share) { shares.push_back(share); };
  ASSERT_TRUE(Build(meshes::Grid(40), options).ok());
  ASSERT_GT(shares.size(), 10u);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

// Cancelled at some share, a build ends before many more triangles are done.
TEST(BuildTest, ACancelledBuildEndsSoon) {
  const Mesh mesh = meshes::Grid(120);
  for (const Quality quality : {Quality::kFast, Quality::kBalanced}) {
    for (const double at : {0.0, 0.25, 0.75}) {
      std::atomic<bool> cancelled = false;
      double last = 0;
      BuildOptions options{.quality = quality, .threads = 1};
      options.progress = [&](double share) {
        last = share;
        cancelled = share >= at;
      };
      options.cancelled = &cancelled;
      EXPECT_EQ(Build(mesh, options).status().code(),
                absl::StatusCode::kCancelled);
      EXPECT_LE(last, at + 0.125);
    }
  }
  std::atomic<bool> never = false;
  EXPECT_TRUE(Build(mesh, {.cancelled = &never}).ok());
}

}  // namespace
}  // namespace orbox
