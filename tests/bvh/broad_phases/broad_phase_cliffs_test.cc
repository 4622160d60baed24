// SPDX-License-Identifier: Apache-2.0

// The default broad phase where bodies are in a plane, in a line, on one spot,
// of all sizes, around all others or far away: right answers, and no more steps
// than in general position. Steps are counted, not timed.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "bench/bvh/broad_phases/cliff_cases.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "orbox/overlap/boxes/box_box.h"
#include "tests/support/every_broad_phase.h"
#include "tests/support/sanitized.h"

namespace orbox {
namespace {

using broad_bench::CliffCase;
using broad_bench::CliffRandom;
using broad_bench::kCliffCases;

std::unique_ptr<BroadPhase> PhaseOf(const std::vector<Aabb>& boxes,
                                    BroadPhaseKind kind) {
  std::unique_ptr<BroadPhase> phase = MakeBroadPhase(kind);
  for (BodyId body = 0; body < boxes.size(); ++body) {
    phase->Insert(body, boxes[body]);
  }
  phase->Update();
  return phase;
}

// Each by up to a twentieth of its size, the same way each time.
void Move(std::vector<Aabb>* boxes, BroadPhase* phase) {
  CliffRandom random(boxes->size());
  for (BodyId body = 0; body < boxes->size(); ++body) {
    Aabb& box = (*boxes)[body];
    const Vec3 size = box.hi - box.lo;
    const Vec3 share = random.Point(-0.05, 0.05);
    const Vec3 step{size.x * share.x, size.y * share.y, size.z * share.z};
    box = {box.lo + step, box.hi + step};
    phase->Move(body, box);
  }
  phase->Update();
}

std::vector<BodyPair> AllPairs(const std::vector<Aabb>& boxes) {
  std::vector<BodyPair> pairs;
  for (BodyId a = 0; a < boxes.size(); ++a) {
    for (BodyId b = a + 1; b < boxes.size(); ++b) {
      if (Overlaps(boxes[a], boxes[b])) pairs.push_back({a, b});
    }
  }
  return pairs;
}

TEST(BroadPhaseCliffsTest, PairsAreRight) {
  for (const CliffCase& c : kCliffCases) {
    SCOPED_TRACE(c.name);
    for (const BroadPhaseKind kind :
         {BroadPhaseKind::kAdaptive, BroadPhaseKind::kColumnSweep,
          BroadPhaseKind::kMortonTree}) {
      std::vector<Aabb> boxes = c.make(600);
      const auto phase = PhaseOf(boxes, kind);
      EXPECT_EQ(PairsOf(*phase), AllPairs(boxes));
      for (int frame = 0; frame < 4; ++frame) {
        Move(&boxes, phase.get());
        EXPECT_EQ(PairsOf(*phase), AllPairs(boxes)) << frame;
      }
    }
  }
}

size_t StepsOf(const BroadPhase& phase) {
  return static_cast<const Phase&>(phase).steps();
}

// Steps for each body and pair, the most of some frames.
double MostSteps(const CliffCase& c, size_t n) {
  std::vector<Aabb> boxes = c.make(n);
  const auto phase = PhaseOf(boxes, BroadPhaseKind::kAdaptive);
  double most = 0;
  for (int frame = 0; frame < 6; ++frame) {
    most = std::max(
        most, static_cast<double>(StepsOf(*phase)) /
                  static_cast<double>(boxes.size() + phase->pairs().size()));
    Move(&boxes, phase.get());
  }
  return most;
}

// About 3 in general position. The steps that are wasted before a tree takes
// over are limited to ten times as many, for any number of bodies.
constexpr double kMostSteps = 30;

TEST(BroadPhaseCliffsTest, StepsAreBounded) {
  for (const CliffCase& c : kCliffCases) {
    SCOPED_TRACE(c.name);
    for (const size_t n : {1024, 4096, 16'384, 65'536}) {
      if (kSanitized && n > 4096) continue;
      EXPECT_LE(MostSteps(c, n), kMostSteps) << n;
    }
  }
}

// The tree has to do without columns wherever they give up.
TEST(BroadPhaseCliffsTest, StepsOfTheTreeAreBounded) {
  for (const CliffCase& c : kCliffCases) {
    SCOPED_TRACE(c.name);
    for (const size_t n : {1024, 16'384}) {
      const std::vector<Aabb> boxes = c.make(n);
      const auto phase = PhaseOf(boxes, BroadPhaseKind::kMortonTree);
      EXPECT_LE(StepsOf(*phase), 12 * (boxes.size() + phase->pairs().size()));
    }
  }
}

}  // namespace
}  // namespace orbox
