// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/volume_wires.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

const Vec3 kEye{5, -8, 4};

Aabb BoundsOf(const VolumeWire& wire) {
  Aabb box{wire.lines[0][0], wire.lines[0][0]};
  for (const auto& line : wire.lines) {
    for (const Vec3& p : line) box = {Min(box.lo, p), Max(box.hi, p)};
  }
  return box;
}

TEST(VolumeWiresTest, EachLevelHasTheVolumesOfItsNodes) {
  const Mesh mesh = meshes::Torus(40, 20);
  for (const Volumes volumes :
       {Volumes::kSphere, Volumes::kAabb, Volumes::kObb}) {
    const Tree tree = *Build(mesh, {.volumes = volumes});
    const PictureSpace space = PictureSpace::Around(mesh.bounds());
    size_t volumes_in_all = 0;
    for (int level = 0; level < tree.depth(); ++level) {
      const auto wires = VolumeWires(tree, level, space, kEye);
      EXPECT_FALSE(wires.empty());
      volumes_in_all += wires.size();
      for (const VolumeWire& wire : wires) {
        EXPECT_EQ(static_cast<int>(wire.kind) + 1, static_cast<int>(volumes));
      }
    }
    EXPECT_TRUE(VolumeWires(tree, tree.depth(), space, kEye).empty());
    // Each child but the root itself, which the anchor has.
    size_t children = 0;
    for (size_t i = 1; i < tree.node_count(); ++i) {
      children += tree.node(i).count;
    }
    EXPECT_EQ(volumes_in_all, children);
  }
}

// The volumes of the top level together contain the mesh, and so do the boxes
// around their lines.
TEST(VolumeWiresTest, TopLevelContainsTheMeshWhereItStands) {
  const Mesh mesh = meshes::Torus(40, 20);
  const Pose pose = Pose::Rotation(Normalized(Vec3{1, 2, 3}), 0.7, {5, 6, 7});
  for (const Volumes volumes :
       {Volumes::kMixed, Volumes::kSphere, Volumes::kAabb, Volumes::kObb}) {
    const PosedTree tree =
        *PosedTree::Create(*Build(mesh, {.volumes = volumes}), pose);
    const PictureSpace space = PictureSpace::Around(
        {Vec3{5, 6, 7} - Vec3{2, 2, 2}, Vec3{5, 6, 7} + Vec3{2, 2, 2}});
    const auto wires = VolumeWires(tree, 0, space, kEye);
    for (uint32_t id = 0; id < mesh.triangle_count(); ++id) {
      const Vec3 p = space.FromModel(tree.triangle(id).a);
      bool inside = false;
      for (const VolumeWire& wire : wires) {
        const Aabb box = BoundsOf(wire);
        inside = inside || (Max(box.lo, p) == p && Min(box.hi, p) == p);
      }
      EXPECT_TRUE(inside) << id;
    }
  }
}

TEST(VolumeWiresTest, SpheresAreRoundAndOutlinedAsSeen) {
  const Tree tree = *Build(meshes::Soup(8, 0.3), {.volumes = Volumes::kSphere});
  const PictureSpace space;  // the model's own
  const Node node = tree.node(Tree::kRoot);
  const auto wires = VolumeWires(tree, 0, space, kEye);
  ASSERT_EQ(wires.size(), node.count);
  for (size_t lane = 0; lane < node.count; ++lane) {
    const Vec3 center =
        Vec3{node.rows[0][lane], node.rows[1][lane], node.rows[2][lane]} *
            tree.space().unscale +
        tree.space().origin;
    const double radius = node.rows[3][lane] * tree.space().unscale;
    ASSERT_EQ(wires[lane].lines.size(), 4U);
    for (const auto& line : wires[lane].lines) {
      EXPECT_LT(Norm(line.front() - line.back()), 1e-9);
      for (const Vec3& p : line) EXPECT_NEAR(Norm(p - center), radius, 1e-6);
    }
    // Lines of sight touch the outline: at right angles to the radius.
    for (const Vec3& p : wires[lane].lines[3]) {
      EXPECT_NEAR(Dot(Normalized(p - kEye), Normalized(p - center)), 0, 1e-9);
    }
  }
}

// A pose that stretches makes an ellipsoid, whose outline its lines of sight
// touch as well: seen through the inverse it is a sphere's.
TEST(VolumeWiresTest, OutlinesOfStretchedSpheres) {
  const Tree tree = *Build(meshes::Soup(8, 0.3), {.volumes = Volumes::kSphere});
  const Pose stretch{.rows = {{{2, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}},
                     .translation = {1, 0, 0}};
  const auto posed = *PosedTree::Create(tree, stretch);
  const auto wires = VolumeWires(posed, 0, PictureSpace(), kEye);
  const Vec3 eye_there{(kEye.x - 1) / 2, kEye.y, kEye.z / 0.5};
  const auto expected = VolumeWires(tree, 0, PictureSpace(), eye_there);
  for (size_t i = 0; i < wires.size(); ++i) {
    for (size_t k = 0; k < wires[i].lines[3].size(); ++k) {
      EXPECT_LT(
          Norm(wires[i].lines[3][k] - stretch.Apply(expected[i].lines[3][k])),
          1e-9);
    }
  }
}

}  // namespace
}  // namespace orbox::picture
