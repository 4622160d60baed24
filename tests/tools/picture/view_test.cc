// SPDX-License-Identifier: Apache-2.0

#include "tools/picture/view.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/query/rays/ray_hit.h"
#include "tests/support/meshes.h"

namespace orbox::picture {
namespace {

TEST(ViewTest, TheUsualOneWhereNothingElseIsBetter) {
  const Tree cube = *Build(meshes::Cube());
  EXPECT_EQ(BestView(cube, {}, std::nullopt), *ViewNamed("iso"));
  EXPECT_EQ(ViewNamed("sideways"), std::nullopt);
  EXPECT_EQ(*ViewNamed("top"), (Vec3{0, 0, 1}));
}

TEST(ViewTest, LooksAtThePointsThatMatter) {
  const Tree cube = *Build(meshes::Cube());
  for (const Vec3& face : {Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, 0},
                           Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    const std::vector<Vec3> points = {Vec3{0.5, 0.5, 0.5} + face * 0.5};
    EXPECT_GT(Dot(BestView(cube, points, std::nullopt), face), 0.1);
  }
}

// Two plates on each other, with a gap: one sees between them from the side
// only.
TEST(ViewTest, LooksIntoTheGap) {
  for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
    const Pose turn =
        axis.z == 1 ? Pose::Identity()
                    : Pose::Rotation(Normalized(Cross(Vec3{0, 0, 1}, axis)),
                                     std::acos(0.0));
    const Mesh lower = meshes::Moved(meshes::Grid(4), turn);
    const Mesh upper = meshes::Moved(
        meshes::Moved(meshes::Grid(4), Pose::Translation({0, 0, 0.05})), turn);
    const Tree tree = *Build(meshes::Joined(lower, upper));
    const Segment gap{turn.Apply(Vec3{0.5, 0.5, 0}),
                      turn.Apply(Vec3{0.5, 0.5, 0.05})};
    const Vec3 view = Normalized(BestView(tree, {}, gap));
    const Vec3 middle = (gap.a + gap.b) * 0.5;
    EXPECT_FALSE(AnyHit(tree, Ray{middle, view}));
  }
}

}  // namespace
}  // namespace orbox::picture
