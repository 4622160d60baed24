// SPDX-License-Identifier: Apache-2.0

// Hashes of the results of each query of a scene in which many bodies move,
// come and go, one number for a query. It is equal for every broad phase,
// storage, kind of volume, quality, instruction set and number of threads.
// Since the numbers are written here, it is equal for every compiler and kind
// of build as well.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "orbox/orbox.h"
#include "tests/support/golden_hash.h"
#include "tests/support/meshes.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// Choices in making a scene that must not change a result.
struct Case {
  BroadPhaseKind broad_phase = BroadPhaseKind::kAdaptive;
  size_t form = 0;  // of trees::Forms
  int threads = 1;
};

// Turned by a quaternion of small whole numbers, whose matrix is made of
// quotients: no library function's last bit. One in five stretched.
Pose RandomPose(meshes::Random& random, double side) {
  double q[4];
  double squared = 0;
  for (double& x : q) {
    x = static_cast<double>(random.Below(7)) - 3;
    squared += x * x;
  }
  if (squared == 0) q[0] = squared = 1;
  const auto [w, x, y, z] = q;
  Pose pose;
  pose.rows = {Vec3{w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                    2 * (x * z + w * y)},
               Vec3{2 * (x * y + w * z), w * w - x * x + y * y - z * z,
                    2 * (y * z - w * x)},
               Vec3{2 * (x * z - w * y), 2 * (y * z + w * x),
                    w * w - x * x - y * y + z * z}};
  const double scale = random.Below(4) == 0 ? 0.5 : 1;
  for (Vec3& row : pose.rows) {
    for (size_t i = 0; i < 3; ++i) row[i] = row[i] * scale / squared;
  }
  if (random.Below(5) == 0) pose.rows[1] = pose.rows[1] * 2.0;
  if (random.Below(8) == 0) pose = Pose::Identity();
  pose.translation = random.Point(0, side);
  return pose;
}

constexpr double kSide = 3;

std::vector<Mesh> Parts() {
  return {meshes::Icosphere(1, {0, 0, 0}, 0.5),
          meshes::Cube({-0.4, -0.4, -0.4}, 0.8),
          meshes::Torus(12, 6, 0.5, 0.15),
          meshes::Soup(20, 0.3),
          meshes::Tetrahedron(),
          meshes::OneTriangle()};
}

Tree TreeOf(const Mesh& mesh, const Case& c) {
  return trees::Make(mesh, trees::Forms()[c.form]);
}

// Calls call(scene) for each frame of a crowd: bodies move, some go and others
// come.
void ForEachFrame(const Case& c,
                  const std::function<void(const Scene&)>& call) {
  meshes::Random random(5);
  std::vector<Tree> trees;
  for (const Mesh& part : Parts()) {
    trees.push_back(TreeOf(part, c));
  }
  Scene scene(MakeBroadPhase(c.broad_phase));
  for (size_t i = 0; i < 40; ++i) {
    ASSERT_TRUE(
        scene.Add(trees[i % trees.size()], RandomPose(random, kSide)).ok());
  }
  for (BodyId frame = 0; frame < 4; ++frame) {
    scene.Update();
    call(scene);
    for (BodyId body = 0; body < 40; ++body) {
      if (body % 3 != frame % 3 || !scene.Contains(body)) continue;
      Pose pose = RandomPose(random, kSide);
      if (body % 2 == 0) {
        pose = scene.body(body).pose();
        pose.translation.x += 0.0625;
      }
      ASSERT_TRUE(scene.Move(body, pose).ok());
    }
    ASSERT_TRUE(scene.Remove(7 * frame).ok());
    if (frame % 2 != 0) {
      ASSERT_TRUE(scene.Add(trees[frame], RandomPose(random, kSide)).ok());
    }
  }
}

// A part that need not belong to the scene.
Tree PartOf(const Case& c) { return TreeOf(meshes::Torus(8, 5, 0.4, 0.1), c); }

std::vector<Pose> Poses() {
  meshes::Random random(6);
  std::vector<Pose> poses;
  for (int i = 0; i < 10; ++i) {
    poses.push_back(RandomPose(random, kSide));
    // And on from there in small steps.
    for (int j = 0; j < 4; ++j) {
      poses.push_back(poses.back());
      poses.back().translation.y += 0.03125;
    }
  }
  return poses;
}

void Clashes(const Case& c, Hash& hash) {
  const RunOptions options{.threads = c.threads};
  ForEachFrame(c, [&](const Scene& scene) {
    hash.Add(AllOverlaps(scene, options).value());
    hash.Add(AllOverlappingTriangles(scene, options).value());
  });
}

void Gaps(const Case& c, Hash& hash) {
  const RunOptions options{.threads = c.threads};
  ForEachFrame(c, [&](const Scene& scene) {
    hash.Add(AllWithin(scene, 0.25, options).value());
    hash.Add(AllTrianglesWithin(scene, 0.0625, options).value());
  });
}

void Probes(const Case& c, Hash& hash) {
  const Tree part = PartOf(c);
  ForEachFrame(c, [&](const Scene& scene) {
    for (const Pose& pose : Poses()) {
      const PosedTree mesh = PosedTree::Create(part, pose).value();
      hash.Add(uint64_t{AnyOverlap(scene, mesh)});
      hash.Add(AllOverlaps(scene, mesh, {.except = 3}));
      hash.Add(AllWithin(scene, mesh, 0.125));
      hash.Add(ClosestPair(scene, mesh));
    }
  });
}

void Searches(const Case& c, Hash& hash) {
  ForEachFrame(c, [&](const Scene& scene) {
    meshes::Random random(8);
    for (int i = 0; i < 15; ++i) {
      const Vec3 p = random.Point(-0.5, kSide + 0.5);
      const Vec3 q = random.Point(-0.5, kSide + 0.5);
      hash.Add(ClosestPoint(scene, p));
      hash.Add(AllOverlappingTriangles(scene, Sphere{p, 0.375}));
      hash.Add(AllOverlappingTriangles(scene, Aabb{Min(p, q), Max(p, q)}));
      hash.Add(AllOverlaps(scene, Sphere{q, 0.25}));
      hash.Add(ClosestHit(scene, Ray{p, q - p}));
      hash.Add(uint64_t{AnyHit(scene, Ray{p, q - p, 0, 0.5})});
    }
  });
}

void Motions(const Case& c, Hash& hash) {
  const Tree part = PartOf(c);
  const std::vector<Pose> poses = Poses();
  const RunOptions options{.threads = c.threads};
  ForEachFrame(c, [&](const Scene& scene) {
    hash.Add(AnyOverlap(scene, part, poses, {}, options).value());
    hash.Add(AllOverlaps(scene, part, poses, {}, options).value());
    hash.Add(AnyWithin(scene, part, poses, 0.125, {}, options).value());
    hash.Add(AllWithin(scene, part, poses, 0.125, {}, options).value());
    hash.Add(ClosestPair(scene, part, poses, {}, options).value());
  });
}

void Contacts(const Case& c, Hash& hash) {
  ContactTracker meeting;
  ContactTracker near(0.125, ContactGaps::kYes);
  ForEachFrame(c, [&](const Scene& scene) {
    for (ContactTracker* tracker : {&meeting, &near}) {
      ASSERT_TRUE(tracker->Update(scene, {.threads = c.threads}).ok());
      hash.Add(tracker->contacts());
      hash.Add(tracker->events());
      hash.Add(tracker->gaps());
    }
  });
}

constexpr Golden<Case> kGolden[] = {
    {"Clashes", Clashes, 0x18d88336919c4f64},
    {"Gaps", Gaps, 0x85623f974b2671ac},
    {"Probes", Probes, 0x114f39fb56e4d605},
    {"Searches", Searches, 0x880102d4f01b4c31},
    {"Motions", Motions, 0xf20cf46c7dba7542},
    {"Contacts", Contacts, 0x287062cb471d1b38},
};

class SceneGoldenTest : public testing::TestWithParam<Golden<Case>> {};

TEST_P(SceneGoldenTest, TheSameBytesHoweverTheSceneIsMade) {
  constexpr int kThreads[] = {1, 2, 3, 7};
  const size_t forms = trees::Forms().size();
  size_t i = 0;
  for (const BroadPhaseRow& row : kBroadPhases) {
    const Case c{row.kind, i % forms, kThreads[i % 4]};
    SCOPED_TRACE(row.name);
    SCOPED_TRACE(i);
    EXPECT_EQ(GetParam().HashOf(c), GetParam().expected);
    ++i;
  }
}

TEST_P(SceneGoldenTest, TheSameBytesOnEveryInstructionSet) {
  trees::OnEachInstructionSet([&] {
    ExpectGolden(GetParam().HashOf({.threads = 2}), GetParam().expected);
  });
}

INSTANTIATE_TEST_SUITE_P(Queries, SceneGoldenTest, testing::ValuesIn(kGolden),
                         NameOfGolden<Case>);

}  // namespace
}  // namespace orbox
