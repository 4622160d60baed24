// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/deforming_tree.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/build/refit.h"
#include "orbox/bvh/query/pairs/pair_within.h"
#include "tests/support/brute_force.h"
#include "tests/support/check_tree.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::HasSubstr;

std::vector<Vec3> VerticesOf(const Mesh& mesh) {
  return {mesh.vertices().begin(), mesh.vertices().end()};
}

// Turned about z by an angle that grows with z, and shaken a little.
std::vector<Vec3> Twisted(const Mesh& mesh, double angle, uint64_t seed) {
  meshes::Random random(seed);
  std::vector<Vec3> vertices = VerticesOf(mesh);
  for (Vec3& v : vertices) {
    const double c = std::cos(angle * v.z);
    const double s = std::sin(angle * v.z);
    v = Vec3{c * v.x - s * v.y, s * v.x + c * v.y, v.z} +
        random.Point(-0.01, 0.01);
  }
  return vertices;
}

Mesh WithVertices(const Mesh& mesh, std::vector<Vec3> vertices) {
  return meshes::Make(std::move(vertices),
                      {mesh.triangles().begin(), mesh.triangles().end()});
}

bool SameBytes(const Tree& a, const Tree& b) {
  return a.nodes().size() == b.nodes().size() &&
         a.leaves().size() == b.leaves().size() &&
         std::memcmp(a.nodes().data(), b.nodes().data(),
                     a.nodes().size_bytes()) == 0 &&
         std::memcmp(a.leaves().data(), b.leaves().data(),
                     a.leaves().size_bytes()) == 0;
}

TEST(DeformingTreeTest, LawsHoldAtEveryFrame) {
  for (const meshes::Named& m : meshes::Assortment()) {
    for (const trees::Kind& kind : trees::Kinds()) {
      SCOPED_TRACE(m.name + ", " + kind.name);
      DeformingTree deforming =
          DeformingTree::Create(m.mesh, {.build = {.volumes = kind.volumes}})
              .value();
      for (int frame = 0; frame < 4; ++frame) {
        const std::vector<Vec3> vertices = Twisted(m.mesh, 0.5 * frame, 1);
        ASSERT_TRUE(deforming.Move(vertices).ok());
        EXPECT_EQ(VerticesOf(deforming.tree().mesh()), vertices);
        EXPECT_EQ(deforming.tree().volumes(), kind.volumes);
        TreeChecker(deforming.tree()).Check();
      }
    }
  }
}

// The mesh is what Create makes of its vertices; queries are a new tree's.
TEST(DeformingTreeTest, QueriesAreThoseOfANewTree) {
  const Mesh mesh = meshes::Torus(40, 20);
  const Mesh other = meshes::Icosphere(3, {1, 0, 0}, 0.4);
  const Tree other_tree = trees::Make(other);
  DeformingTree deforming = DeformingTree::Create(mesh).value();
  for (int frame = 0; frame < 6; ++frame) {
    const Mesh moved = WithVertices(mesh, Twisted(mesh, 1.0 * frame, 2));
    ASSERT_TRUE(deforming.Move(moved.vertices()).ok());
    const Tree& tree = deforming.tree();
    EXPECT_EQ(tree.mesh().bounds().lo, moved.bounds().lo);
    EXPECT_EQ(tree.mesh().bounds().hi, moved.bounds().hi);
    EXPECT_EQ(tree.mesh().degenerate_count(), moved.degenerate_count());
    EXPECT_EQ(AllOverlaps(tree, other_tree),
              brute_force::Overlapping(moved, other));
    EXPECT_EQ(AllWithin(tree, other_tree, 0.05),
              AllWithin(trees::Make(moved), other_tree, 0.05));
  }
}

// Nothing has moved: the tree is the same, byte for byte.
TEST(DeformingTreeTest, UnmovedTreesStayAsTheyAre) {
  const Mesh mesh = meshes::Joined(meshes::Soup(5000, 0.03), meshes::Grid(30));
  for (const trees::Kind& kind : trees::Kinds()) {
    SCOPED_TRACE(kind.name);
    DeformingTree deforming =
        DeformingTree::Create(mesh, {.build = {.volumes = kind.volumes}})
            .value();
    const Tree first = deforming.tree();
    for (int frame = 0; frame < 3; ++frame) {
      ASSERT_TRUE(deforming.Move(mesh.vertices()).ok());
      EXPECT_TRUE(SameBytes(deforming.tree(), first));
      EXPECT_EQ(deforming.growth(), 1);
    }
    EXPECT_EQ(deforming.frame_choices(), 0u);
    EXPECT_EQ(deforming.builds(), 0u);
  }
}

TEST(DeformingTreeTest, BytesDoNotDependOnThreads) {
  const Mesh mesh = meshes::Grid(100, 0.2);
  DeformingTree one =
      DeformingTree::Create(mesh, {.build = {.threads = 1}}).value();
  DeformingTree three =
      DeformingTree::Create(mesh, {.build = {.threads = 3}}).value();
  for (int frame = 0; frame < 5; ++frame) {
    const std::vector<Vec3> vertices = Twisted(mesh, 2.0 * frame, 3);
    ASSERT_TRUE(one.Move(vertices).ok());
    ASSERT_TRUE(three.Move(vertices).ok());
    EXPECT_TRUE(SameBytes(one.tree(), three.tree()));
    EXPECT_EQ(one.growth(), three.growth());
  }
}

// The memory of a tree that nobody keeps is used again, two moves later; a copy
// that somebody keeps does not change.
TEST(DeformingTreeTest, RoomsAreUsedInTurnsUnlessKept) {
  const Mesh mesh = meshes::Torus(20, 10);
  DeformingTree deforming = DeformingTree::Create(mesh).value();
  std::vector<const Node*> nodes;
  for (int frame = 0; frame < 4; ++frame) {
    ASSERT_TRUE(deforming.Move(Twisted(mesh, 0.01 * frame, 4)).ok());
    nodes.push_back(deforming.tree().nodes().data());
  }
  ASSERT_EQ(deforming.builds(), 0u);
  EXPECT_NE(nodes[0], nodes[1]);
  EXPECT_EQ(nodes[0], nodes[2]);
  EXPECT_EQ(nodes[1], nodes[3]);

  const Tree kept = deforming.tree();
  const Mesh kept_mesh = kept.mesh();
  const std::vector<Vec3> before = VerticesOf(kept_mesh);
  for (int frame = 0; frame < 4; ++frame) {
    ASSERT_TRUE(deforming.Move(Twisted(mesh, 1 + 0.01 * frame, 4)).ok());
  }
  EXPECT_EQ(VerticesOf(kept_mesh), before);
  TreeChecker(kept).Check();
}

// Triangles that are thrown about call for another tree, and it is a good one.
TEST(DeformingTreeTest, ATreeThatHasGrownBadIsBuiltAnew) {
  const Mesh mesh = meshes::Soup(3000, 0.02);
  meshes::Random random(5);
  std::vector<Vec3> scattered = VerticesOf(mesh);
  for (const TriangleIndices& t : mesh.triangles()) {
    const Vec3 by = random.Point(-1, 1);
    for (const uint32_t i : t) scattered[i] += by;
  }
  DeformingTree deforming = DeformingTree::Create(mesh).value();
  ASSERT_TRUE(deforming.Move(scattered).ok());
  EXPECT_EQ(deforming.builds(), 1u);
  EXPECT_EQ(deforming.growth(), 1);
  EXPECT_TRUE(
      SameBytes(deforming.tree(), trees::Make(WithVertices(mesh, scattered))));

  DeformingTree tolerant =
      DeformingTree::Create(mesh, {.most_growth = 1e9}).value();
  ASSERT_TRUE(tolerant.Move(scattered).ok());
  EXPECT_EQ(tolerant.builds(), 0u);
  EXPECT_GT(tolerant.growth(), 2);
  TreeChecker(tolerant.tree()).Check();
}

// The frames of a plate no longer fit if it is turned. New frames fit again.
TEST(DeformingTreeTest, FramesAreChosenAnewBeforeATreeIsBuilt) {
  const Mesh mesh = meshes::Grid(30, 0.01);
  const Mesh turned = meshes::Moved(
      mesh, Pose::Rotation({0.6, 0, 0.8}, 0.25 * std::numbers::pi, {}));
  const BuildOptions build = {.volumes = Volumes::kObb};
  const Tree tree = Build(mesh, build).value();
  const Tree refitted = Refit(tree, turned).value();
  DeformingTree tolerant =
      DeformingTree::Create(mesh, {.build = build, .most_growth = 1e9}).value();
  ASSERT_TRUE(tolerant.Move(turned.vertices()).ok());
  EXPECT_EQ(tolerant.frame_choices(), 0u);
  ASSERT_GT(tolerant.growth(), 2);

  DeformingTree deforming =
      DeformingTree::Create(
          mesh, {.build = build, .most_growth = 0.9 * tolerant.growth()})
          .value();
  ASSERT_TRUE(deforming.Move(turned.vertices()).ok());
  EXPECT_EQ(deforming.frame_choices(), 1u);
  EXPECT_EQ(deforming.builds(), 0u);
  EXPECT_TRUE(SameBytes(deforming.tree(), refitted));
}

TEST(DeformingTreeTest, BadInputIsAnErrorAndChangesNothing) {
  const Mesh mesh = meshes::Cube();
  EXPECT_THAT(
      DeformingTree::Create(mesh, {.most_growth = 0.5}).status().message(),
      HasSubstr("most_growth is 0.5"));
  EXPECT_EQ(DeformingTree::Create(
                mesh, {.most_growth = std::numeric_limits<double>::quiet_NaN()})
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      DeformingTree::Create(mesh, {.build = {.storage = Storage::kCompact}})
          .status()
          .message(),
      HasSubstr("Storage::kWide"));
  EXPECT_FALSE(DeformingTree::Create(mesh, {.build = {.threads = -1}}).ok());

  DeformingTree deforming = DeformingTree::Create(mesh).value();
  std::vector<Vec3> vertices = VerticesOf(mesh);
  vertices[3].y = std::numeric_limits<double>::infinity();
  EXPECT_THAT(deforming.Move(vertices).message(),
              HasSubstr("vertex 3 was moved to"));
  vertices[3].y = 1e70;
  EXPECT_THAT(deforming.Move(vertices).message(),
              HasSubstr("scale the model by 2^-33; 1 of 8 vertices"));
  vertices.pop_back();
  EXPECT_THAT(deforming.Move(vertices).message(), HasSubstr("8 vertices"));
  EXPECT_EQ(VerticesOf(deforming.tree().mesh()), VerticesOf(mesh));
  TreeChecker(deforming.tree()).Check();
  vertices = VerticesOf(mesh);
  vertices[3].y = 1e-61;
  ASSERT_TRUE(deforming.Move(vertices).ok());
  EXPECT_EQ(deforming.tree().mesh().vertices()[3].y, 0);
}

}  // namespace
}  // namespace orbox
