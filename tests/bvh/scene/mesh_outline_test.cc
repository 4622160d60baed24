// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/scene/internal/mesh_outline.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

Aabb ExactBounds(const PosedTree& posed) {
  Aabb box = BoundsOf(posed.triangle(0));
  for (uint32_t i = 1; i < posed.tree().mesh().triangle_count(); ++i) {
    box = Union(box, BoundsOf(posed.triangle(i)));
  }
  return box;
}

// Distance that `box` extends beyond `exact`, as a fraction of the largest
// side. Negative if `box` does not contain `exact`.
double Excess(const Aabb& box, const Aabb& exact) {
  const Vec3 below = exact.lo - box.lo;
  const Vec3 above = box.hi - exact.hi;
  const Vec3 least = Min(below, above);
  if (std::min({least.x, least.y, least.z}) < 0) return -1;
  return MaxCoordinate(Max(below, above)) / MaxCoordinate(exact.hi - exact.lo);
}

TEST(MeshOutlineTest, BoundsContainEachMovedVertex) {
  meshes::Random random(1);
  for (const meshes::Named& m : meshes::Assortment()) {
    for (const trees::Named& variant : trees::Variants(m.mesh)) {
      SCOPED_TRACE(m.name + ", " + variant.name);
      const MeshOutline outline(variant.tree);
      for (int i = 0; i < 30; ++i) {
        const Pose pose = scenes::RandomPose(random, 4);
        const PosedTree posed = PosedTree::Create(variant.tree, pose).value();
        EXPECT_GE(Excess(outline.BoundsAt(posed), ExactBounds(posed)), 0);
      }
    }
  }
}

TEST(MeshOutlineTest, BoundsAreTightWhereThereAreFewVertices) {
  meshes::Random random(2);
  const Tree tree = trees::Make(meshes::Icosphere(1));
  const MeshOutline outline(tree);
  for (int i = 0; i < 100; ++i) {
    const Pose pose = scenes::RandomPose(random, 4);
    const PosedTree posed = PosedTree::Create(tree, pose).value();
    EXPECT_LT(Excess(outline.BoundsAt(posed), ExactBounds(posed)), 1e-12);
  }
}

TEST(MeshOutlineTest, BoundsOfLargerMeshesAreAboutATenthTooLarge) {
  meshes::Random random(3);
  for (const trees::Kind& kind : trees::Kinds()) {
    // Balls around parts of a surface leave more empty than boxes do.
    const double most = kind.volumes == Volumes::kSphere ? 0.3 : 0.15;
    const Tree tree = trees::Make(meshes::Torus(80, 40), kind.volumes);
    const MeshOutline outline(tree);
    for (int i = 0; i < 100; ++i) {
      const Pose pose = scenes::RandomPose(random, 4);
      const PosedTree posed = PosedTree::Create(tree, pose).value();
      EXPECT_LT(Excess(outline.BoundsAt(posed), ExactBounds(posed)), most);
    }
  }
}

TEST(MeshOutlineTest, TranslationsHaveTheSmallestBounds) {
  const Tree tree = trees::Make(meshes::Torus(40, 20));
  const MeshOutline outline(tree);
  for (const Vec3& t : {Vec3{0, 0, 0}, Vec3{0.1, -1e9, 1e-20}}) {
    const PosedTree posed =
        PosedTree::Create(tree, Pose::Translation(t)).value();
    const Aabb exact = ExactBounds(posed);
    EXPECT_EQ(outline.BoundsAt(posed).lo, exact.lo);
    EXPECT_EQ(outline.BoundsAt(posed).hi, exact.hi);
  }
}

TEST(MeshOutlineTest, PosesMayShrinkAndStretchAsTheyLike) {
  meshes::Random random(4);
  const Tree tree = trees::Make(meshes::Torus(40, 20), Volumes::kSphere);
  const MeshOutline outline(tree);
  for (const double scale : {0x1p-140, 0x1p-60, 0x1p60, 0x1p190}) {
    SCOPED_TRACE(scale);
    for (int i = 0; i < 30; ++i) {
      Pose pose = scenes::RandomPose(random, 4);
      for (Vec3& row : pose.rows) row = row * scale;
      pose.translation = pose.translation * scale;
      const PosedTree posed = PosedTree::Create(tree, pose).value();
      EXPECT_TRUE(IsValid(outline.BoundsAt(posed)));
      EXPECT_GE(Excess(outline.BoundsAt(posed), ExactBounds(posed)), 0);
    }
  }
}

TEST(MeshOutlineTest, BoundsHoldAtTheEndsOfTheRange) {
  for (const double scale : {0x1p-140, 0x1p198}) {
    SCOPED_TRACE(scale);
    for (const Mesh& unit :
         {meshes::Cube({-1, -1, -1}, 2), meshes::Torus(20, 10, 0.5, 0.25)}) {
      const Tree tree = trees::Make(meshes::Scaled(unit, scale));
      const MeshOutline outline(tree);
      for (const Pose& pose :
           {Pose::Rotation({0, 0, 1}, 0.5), Pose::Rotation({0.6, 0, 0.8}, 2)}) {
        const PosedTree posed = PosedTree::Create(tree, pose).value();
        const Aabb box = outline.BoundsAt(posed);
        EXPECT_TRUE(IsValid(box));
        const Aabb exact = ExactBounds(posed);
        EXPECT_EQ(Min(box.lo, exact.lo), box.lo);
        EXPECT_EQ(Max(box.hi, exact.hi), box.hi);
      }
    }
  }
}

}  // namespace
}  // namespace orbox
