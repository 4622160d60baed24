// SPDX-License-Identifier: Apache-2.0

// Frame after frame of many bodies that go on where they were going: what broad
// phases keep from one frame to the next has to hold.
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phase/pair_changes.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "tests/support/bouncing_balls.h"
#include "tests/support/every_broad_phase.h"
#include "tests/support/sanitized.h"

namespace orbox {
namespace {

struct Scene {
  size_t balls;
  double diameter;
  double step;
  int frames;
  size_t thrown = 0;  // in each frame
};

// Compares with all pairs, which broad_phases_test compares with a plain loop.
void ExpectPairsOfAllPairs(BroadPhaseKind kind, const Scene& scene) {
  BouncingBalls balls(scene.balls, scene.diameter, scene.step, 1);
  const auto phase = MakeBroadPhase(kind);
  const auto all_pairs = MakeBroadPhase(BroadPhaseKind::kAllPairs);
  std::vector<BodyPair> before;
  size_t begun = 0;
  size_t ended = 0;
  for (int frame = 0; frame < scene.frames; ++frame) {
    SCOPED_TRACE(frame);
    for (BodyId i = 0; i < balls.size(); ++i) {
      for (BroadPhase* p : {phase.get(), all_pairs.get()}) {
        if (frame == 0) {
          p->Insert(i, balls.Box(i));
        } else {
          p->Move(i, balls.Box(i));
        }
      }
    }
    phase->Update();
    all_pairs->Update();
    const std::vector<BodyPair> pairs = PairsOf(*phase);
    ASSERT_TRUE(pairs == PairsOf(*all_pairs));
    // Begun and ended pairs are consistent with the current pairs.
    const PairChanges changes = ChangesOf(before, pairs);
    EXPECT_EQ(changes.begun.size() + changes.staying.size(), pairs.size());
    EXPECT_EQ(changes.ended.size() + changes.staying.size(), before.size());
    begun += changes.begun.size();
    ended += changes.ended.size();
    before = pairs;
    balls.Step();
    for (size_t k = 0; k < scene.thrown; ++k) {
      balls.Throw((static_cast<size_t>(frame) * 37 + k * 101) % balls.size());
    }
  }
  EXPECT_GT(begun, before.size());
  EXPECT_GT(ended, 0u);
}

TEST(BouncingBallsTest, TenThousandBallsAtEveryFrame) {
  const int frames = kSanitized ? 5 : 100;
  ExpectPairsOfAllPairs(BroadPhaseKind::kAdaptive,
                        {10'000, 0.05, 0.0005, frames});
}

TEST(BouncingBallsTest, TenThousandFastBalls) {
  const int frames = kSanitized ? 3 : 20;
  ExpectPairsOfAllPairs(BroadPhaseKind::kAdaptive,
                        {10'000, 0.05, 0.02, frames});
}

class EveryKind : public testing::TestWithParam<BroadPhaseRow> {};

INSTANTIATE_TEST_SUITE_P(BroadPhases, EveryKind,
                         testing::ValuesIn(kBroadPhases), [](const auto& row) {
                           return std::string(row.param.name);
                         });

TEST_P(EveryKind, CalmBalls) {
  ExpectPairsOfAllPairs(GetParam().kind,
                        {500, 0.15, 0.002, kSanitized ? 30 : 200});
}

TEST_P(EveryKind, CalmBallsOfWhichSomeAreThrown) {
  ExpectPairsOfAllPairs(GetParam().kind,
                        {500, 0.15, 0.001, kSanitized ? 30 : 200, 3});
}

TEST_P(EveryKind, FastBalls) {
  ExpectPairsOfAllPairs(GetParam().kind,
                        {500, 0.15, 0.1, kSanitized ? 30 : 100});
}

}  // namespace
}  // namespace orbox
