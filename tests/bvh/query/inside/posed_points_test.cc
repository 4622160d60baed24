// SPDX-License-Identifier: Apache-2.0

// Points and posed trees: inside, winding numbers and closest points, exact for
// vertices moved and rounded once. The oracle moves the mesh.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/query/inside/inside.h"
#include "orbox/bvh/query/points/closest_point.h"
#include "orbox/bvh/traverse/statistics.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_place.h"
#include "tests/support/meshes.h"
#include "tests/support/poses.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<meshes::Named> Meshes() {
  return {{"torus", meshes::Torus(9, 5)},
          {"overlapping", meshes::Joined(meshes::Icosphere(1),
                                         meshes::Cube({0.2, 0.2, 0.2}, 1.3))},
          {"twice", meshes::Joined(meshes::Cube(), meshes::Cube())},
          {"detail", meshes::Joined(meshes::Torus(8, 4),
                                    meshes::Icosphere(1, {1, 0, 0}, 0x1p-20))}};
}

// Places of the model, moved, and corners and middles of moved triangles.
std::vector<Vec3> PointsOf(const Mesh& moved, const Pose& pose, int count) {
  meshes::Random random(7);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(pose.Apply(random.Point(-1.5, 1.5)));
    points.push_back(pose.Apply(random.Point(0, 1)));
    const Triangle t = moved.triangle(random.Below(moved.triangle_count()));
    points.push_back(t.b);
    points.push_back(t.a * 0.5 + t.c * 0.5);
    points.push_back((t.a + t.b + t.c) * (1.0 / 3));
    const Aabb& box = moved.bounds();
    points.push_back({t.a.x - (box.hi.x - box.lo.x), t.a.y, t.a.z});
  }
  return points;
}

TEST(PosedPointsTest, InsideIsThatOfTheMovedMesh) {
  size_t inside = 0;
  size_t on = 0;
  for (const meshes::Named& m : Meshes()) {
    for (const Pose& pose : poses::OfEveryKind()) {
      SCOPED_TRACE(m.name + testing::PrintToString(pose.rows[0].x));
      const Mesh moved = meshes::Moved(m.mesh, pose);
      const std::vector<Vec3> points = PointsOf(moved, pose, 2);
      std::vector<std::optional<int>> windings;
      for (const Vec3& p : points) {
        windings.push_back(oracle::WindingOf(moved, p));
      }
      for (const trees::Kind& kind : trees::Kinds()) {
        const PosedTree tree =
            PosedTree::Create(trees::Make(m.mesh, kind.volumes), pose).value();
        std::vector<uint8_t> expected;
        for (size_t i = 0; i < points.size(); ++i) {
          const bool is_inside = windings[i].value_or(0) != 0;
          EXPECT_EQ(WindingNumber(tree, points[i]), windings[i]);
          EXPECT_EQ(IsInside(tree, points[i]), is_inside);
          EXPECT_EQ(IsInside(tree, points[i], InsideRule::kParity),
                    windings[i].value_or(0) % 2 != 0);
          expected.push_back(is_inside ? 1 : 0);
          inside += is_inside ? 1 : 0;
          on += windings[i] ? 0 : 1;
        }
        EXPECT_EQ(IsInside(tree, points, {.threads = 2}).value(), expected);
      }
    }
  }
  EXPECT_GT(inside, 100u);
  EXPECT_GT(on, 100u);
}

void ExpectClosest(const PosedTree& tree, const Mesh& moved, const Vec3& p,
                   double max_distance) {
  const std::vector<SurfacePoint> expected =
      brute_force::Nearest(moved, p, max_distance);
  const std::optional<SurfacePoint> found = ClosestPoint(tree, p, max_distance);
  ASSERT_EQ(found.has_value(), !expected.empty());
  if (!found) return;
  EXPECT_EQ(found->distance, expected.front().distance);
  EXPECT_EQ(found->triangle, expected.front().triangle);
  EXPECT_EQ(found->point, expected.front().point);
}

TEST(PosedPointsTest, ClosestPointIsThatOfTheMovedMesh) {
  for (const meshes::Named& m : Meshes()) {
    for (const Pose& pose : poses::OfEveryKind()) {
      SCOPED_TRACE(m.name + testing::PrintToString(pose.rows[0].x));
      const Mesh moved = meshes::Moved(m.mesh, pose);
      const std::vector<Vec3> points = PointsOf(moved, pose, 4);
      for (const trees::Kind& kind : trees::Kinds()) {
        const PosedTree tree =
            PosedTree::Create(trees::Make(m.mesh, kind.volumes), pose).value();
        for (const Vec3& p : points) {
          const double infinity = std::numeric_limits<double>::infinity();
          ExpectClosest(tree, moved, p, infinity);
          const double distance = ClosestPoint(tree, p)->distance;
          ExpectClosest(tree, moved, p, distance);
          ExpectClosest(tree, moved, p, std::nextafter(distance, 0));
          ExpectClosest(tree, moved, p, distance * 1.5);
        }
      }
    }
  }
}

// The centre of a ball, from where all triangles are about as far.
TEST(PosedPointsTest, ClosestPointTakesOneSearch) {
  const Tree tree = trees::Make(meshes::Icosphere(4));
  const Vec3 shift = {8, 0, 0};
  const PosedTree posed =
      PosedTree::Create(tree, Pose::Translation(shift)).value();
  meshes::Random random(5);
  TraversalStatistics moved;
  TraversalStatistics unmoved;
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random.Point(-2, 2);
    ClosestPoint(tree, p, {.statistics = &unmoved}).value();
    ClosestPoint(posed, p + shift, {.statistics = &moved}).value();
  }
  EXPECT_LE(moved.leaves_visited, unmoved.leaves_visited * 1.1);
}

TEST(PosedPointsTest, TiesGoToTheLowestId) {
  const Mesh ball = meshes::Icosphere(2);
  const Tree tree = trees::Make(ball);
  for (const Pose& pose : poses::OfEveryKind()) {
    const PosedTree posed = PosedTree::Create(tree, pose).value();
    const Mesh moved = meshes::Moved(ball, pose);
    const double infinity = std::numeric_limits<double>::infinity();
    ExpectClosest(posed, moved, pose.Apply(Vec3{}), infinity);
    ExpectClosest(posed, moved, pose.translation, infinity);
  }
}

TEST(PosedPointsTest, BatchesAreTheirQuestions) {
  const Tree tree = trees::Make(meshes::Torus(16, 8));
  const Pose pose = Pose::Rotation({0, 0.6, 0.8}, 1, {1, 2, 3});
  const PosedTree posed = PosedTree::Create(tree, pose).value();
  std::vector<Vec3> points =
      PointsOf(meshes::Moved(tree.mesh(), pose), pose, 50);
  points.push_back({0x1p60, 0, 0});
  const auto all = ClosestPoint(posed, points, {.threads = 2}).value();
  for (size_t i = 0; i < points.size(); ++i) {
    const auto one = ClosestPoint(posed, points[i]);
    ASSERT_EQ(all[i].has_value(), one.has_value());
    if (!one) continue;
    EXPECT_EQ(all[i]->distance, one->distance);
    EXPECT_EQ(all[i]->triangle, one->triangle);
  }
  EXPECT_TRUE(all.back().has_value());
  EXPECT_EQ(ClosestPoint(posed, points, -1).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(IsInside(posed, points, {.threads = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  points.push_back({std::nan(""), 0, 0});
  EXPECT_EQ(ClosestPoint(posed, points).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(IsInside(posed, points).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace orbox
