// SPDX-License-Identifier: Apache-2.0

// First contacts of moving meshes when memory runs out at the n-th allocation,
// for every n: a status where one is returned, std::bad_alloc elsewhere, and
// the same answer once there is memory. Nothing leaks (which a leak checker
// sees).
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/motion/deforming_contact.h"
#include "orbox/bvh/motion/rigid_motion.h"
#include "orbox/bvh/motion/time_of_contact.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

std::vector<Vec3> MovedBy(const Mesh& mesh, const Vec3& way) {
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) vertices.push_back(v + way);
  return vertices;
}

const Mesh kBall = meshes::Icosphere(1, {2, 0.1, 0.2}, 0.5);
const Mesh kRing = meshes::Torus(12, 6);

TEST(MotionAllocationTest, RigidBodies) {
  const Tree ball = trees::Make(kBall);
  const Tree ring = trees::Make(kRing);
  const auto create = [&] {
    return MovingTree::Create(
        ball, {.translation = {-3, 0, 0}, .axis = {1, 2, 3}, .angle = 1});
  };
  const MovingTree a = create().value();
  const MovingTree b = MovingTree::Create(ring, {}).value();
  FailEachAllocation([&] { return create().status(); },
                     FailingThreads::kThisOne, "memory");
  const TimeOfContactResult expected = TimeOfContact(a, b);
  EXPECT_EQ(expected.outcome, MotionOutcome::kContact);
  TimeOfContactResult found;
  // It allocates nothing.
  EXPECT_EQ(ThrowAtEachAllocation([&] { found = TimeOfContact(a, b); }), 0u);
  EXPECT_EQ(found.earliest, expected.earliest);
  EXPECT_EQ(found.latest, expected.latest);
  EXPECT_EQ(found.triangles, expected.triangles);
}

TEST(MotionAllocationTest, DeformingMeshes) {
  const Tree ball = trees::Make(kBall);
  const std::vector<Vec3> to = MovedBy(kBall, {-3, 0, 0});
  EXPECT_GT(FailEachAllocation(
                [&] { return DeformingMesh::Create(ball, to).status(); },
                FailingThreads::kThisOne, "memory"),
            2u);
  const DeformingMesh a = DeformingMesh::Create(ball, to).value();
  const DeformingMesh b =
      DeformingMesh::Create(trees::Make(kRing), kRing.vertices()).value();
  const auto expected = FirstContact(a, b);
  ASSERT_TRUE(expected);
  std::optional<DeformingContact> found;
  EXPECT_GT(ThrowAtEachAllocation([&] { found = FirstContact(a, b); }), 0u);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->latest, expected->latest);
  EXPECT_EQ(found->triangles, expected->triangles);
}

TEST(MotionAllocationTest, AMeshWithItself) {
  // Two balls in one mesh; the second moves through the first.
  const Mesh two = meshes::Joined(kBall, meshes::Icosphere(1, {4, 0, 0}, 0.5));
  std::vector<Vec3> to = MovedBy(two, {});
  for (Vec3& v : to) v.x = v.x > 3 ? v.x - 3 : v.x;
  const DeformingMesh mesh =
      DeformingMesh::Create(trees::Make(two), to).value();
  const auto expected = FirstSelfContact(mesh);
  ASSERT_TRUE(expected);
  std::optional<DeformingContact> found;
  EXPECT_GT(ThrowAtEachAllocation([&] { found = FirstSelfContact(mesh); }), 0u);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->latest, expected->latest);
}

// Only the hard ones, decided on numbers of any length, allocate.
TEST(MotionAllocationTest, Triangles) {
  // Along an edge of the other one and past its end, to touch a corner at 1/2.
  const MovingTriangle still{{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}},
                             {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}};
  const MovingTriangle passing{
      {{1.0 / 3, -1, 1}, {1.0 / 3, -2, 1}, {2, -3, 1.0 / 7}},
      {{1.0 / 3, 1, -1}, {1.0 / 3, 0, -3}, {2, -1, -1.0 / 7}}};
  const auto expected = FirstContact(still, passing);
  ASSERT_TRUE(expected);
  std::optional<MotionContact> found;
  ThrowAtEachAllocation([&] { found = FirstContact(still, passing); });
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace orbox
