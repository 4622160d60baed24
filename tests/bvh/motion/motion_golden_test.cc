// SPDX-License-Identifier: Apache-2.0

// Hashes of the results of motion queries: first contacts of moving triangles
// and meshes, and queries of a mesh that changes its shape. There is one number
// for each query. It is equal for every storage, kind of volume, quality,
// instruction set and number of threads. Since the numbers are written here, it
// is equal for every compiler and kind of build as well.
//
// Two results are not hashed. Times of bodies that turn use the C library's
// sine and may differ in its last bits (rigid_motion.h). Times of rigid bodies
// depend on the steps taken, and so on the kind of tree (time_of_contact.h).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/orbox.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "tests/support/golden_hash.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Choices that must not change a result: an index into trees::Forms(), and a
// number of threads.
struct Case {
  size_t form = 0;
  int threads = 1;
};

Tree TreeOf(const Mesh& mesh, const Case& c) {
  return trees::Make(mesh, trees::Forms()[c.form]);
}

std::vector<Vec3> Shaken(const Mesh& mesh, const Vec3& way, double stray,
                         meshes::Random& random) {
  std::vector<Vec3> vertices;
  for (const Vec3& v : mesh.vertices()) {
    vertices.push_back(v + way + random.Point(-stray, stray));
  }
  return vertices;
}

Triangle RandomTriangle(meshes::Random& random, bool is_whole) {
  Triangle t;
  for (size_t i = 0; i < 3; ++i) {
    t[i] = random.Point(-2, 2);
    if (!is_whole) continue;
    for (size_t k = 0; k < 3; ++k) t[i][k] = std::round(t[i][k]);
  }
  return t;
}

void Triangles(const Case&, Hash& hash) {
  meshes::Random random(1);
  const SharedCorner shared[] = {{0, 2}, {1, 0}};
  for (int i = 0; i < 300; ++i) {
    MovingTriangle s;
    MovingTriangle t;
    for (MovingTriangle* m : {&s, &t}) {
      m->from = RandomTriangle(random, i % 3 == 0);
      m->to = RandomTriangle(random, i % 3 == 0);
    }
    hash.Add(FirstContact(s, t));
    hash.Add(FirstContact(s, t, {.tolerance = 0.125, .max_t = 0.5}));
    for (const SharedCorner& corner : shared) {
      t.from[corner.of_second] = s.from[corner.of_first];
      t.to[corner.of_second] = s.to[corner.of_first];
    }
    hash.Add(FirstContactBeyond(s, t, shared));
  }
}

void Deforming(const Case& c, Hash& hash) {
  meshes::Random random(2);
  const Mesh ball = meshes::Icosphere(1, {0, 0, 0}, 0.5);
  const Mesh ring = meshes::Torus(12, 6);
  for (int i = 0; i < 16; ++i) {
    const Vec3 start = random.Point(-2, 2);
    const Mesh moved = meshes::Moved(ball, Pose::Translation(start));
    const DeformingMesh a =
        DeformingMesh::Create(TreeOf(moved, c),
                              Shaken(moved, start * -1.5, 0.25, random))
            .value();
    const DeformingMesh b =
        DeformingMesh::Create(TreeOf(ring, c), Shaken(ring, {}, 0.25, random))
            .value();
    hash.Add(FirstContact(a, b));
    hash.Add(FirstContact(a, b, {.max_t = 0.25}));
    hash.Add(FirstSelfContact(b));
  }
}

// A tree that is moved: refitted, and rebuilt.
void DeformingTrees(const Case& c, Hash& hash) {
  meshes::Random random(3);
  const Mesh mesh = meshes::Torus(16, 8);
  const Tree other = TreeOf(meshes::Icosphere(1, {1, 0, 0}, 0.5), c);
  DeformingOptions options;
  options.build.volumes = trees::Kinds()[c.form % 4].volumes;
  options.build.quality = static_cast<Quality>(c.form % 3);
  options.build.threads = c.threads;
  DeformingTree tree = DeformingTree::Create(mesh, options).value();
  for (int frame = 0; frame < 6; ++frame) {
    const double stray = frame == 4 ? 0.5 : 0.03125;
    ASSERT_TRUE(tree.Move(Shaken(mesh, {}, stray, random)).ok());
    hash.Add(AllSelfWithin(tree.tree(), 0.03125));
    hash.Add(AllSelfOverlaps(tree.tree()));
    hash.Add(AllOverlaps(tree.tree(), other));
    hash.Add(*ClosestPair(tree.tree(), other));
    for (int i = 0; i < 20; ++i) {
      hash.Add(ClosestPoint(tree.tree(), random.Point(-1.5, 1.5)));
    }
  }
}

// Calls check(a, b) for motions of two bodies, of which `angle` is how far the
// first one turns.
void ForEachRigidMotion(
    const Case& c, double angle,
    const std::function<void(const MovingTree&, const MovingTree&)>& check) {
  meshes::Random random(4);
  const Tree ball = TreeOf(meshes::Icosphere(1, {0, 0, 0}, 0.5), c);
  const Tree ring = TreeOf(meshes::Torus(12, 6), c);
  for (int i = 0; i < 24; ++i) {
    RigidMotion way;
    way.start.rows = {Vec3{0.6, -0.8, 0}, Vec3{0.8, 0.6, 0}, Vec3{0, 0, 1}};
    way.start.translation = random.Point(-3, 3);
    way.translation = way.start.translation * -1.75;
    way.axis = random.Point(1, 2);
    way.angle = angle;
    RigidMotion other;
    other.translation = random.Point(-0.5, 0.5);
    check(MovingTree::Create(ball, way).value(),
          MovingTree::Create(ring, other).value());
  }
}

void RigidOutcomes(const Case& c, Hash& hash) {
  for (const double angle : {0.0, 2.0}) {
    ForEachRigidMotion(c, angle, [&](const MovingTree& a, const MovingTree& b) {
      hash.Add(static_cast<uint64_t>(TimeOfContact(a, b).outcome));
    });
  }
}

void RigidTimes(const Case&, Hash& hash) {
  ForEachRigidMotion({}, 0, [&](const MovingTree& a, const MovingTree& b) {
    hash.Add(TimeOfContact(a, b));
    hash.Add(TimeOfContact(a, b, {.tolerance = 0.01, .max_steps = 7}));
  });
}

constexpr Golden<Case> kGolden[] = {
    {"Triangles", Triangles, 0xc0d85758546a4c31},
    {"Deforming", Deforming, 0x0935c7ada0be0b2a},
    {"DeformingTrees", DeformingTrees, 0x60dba5f3d7099cf0},
    {"RigidOutcomes", RigidOutcomes, 0xe39ca89fce8a2369},
    {"RigidTimes", RigidTimes, 0x99a5e3b583e8eb33},
};

class MotionGoldenTest : public testing::TestWithParam<Golden<Case>> {};

TEST_P(MotionGoldenTest, TheSameBytesHoweverTreesAreBuilt) {
  constexpr int kThreads[] = {1, 2, 3, 7};
  for (size_t i = 0; i < trees::Forms().size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(GetParam().HashOf({i, kThreads[i % 4]}), GetParam().expected);
  }
}

TEST_P(MotionGoldenTest, TheSameBytesOnEveryInstructionSet) {
  trees::OnEachInstructionSet([&] {
    ExpectGolden(GetParam().HashOf({.threads = 2}), GetParam().expected);
  });
}

INSTANTIATE_TEST_SUITE_P(Questions, MotionGoldenTest,
                         testing::ValuesIn(kGolden), NameOfGolden<Case>);

// Turning bodies, whose times are not written down: no instruction set of ours
// changes them.
TEST(MotionGoldenTurningTest, TurningBodiesOnEveryInstructionSet) {
  const auto hash_of = [] {
    Hash hash;
    ForEachRigidMotion({}, 2, [&](const MovingTree& a, const MovingTree& b) {
      hash.Add(TimeOfContact(a, b));
    });
    return hash.value();
  };
  const uint64_t expected = hash_of();
  trees::OnEachInstructionSet([&] { EXPECT_EQ(hash_of(), expected); });
}

}  // namespace
}  // namespace orbox
