// SPDX-License-Identifier: Apache-2.0

// Scenes when memory runs out at the n-th allocation, for every n. Functions
// that return a status report it, others throw std::bad_alloc. After the next
// update, queries of the scene are right, and a tracker reports the changes.
// Nothing leaks (which a leak checker sees).
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "orbox/bvh/scene/contact_tracker.h"
#include "orbox/bvh/scene/scene.h"
#include "orbox/bvh/scene/scene_closest.h"
#include "orbox/bvh/scene/scene_hit.h"
#include "orbox/bvh/scene/scene_overlap.h"
#include "orbox/bvh/scene/scene_region_overlap.h"
#include "orbox/bvh/scene/scene_within.h"
#include "orbox/bvh/solids/scene_clash.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/meshes.h"
#include "tests/support/scenes.h"
#include "tests/support/solids.h"
#include "tests/support/trees.h"

namespace orbox {
namespace {

// oneTBB gets itself ready once in a process; where that runs out of memory, it
// waits for itself forever. So it is ready before anything fails.
[[maybe_unused]] const bool kIsReady = Build(meshes::Torus(60, 40)).ok();

std::vector<BodyPair> List(std::span<const BodyPair> pairs) {
  return {pairs.begin(), pairs.end()};
}

// Calls until there is memory; whether there was none at first.
template <typename Change>
bool Again(Change change) {
  absl::Status status = change();
  if (status.ok()) return false;
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  LetAllocationsSucceed();
  EXPECT_TRUE(change().ok());
  return true;
}

class SceneAllocationTest : public testing::Test {
 protected:
  // Adds, moves, reshapes and removes bodies in two frames. Returns true if
  // memory ran out.
  bool Change(Scene* scene) const {
    bool failed = false;
    const size_t count = scene->body_count();
    const auto add = [&](const Tree& tree, const Pose& pose) {
      const size_t before = scene->body_count();
      failed |= Again([&] {
        EXPECT_EQ(scene->body_count(), before);
        return scene->Add(tree, pose).status();
      });
    };
    add(ball_, Pose::Translation({0.5, 0, 0}));
    add(cast_[0].tree, Pose::Translation({0.5, 1, 0}));
    failed |= Again([&] {
      return scene->Move(1, Pose::Translation({1, 1, 1}));
    });
    failed |= Again([&] { return scene->Reshape(2, ring_); });
    failed |= Again([&] { return scene->Remove(3); });
    failed |= Update(scene);
    add(ring_, Pose::Translation({1, 1, 0.5}));
    failed |= Again([&] {
      return scene->Reshape(0, ball_, Pose::Translation({1, 0, 1}));
    });
    failed |= Again([&] { return scene->Remove(1); });
    failed |= Update(scene);
    EXPECT_EQ(scene->body_count(), count + 1);
    return failed;
  }

  const scenes::Cast cast_ = scenes::Crowd(10, 2, 1);
  const Tree ball_ = trees::Make(meshes::Icosphere(2, {0, 0, 0}, 0.5));
  const Tree ring_ = trees::Make(meshes::Torus(12, 6, 0.6, 0.2));
  const Scene scene_ = scenes::Make(cast_);

 private:
  static bool Update(Scene* scene) {
    if (!RunsOut([&] { scene->Update(); })) return false;
    scene->Update();
    return true;
  }
};

Scene MakeScene(const scenes::Cast& cast, BroadPhaseKind kind) {
  Scene scene(MakeBroadPhase(kind));
  for (const scenes::Actor& actor : cast) {
    EXPECT_TRUE(scene.Add(actor.tree, actor.pose).ok());
  }
  scene.Update();
  return scene;
}

TEST_F(SceneAllocationTest, Changes) {
  EXPECT_GT(ThrowAtEachAllocation([] { Scene scene; }), 1u);
  for (const BroadPhaseRow& row : kBroadPhases) {
    SCOPED_TRACE(row.name);
    Scene expected = MakeScene(cast_, row.kind);
    Change(&expected);
    EXPECT_GT(CountFailures([&](size_t n) {
                Scene scene = MakeScene(cast_, row.kind);
                SetAllocationsLeft(FailingThreads::kThisOne, n);
                const bool failed = Change(&scene);
                LetAllocationsSucceed();
                EXPECT_THAT(scene.bodies(),
                            testing::ElementsAreArray(expected.bodies()));
                EXPECT_EQ(List(scene.pairs_of_bounds()),
                          List(expected.pairs_of_bounds()))
                    << "allocation " << n;
                EXPECT_EQ(AllOverlaps(scene, {.threads = 1}),
                          AllOverlaps(expected, {.threads = 1}));
                return failed;
              }),
              10u);
  }
}

// A body whose number is past all that there were before: the scene is as if
// it had never been added.
TEST_F(SceneAllocationTest, AnAddThatFailedLeavesNothing) {
  const std::vector<BodyPair> pairs = List(scene_.pairs_of_bounds());
  EXPECT_GT(CountFailures([&](size_t n) {
              Scene scene = scenes::Make(cast_);
              SetAllocationsLeft(FailingThreads::kThisOne, n);
              const bool failed = !scene.Add(ball_).ok();
              LetAllocationsSucceed();
              if (!failed) return false;
              scene.Update();
              EXPECT_EQ(scene.body_count(), cast_.size());
              EXPECT_EQ(scene.id_end(), cast_.size());
              EXPECT_EQ(List(scene.pairs_of_bounds()), pairs);
              EXPECT_EQ(scene.Add(ball_).value(), cast_.size());
              return true;
            }),
            2u);
}

TEST_F(SceneAllocationTest, Poses) {
  // One by which the mesh has a tree of its own, and one that may come to it.
  const Pose flat{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}, {}};
  const Pose skew{{{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}}, {}};
  for (const Pose& pose : {flat, skew}) {
    EXPECT_GT(CountFailures([&](size_t n) {
                Scene scene = scenes::Make(cast_);
                SetAllocationsLeft(FailingThreads::kThisOne, n);
                return Again([&] { return scene.Move(0, pose); });
              }),
              0u);
  }
}

TEST_F(SceneAllocationTest, Pairs) {
  const auto expected = AllOverlappingTriangles(scene_);
  for (const FailingThreads which :
       {FailingThreads::kThisOne, FailingThreads::kAny}) {
    const RunOptions options{.threads =
                                 which == FailingThreads::kThisOne ? 1 : 2};
    const auto fail = [&](auto attempt) {
      EXPECT_GT(FailEachAllocation([&] { return attempt().status(); }, which,
                                   "memory"),
                0u);
    };
    fail([&] { return AllOverlaps(scene_, options); });
    fail([&] { return AllOverlappingTriangles(scene_, options); });
    fail([&] { return AllWithin(scene_, 0.5, options); });
    fail([&] { return AllTrianglesWithin(scene_, 0.1, options); });
    fail([&] { return AllBoundsWithin(scene_, 0.5, options); });
  }
  const auto after = AllOverlappingTriangles(scene_);
  EXPECT_EQ(after.bodies, expected.bodies);
  EXPECT_EQ(after.pairs.values, expected.pairs.values);
}

TEST_F(SceneAllocationTest, Clashes) {
  const Tree box = trees::Make(solids::Box({{0, 0, 0}, {1, 1, 1}}));
  Scene scene;
  for (const double x : {0.0, 0.5, 1.0}) {
    ASSERT_TRUE(scene.Add(box, Pose::Translation({x, 0.25, 0})).ok());
  }
  scene.Update();
  const ClashOptions options{.tolerance = 0.01, .clearance = 1};
  const size_t expected = AllClashes(scene, options).size();
  EXPECT_EQ(expected, 3u);
  for (const FailingThreads which :
       {FailingThreads::kThisOne, FailingThreads::kAny}) {
    const RunOptions run{.threads = which == FailingThreads::kThisOne ? 1 : 2};
    EXPECT_GT(FailEachAllocation(
                  [&] { return AllClashes(scene, options, run).status(); },
                  which, "memory"),
              0u);
  }
  EXPECT_EQ(AllClashes(scene, options).size(), expected);
}

TEST_F(SceneAllocationTest, ProbesAndSearches) {
  const PosedTree mesh =
      PosedTree::Create(ring_, Pose::Rotation({0, 0, 1}, 1, {1, 1, 1})).value();
  const auto fail = [](auto attempt) {
    EXPECT_GT(ThrowAtEachAllocation(attempt), 0u);
  };
  fail([&] { AnyOverlap(scene_, mesh); });
  fail([&] { AllOverlaps(scene_, mesh); });
  fail([&] { AnyWithin(scene_, mesh, 0.25); });
  fail([&] { AllWithin(scene_, mesh, 0.25); });
  fail([&] { ClosestPair(scene_, mesh); });
  fail([&] { ClosestPoint(scene_, Vec3{1, 1, 1}); });
  fail([&] { AllOverlappingTriangles(scene_, Sphere{{1, 1, 1}, 0.5}); });
  fail([&] { AllOverlappingTriangles(scene_, Aabb{{0, 0, 0}, {1, 1, 1}}); });
  fail([&] { AllOverlaps(scene_, Sphere{{1, 1, 1}, 0.5}); });
  fail([&] { AllOverlaps(scene_, Aabb{{0, 0, 0}, {1, 1, 1}}); });
  fail([&] { ClosestHit(scene_, Ray{{-1, -1, -1}, {1, 1, 1}}); });
  fail([&] { AnyHit(scene_, Ray{{-1, -1, -1}, {1, 1, 1}}); });
}

TEST_F(SceneAllocationTest, MotionsOfAPart) {
  meshes::Random random(1);
  std::vector<Pose> poses;
  for (int i = 0; i < 300; ++i) {
    poses.push_back(Pose::Translation(random.Point(0, 2)));
  }
  const auto fail = [&](auto attempt) {
    for (const FailingThreads which :
         {FailingThreads::kThisOne, FailingThreads::kAny}) {
      EXPECT_GT(FailEachAllocation([&] { return attempt().status(); }, which,
                                   "memory"),
                0u);
    }
  };
  const RunOptions options{.threads = 2};
  const std::span<const Pose> few = std::span(poses).first(30);
  fail([&] { return AnyOverlap(scene_, ring_, poses, {}, options); });
  fail([&] { return AllOverlaps(scene_, ring_, few, {}, options); });
  fail([&] { return AnyWithin(scene_, ring_, few, 0.1, {}, options); });
  fail([&] { return AllWithin(scene_, ring_, few, 0.1, {}, options); });
  fail([&] { return ClosestPair(scene_, ring_, few, {}, options); });
}

// A tracker that fails at one frame, then succeeds there, against one that
// never failed.
TEST_F(SceneAllocationTest, Trackers) {
  constexpr int kFrames = 4;
  const auto pose_of = [&](int frame) {
    return Pose::Translation({0.5 * frame, 1, 1});
  };
  for (const ContactGaps gaps : {ContactGaps::kNo, ContactGaps::kYes}) {
    for (int failing = 0; failing < kFrames; ++failing) {
      const size_t failures = CountFailures([&](size_t n) {
        Scene scene = scenes::Make(cast_);
        ContactTracker tracker(0.125, gaps);
        ContactTracker expected(0.125, gaps);
        bool failed = false;
        for (int frame = 0; frame < kFrames; ++frame) {
          EXPECT_TRUE(scene.Move(2, pose_of(frame)).ok());
          scene.Update();
          const std::vector<BodyPair> before = List(tracker.contacts());
          if (frame == failing) SetAllocationsLeft(FailingThreads::kThisOne, n);
          if (RunsOut([&] { tracker.Update(scene); })) {
            failed = true;
            EXPECT_EQ(List(tracker.contacts()), before);
            // Moves between the failure and the next update are not missed.
            EXPECT_TRUE(scene.Move(1, pose_of(frame + 1)).ok());
            scene.Update();
            tracker.Update(scene);
          } else if (frame == failing) {
            LetAllocationsSucceed();
          }
          expected.Update(scene);
          EXPECT_EQ(List(tracker.contacts()), List(expected.contacts()));
          EXPECT_THAT(tracker.events(),
                      testing::ElementsAreArray(expected.events()));
          EXPECT_EQ(tracker.gaps().size(), expected.gaps().size());
        }
        return failed;
      });
      EXPECT_GT(failures, 3u);
    }
  }
}

}  // namespace
}  // namespace orbox
