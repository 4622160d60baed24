// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/internal/surface.h"

#include <cmath>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

TEST(SurfaceTest, MeshesFollowEachOtherWhereTheyStand) {
  const Pose pose = Pose::Rotation({0, 0, 1}, 0.5, {3, 0, 0});
  const PosedTree a = *PosedTree::Create(*Build(meshes::Torus(12, 8)), pose);
  const PosedTree b = *Build(meshes::Cube());
  const PosedTree* const meshes[] = {&a, &b};
  const ShownSurface surface = *ShownSurface::Of(meshes, 1);
  const size_t first_of_b = a.tree().mesh().triangle_count();
  EXPECT_EQ(surface.first_faces, (std::vector<size_t>{0, first_of_b}));
  const Mesh& joined = surface.tree.mesh();
  ASSERT_EQ(joined.triangle_count(), first_of_b + 12);
  ASSERT_EQ(surface.normals.size(), joined.triangle_count());
  for (uint32_t id = 0; id < joined.triangle_count(); ++id) {
    const Triangle t =
        id < first_of_b ? a.triangle(id) : b.triangle(id - first_of_b);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(joined.triangle(id)[i], surface.space.FromModel(t[i]));
    }
  }
}

TEST(SurfaceTest, PictureSpaceIsAboutTheUnitCubeForAnyModel) {
  for (const double size : {1e-60, 1e-3, 1.0, 3e5, 1e60}) {
    const Aabb box{{-size, -size / 2, 0}, {size, size / 2, size / 3}};
    const PictureSpace space = PictureSpace::Around(box);
    int exponent = 0;
    EXPECT_EQ(std::frexp(space.scale, &exponent), 0.5);
    const Vec3 lo = space.FromModel(box.lo), hi = space.FromModel(box.hi);
    EXPECT_LE(MaxCoordinate(Abs(lo)), 1);
    EXPECT_GE(MaxCoordinate(Abs(hi)), 0x1p-10) << size;
  }
  EXPECT_EQ(PictureSpace::Around({{2, 2, 2}, {2, 2, 2}}).scale, 1);
}

TEST(SurfaceTest, UnusedVerticesDoNotMatter) {
  std::vector<Vec3> vertices = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e60, 1e60, -1e60}};
  const PosedTree tree = *Build(*Mesh::Create(vertices, {{0, 1, 2}}));
  const PosedTree* const meshes[] = {&tree};
  const ShownSurface surface = *ShownSurface::Of(meshes, 1);
  for (const Vec3& v : surface.tree.mesh().vertices()) {
    EXPECT_LE(MaxCoordinate(Abs(v)), 1);
  }
}

}  // namespace
}  // namespace orbox::picture
