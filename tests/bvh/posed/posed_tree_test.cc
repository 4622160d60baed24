// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/posed/posed_tree.h"

#include <cmath>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/posed/internal/world_tree.h"
#include "orbox/bvh/query/pairs/closest_pair.h"
#include "orbox/overlap/shapes/range.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double kMost = kLargestCoordinate;

std::string ErrorOf(const Tree& tree, const Pose& pose) {
  const absl::StatusOr<PosedTree> posed = PosedTree::Create(tree, pose);
  EXPECT_EQ(posed.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(posed.status().message());
}

Pose Scaling(double x, double y, double z) {
  return {.rows = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}, .translation = {}};
}

TEST(PosedTreeTest, ErrorsNameTheVertexAndTheScale) {
  const Tree tree = trees::Make(
      meshes::Make({{1, 0, 0}, {9, 9, 9}, {2, 0, 0}, {0, 1, 0}}, {{0, 2, 3}}));
  // Vertex 1 is of no triangle, and may go anywhere.
  EXPECT_TRUE(PosedTree::Create(tree, Scaling(1, 1, kMost)).ok());
  EXPECT_TRUE(PosedTree::Create(tree, Scaling(kMost / 2, kMost / 2, 1)).ok());
  EXPECT_THAT(ErrorOf(tree, Scaling(kMost / 1.5, 1, 1)),
              AllOf(HasSubstr("vertex 2 is moved by the pose to (2.14"),
                    HasSubstr("at most 2^200 (1.6e60) in size"),
                    HasSubstr("scale the model by 2^-1"), HasSubstr("1 of 4")));
  // Numbers of the pose are held to the range as well.
  EXPECT_THAT(ErrorOf(tree, Pose::Translation({0, 0, 1e300})),
              AllOf(HasSubstr("the pose holds 1e+300"),
                    HasSubstr("scale the model by 2^-797")));
  EXPECT_THAT(
      ErrorOf(tree, Pose::Translation(
                        {std::numeric_limits<double>::quiet_NaN(), 0, 0})),
      HasSubstr("NaN or infinite"));
}

TEST(PosedTreeTest, SmallNumbersOfPosesAreRead0) {
  const Tree tree = trees::Make(meshes::Cube());
  const double below = std::nextafter(kSmallestCoordinate, 0.0);
  Pose pose = Pose::Translation({below, -5e-324, kSmallestCoordinate});
  pose.rows[0].y = -below;
  const PosedTree posed = PosedTree::Create(tree, pose).value();
  EXPECT_EQ(posed.pose(), Pose::Translation({0, 0, kSmallestCoordinate}));
  EXPECT_FALSE(PosedTree::Create(tree, Pose::Translation({0, below, 0}))
                   .value()
                   .is_moved());
}

// A moved coordinate may cancel to a value below the range. It is kept.
TEST(PosedTreeTest, MovedCoordinatesAreRoundedOnceHoweverSmall) {
  constexpr double kUlp = 0x1p-52;
  constexpr double kSize = 0x1p-100;
  constexpr double kAway = kSize * (1 + kUlp);
  const Mesh mesh = meshes::Make(
      {{kAway, 0, 0}, {kAway, kSize, 0}, {kAway, 0, kSize}}, {{0, 1, 2}});
  Pose pose = Scaling(1 + kUlp, 1, 1);
  pose.translation.x = -kSize * (1 + 2 * kUlp);
  const PosedTree posed = PosedTree::Create(trees::Make(mesh), pose).value();
  EXPECT_EQ(posed.triangle(0).a.x, kSize * kUlp * kUlp);
  EXPECT_LT(posed.triangle(0).a.x, kSmallestCoordinate);
  EXPECT_EQ(WorldMesh(posed).triangle(0), posed.triangle(0));
  const Tree point = trees::Make(meshes::Make({{0, 0, 0}}, {{0, 0, 0}}));
  EXPECT_EQ(ClosestPair(posed, point)->distance, kSize * kUlp * kUlp);
}

TEST(PosedTreeTest, PosesThatFlattenAllHaveTreesOfTheirOwn) {
  const Tree tree = trees::Make(meshes::Torus(8, 5));
  const PosedTree point =
      PosedTree::Create(tree, {.rows = {}, .translation = {1, 2, 3}}).value();
  EXPECT_EQ(point.tree().mesh().bounds().lo, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.tree().mesh().bounds().hi, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.tree().mesh().degenerate_count(),
            tree.mesh().triangle_count());
}

}  // namespace
}  // namespace orbox
