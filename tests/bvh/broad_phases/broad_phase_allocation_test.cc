// SPDX-License-Identifier: Apache-2.0

// Broad phases when memory runs out at the n-th allocation, for every n: a call
// that failed has changed nothing, an update that failed leaves no pairs, and
// the next one has them all. Nothing leaks (which a leak checker sees).
#include <cstddef>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "tests/support/every_broad_phase.h"
#include "tests/support/failing_allocations.h"
#include "tests/support/moving_boxes.h"

namespace orbox {
namespace {

using moving_boxes::Boxes;
using moving_boxes::Frames;
using moving_boxes::World;

// Calls until it does not fail; whether it did.
template <typename Call>
bool Again(Call call) {
  if (!RunsOut(call)) return false;
  call();
  return true;
}

// Reports the changes, each failed one once more. Returns true if any failed.
bool ApplyChanges(const Boxes& before, const Boxes& after, BroadPhase* phase) {
  bool failed = false;
  for (const auto& [body, box] : before) {
    if (after.contains(body)) continue;
    failed |= Again([&, id = body] { phase->Remove(id); });
  }
  for (const auto& [body, box] : after) {
    if (before.contains(body)) {
      failed |= Again([&, id = body, at = box] { phase->Move(id, at); });
    } else {
      failed |= Again([&, id = body, at = box] { phase->Insert(id, at); });
    }
  }
  if (RunsOut([&] { phase->Update(); })) {
    failed = true;
    EXPECT_TRUE(phase->pairs().empty());
    phase->Update();
  }
  return failed;
}

class BroadPhaseAllocationTest : public EveryBroadPhase {
 protected:
  // Lets allocations of one frame fail; how many there are.
  size_t FailIn(const World& world, int failing) const {
    return CountFailures([&](size_t n) {
      const std::unique_ptr<BroadPhase> phase = Make();
      Frames frames(world, 1);
      Boxes before;
      bool failed = false;
      for (int frame = 0; frame < failing + 3; ++frame) {
        if (frame > 0) frames.Next();
        if (frame == failing) SetAllocationsLeft(FailingThreads::kThisOne, n);
        failed |= ApplyChanges(before, frames.boxes(), phase.get());
        LetAllocationsSucceed();
        EXPECT_EQ(PairsOf(*phase), moving_boxes::Pairs(frames.boxes()))
            << "frame " << frame << ", allocation " << n;
        before = frames.boxes();
      }
      return failed;
    });
  }
};

INSTANTIATE_TEST_SUITE_P(BroadPhases, BroadPhaseAllocationTest,
                         testing::ValuesIn(kBroadPhases), NameOfKind);

TEST_P(BroadPhaseAllocationTest, Making) {
  EXPECT_GT(ThrowAtEachAllocation([&] { Make(); }), 0u);
}

TEST_P(BroadPhaseAllocationTest, TheFirstFrame) {
  EXPECT_GT(FailIn({.bodies = 60, .size = 0.4}, 0), 10u);
}

TEST_P(BroadPhaseAllocationTest, FramesInWhichManyMoveComeAndGo) {
  FailIn({.bodies = 60, .size = 0.4, .step = 0.5, .churn = 0.5}, 1);
  FailIn({.bodies = 60, .size = 0.4, .churn = 0.02}, 3);
}

// So that what is kept from frame to frame is.
TEST_P(BroadPhaseAllocationTest, FramesInWhichFewMove) {
  const World calm = {
      .bodies = 60, .size = 0.3, .step = 0.001, .moving = 0.1, .churn = 0.01};
  FailIn(calm, 2);
  FailIn(calm, 5);
}

TEST_P(BroadPhaseAllocationTest, Questions) {
  const auto phase = Make();
  Frames frames({.bodies = 200, .size = 0.2}, 1);
  ApplyChanges({}, frames.boxes(), phase.get());
  const Aabb box{{-0.5, -0.5, -0.5}, {0.25, 0.5, 0.5}};
  size_t expected = 0;
  for (const auto& [body, other] : frames.boxes()) {
    expected += moving_boxes::DoOverlap(box, other) ? 1 : 0;
  }
  size_t count = 0;
  EXPECT_GT(ThrowAtEachAllocation([&] {
              count = 0;
              phase->FindBodies(box, [&](BodyId) { ++count; });
            }),
            0u);
  EXPECT_EQ(count, expected);
  const Ray ray{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_GT(ThrowAtEachAllocation([&] {
              phase->VisitNearest(box, 9, [](BodyId, double) { return 9.0; });
              phase->VisitAlong(ray, 9, [](BodyId, double) { return 9.0; });
            }),
            0u);
}

}  // namespace
}  // namespace orbox
