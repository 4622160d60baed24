// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phases/broad_phases.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/base/instruction_set.h"
#include "tests/support/every_broad_phase.h"
#include "tests/support/moving_boxes.h"

namespace orbox {
namespace {

using moving_boxes::ApplyChanges;
using moving_boxes::Boxes;
using moving_boxes::Frames;
using moving_boxes::World;
using moving_boxes::Worlds;
using testing::ElementsAreArray;

INSTANTIATE_TEST_SUITE_P(BroadPhases, EveryBroadPhase,
                         testing::ValuesIn(kBroadPhases), NameOfKind);

// Returns how many pairs met in all frames.
size_t CheckPairs(const World& world, unsigned seed, unsigned frame_count,
                  BroadPhase& phase) {
  SCOPED_TRACE(world.name);
  Frames frames(world, seed);
  Boxes before;
  size_t pairs = 0;
  for (unsigned frame = 0; frame < frame_count; ++frame) {
    ApplyChanges(before, frames.boxes(), frame, &phase);
    const std::vector<BodyPair> expected = moving_boxes::Pairs(frames.boxes());
    EXPECT_EQ(PairsOf(phase), expected) << frame;
    pairs += expected.size();
    before = frames.boxes();
    frames.Next();
  }
  return pairs;
}

TEST_P(EveryBroadPhase, ListsWhatMeetsInEveryFrame) {
  for (const World& world : Worlds()) {
    EXPECT_GT(CheckPairs(world, 1, 20, *Make()), 0u);
  }
}

TEST_P(EveryBroadPhase, ListsWhatMeetsInRandomWorlds) {
  size_t pairs = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    pairs += CheckPairs(moving_boxes::RandomWorld(seed), seed, 12, *Make());
  }
  EXPECT_GT(pairs, 0u);
}

TEST_P(EveryBroadPhase, DoesNotDependOnTheOrderOfCalls) {
  const World world{.name = "", .bodies = 200, .size = 0.3, .churn = 0.1};
  Frames frames(world, 2);
  const auto one = Make();
  const auto other = Make();
  Boxes before;
  for (unsigned frame = 0; frame < 10; ++frame) {
    ApplyChanges(before, frames.boxes(), frame, one.get());
    ApplyChanges(before, frames.boxes(), frame + 100, other.get());
    EXPECT_EQ(PairsOf(*one), PairsOf(*other));
    before = frames.boxes();
    frames.Next();
  }
}

TEST_P(EveryBroadPhase, DoesNotDependOnWhichAxisIsWhich) {
  const World world{.name = "", .bodies = 200, .size = 0.3, .thin_axis = 2};
  Frames frames(world, 3);
  const auto phase = Make();
  const auto turned = Make();
  const auto turn = [](const Vec3& p) { return Vec3{-p.y, p.z, p.x}; };
  Boxes before;
  Boxes turned_before;
  for (unsigned frame = 0; frame < 10; ++frame) {
    Boxes boxes;
    for (const auto& [body, box] : frames.boxes()) {
      const Vec3 a = turn(box.lo);
      const Vec3 b = turn(box.hi);
      boxes[body] = {Min(a, b), Max(a, b)};
    }
    ApplyChanges(before, frames.boxes(), frame, phase.get());
    ApplyChanges(turned_before, boxes, frame, turned.get());
    EXPECT_EQ(PairsOf(*phase), PairsOf(*turned));
    before = frames.boxes();
    turned_before = boxes;
    frames.Next();
  }
}

TEST_P(EveryBroadPhase, HasAllPairsOfEqualBoxes) {
  const Aabb flat{{1, 2, 3}, {1, 2.5, 3}};
  const auto phase = Make();
  const BodyId n = 60;
  for (BodyId body = 0; body < n; ++body) phase->Insert(body, flat);
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), n * (n - 1) / 2);
  for (BodyId body = 0; body < n; body += 2) {
    phase->Move(body, {{1, 2.5, 3}, {4, 5, 6}});
  }
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), n * (n - 1) / 2) << "touching";
  for (BodyId body = 0; body < n; body += 2) {
    phase->Move(body, {{1, std::nextafter(2.5, 3), 3}, {4, 5, 6}});
  }
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), n / 2 * (n / 2 - 1)) << "hardly apart";
}

// Boxes on a lattice, some of them flat, whose sides are off it by less than
// floats have room for.
TEST_P(EveryBroadPhase, WhatFloatsCannotTellApart) {
  std::mt19937 random(1);
  const auto below = [&random](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(random);
  };
  for (const int bodies : {2, 3, 20, 60, 300}) {
    SCOPED_TRACE(bodies);
    const auto phase = Make();
    Boxes before;
    for (unsigned frame = 0; frame < 30; ++frame) {
      Boxes boxes = before;
      for (int body = 0; body < bodies; ++body) {
        if (frame > 0 && below(4) != 0) continue;
        Aabb box;
        for (int axis = 0; axis < 3; ++axis) {
          const double lo = below(bodies > 60 ? 5 : 2) + (below(3) - 1) * 1e-12;
          box.lo[axis] = lo;
          box.hi[axis] = lo + (below(3) > 0 ? 1 : 0) + below(2) * 1e-12;
        }
        boxes[static_cast<BodyId>(body)] = box;
      }
      ApplyChanges(before, boxes, frame, phase.get());
      ASSERT_EQ(PairsOf(*phase), moving_boxes::Pairs(boxes)) << frame;
      before = boxes;
    }
  }
}

TEST_P(EveryBroadPhase, NegativeZeroIsZero) {
  const auto phase = Make();
  phase->Insert(0, {{-1, -1, -1}, {-0.0, -0.0, -0.0}});
  phase->Insert(1, {{0.0, 0.0, 0.0}, {1, 1, 1}});
  phase->Insert(2, {{0.0, 0.0, 0.0}, {-0.0, -0.0, -0.0}});
  phase->Insert(3, {{-0.0, -0.0, -0.0}, {0.0, 0.0, 0.0}});
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), 6u);
}

TEST_P(EveryBroadPhase, NumbersMayHaveGapsAndBeUsedAgain) {
  const auto phase = Make();
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  const Aabb apart{{2, 2, 2}, {3, 3, 3}};
  phase->Insert(1000, box);
  phase->Insert(7, box);
  EXPECT_TRUE(phase->pairs().empty()) << "before Update";
  phase->Update();
  EXPECT_THAT(phase->pairs(), ElementsAreArray({BodyPair{7, 1000}}));
  phase->Remove(7);
  phase->Insert(7, apart);
  phase->Update();
  EXPECT_TRUE(phase->pairs().empty());
  phase->Remove(7);
  phase->Insert(7, box);
  phase->Move(1000, apart);
  phase->Move(1000, box);
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), 1u);
  phase->Insert(8, box);
  phase->Remove(8);
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), 1u);
  phase->Remove(7);
  phase->Remove(1000);
  phase->Update();
  EXPECT_TRUE(phase->pairs().empty());
  phase->Update();
  phase->Insert(3, box);
  phase->Update();
  EXPECT_TRUE(phase->pairs().empty());
}

TEST_P(EveryBroadPhase, EveryInstructionSetGivesTheSame) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    const Frames frames(world, 11);
    const std::vector<BodyPair> expected = moving_boxes::Pairs(frames.boxes());
    for (const InstructionSet set : SupportedInstructionSets()) {
      ASSERT_TRUE(SetInstructionSet(set));
      const auto phase = Make();
      ApplyChanges({}, frames.boxes(), 1, phase.get());
      EXPECT_EQ(PairsOf(*phase), expected);
      // Once more, with what is kept from frame to frame.
      for (const auto& [body, box] : frames.boxes()) phase->Move(body, box);
      phase->Update();
      EXPECT_EQ(PairsOf(*phase), expected);
    }
  }
  SetInstructionSet(std::nullopt);
}

// So far apart that floats, or a grid, cannot separate the bodies of a cluster.
// Kinds that sort by columns need another method.
TEST(BroadPhasesTest, ClustersFarApart) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> uniform(0, 30);
  Boxes boxes;
  for (BodyId body = 0; body < 4000; ++body) {
    const double far = body % 2 == 0 ? -1e10 : 1e10;
    const Vec3 lo = Vec3{far, far, far} +
                    Vec3{uniform(random), uniform(random), uniform(random)};
    boxes[body] = {lo, lo + Vec3{1, 1, 1}};
  }
  const std::vector<BodyPair> expected = moving_boxes::Pairs(boxes);
  EXPECT_GT(expected.size(), 100u);
  for (const BroadPhaseKind kind :
       {BroadPhaseKind::kColumnSweep, BroadPhaseKind::kAdaptive}) {
    const auto phase = MakeBroadPhase(kind);
    ApplyChanges({}, boxes, 1, phase.get());
    EXPECT_TRUE(PairsOf(*phase) == expected);
    for (int frame = 0; frame < 4; ++frame) {
      for (const auto& [body, box] : boxes) phase->Move(body, box);
      phase->Update();
      EXPECT_TRUE(PairsOf(*phase) == expected);
    }
  }
}

TEST(BroadPhasesTest, TheTableNamesEachKindOnce) {
  for (const BroadPhaseRow& row : kBroadPhases) {
    EXPECT_EQ(std::count_if(std::begin(kBroadPhases), std::end(kBroadPhases),
                            [&row](const BroadPhaseRow& other) {
                              return other.name == row.name ||
                                     other.kind == row.kind;
                            }),
              1);
    EXPECT_NE(MakeBroadPhase(row.kind), nullptr);
  }
}

}  // namespace
}  // namespace orbox
