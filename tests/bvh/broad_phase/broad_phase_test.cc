// SPDX-License-Identifier: Apache-2.0

// Queries of every kind of broad phase, except for pairs.
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/bvh/broad_phases/broad_phases.h"
#include "tests/support/every_broad_phase.h"
#include "tests/support/moving_boxes.h"
#include "tests/support/special_numbers.h"

namespace orbox {
namespace {

using moving_boxes::ApplyChanges;
using moving_boxes::Boxes;
using moving_boxes::Frames;
using moving_boxes::World;
using moving_boxes::Worlds;

class BroadPhaseTest : public EveryBroadPhase {};

INSTANTIATE_TEST_SUITE_P(BroadPhases, BroadPhaseTest,
                         testing::ValuesIn(kBroadPhases), NameOfKind);

// All worlds' boxes of a later frame, and boxes to query with.
TEST_P(BroadPhaseTest, FindsTheBodiesThatMeetABox) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    Frames frames(world, 4);
    const auto phase = Make();
    ApplyChanges({}, frames.boxes(), 0, phase.get());
    const Boxes first = frames.boxes();
    frames.Next();
    ApplyChanges(first, frames.boxes(), 1, phase.get());
    Frames queries(world, 5);
    for (const auto& [number, query] : queries.boxes()) {
      std::vector<BodyId> expected;
      for (const auto& [body, box] : frames.boxes()) {
        if (moving_boxes::DoOverlap(query, box)) expected.push_back(body);
      }
      std::vector<BodyId> found;
      phase->FindBodies(query, [&](BodyId body) { found.push_back(body); });
      EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
    }
  }
}

long double Distance(const Aabb& a, const Aabb& b) {
  long double squared = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const long double gap =
        std::max({static_cast<long double>(a.lo[axis]) - b.hi[axis],
                  static_cast<long double>(b.lo[axis]) - a.hi[axis], 0.0L});
    squared += gap * gap;
  }
  return std::sqrt(squared);
}

TEST_P(BroadPhaseTest, VisitsTheNearestInOrder) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    Frames frames(world, 6);
    const auto phase = Make();
    ApplyChanges({}, frames.boxes(), 0, phase.get());
    Frames queries(world, 7);
    for (BodyId number = 0; number < 20; ++number) {
      const Aabb& query = queries.boxes().at(number);
      std::vector<long double> expected;
      for (const auto& [body, box] : frames.boxes()) {
        expected.push_back(Distance(query, box));
      }
      std::sort(expected.begin(), expected.end());
      // All of them, in order.
      size_t visited = 0;
      double last = 0;
      phase->VisitNearest(query, kInf, [&](BodyId body, double at_least) {
        EXPECT_GE(at_least, last);
        EXPECT_LE(at_least, Distance(query, frames.boxes().at(body)));
        EXPECT_GE(at_least * (1 + 1e-12L) + 1e-320L, expected[visited]);
        ++visited;
        last = at_least;
        return kInf;
      });
      EXPECT_EQ(visited, expected.size());
      // Those that are within a distance, and no others but by rounding.
      const double within = static_cast<double>(expected[10]) * (1 + 1e-12);
      visited = 0;
      phase->VisitNearest(query, within, [&](BodyId, double at_least) {
        EXPECT_LE(at_least, within);
        ++visited;
        return kInf;
      });
      EXPECT_GE(visited, 11u);
      // A visit that has seen enough.
      visited = 0;
      phase->VisitNearest(query, kInf, [&](BodyId, double) {
        ++visited;
        return -1.0;
      });
      EXPECT_EQ(visited, 1u);
    }
  }
}

// The first query after an update prepares data. Threads that query at the same
// time share it.
TEST_P(BroadPhaseTest, ThreadsMayQueryAtATime) {
  const World world{.name = "", .bodies = 300, .size = 0.3};
  Frames frames(world, 13);
  const auto phase = Make();
  Boxes before;
  for (unsigned frame = 0; frame < 5; ++frame) {
    ApplyChanges(before, frames.boxes(), frame, phase.get());
    std::vector<size_t> counts(4, 0);
    std::vector<std::thread> threads;
    for (size_t& count : counts) {
      threads.emplace_back([&phase, &count] {
        phase->FindBodies({{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}},
                          [&count](BodyId) { ++count; });
      });
    }
    for (std::thread& thread : threads) thread.join();
    const auto expected = static_cast<size_t>(std::count_if(
        frames.boxes().begin(), frames.boxes().end(), [](const auto& entry) {
          return moving_boxes::DoOverlap(entry.second,
                                         {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}});
        }));
    EXPECT_THAT(counts, testing::Each(expected));
    before = frames.boxes();
    frames.Next();
  }
}

TEST_P(BroadPhaseTest, VisitsWhatARayMeets) {
  const World world{.name = "", .bodies = 300, .size = 0.4, .ratio = 10};
  Frames frames(world, 8);
  const auto phase = Make();
  ApplyChanges({}, frames.boxes(), 0, phase.get());
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  size_t hits = 0;
  for (int i = 0; i < 200; ++i) {
    Ray ray{{uniform(random), uniform(random), uniform(random)},
            {uniform(random), uniform(random), uniform(random)}};
    if (i % 3 == 0) ray.direction[i / 3 % 3] = 0;
    std::vector<bool> seen(300);
    double last = 0;
    phase->VisitAlong(ray, kInf, [&](BodyId body, double at_least) {
      EXPECT_GE(at_least, last);
      last = at_least;
      seen[body] = true;
      return kInf;
    });
    for (const auto& [body, box] : frames.boxes()) {
      // Points of the ray that are well inside a box.
      bool overlaps = false;
      for (int step = 0; step < 400 && !overlaps; ++step) {
        const Vec3 p = ray.origin + ray.direction * (step * 0.01);
        overlaps = moving_boxes::DoOverlap(box, {p, p});
      }
      if (overlaps) {
        EXPECT_TRUE(seen[body]);
        ++hits;
      }
    }
    size_t visited = 0;
    phase->VisitAlong(ray, 0, [&](BodyId body, double at_least) {
      EXPECT_EQ(at_least, 0);
      EXPECT_TRUE(seen[body]);
      ++visited;
      return kInf;
    });
    EXPECT_LE(visited,
              static_cast<size_t>(std::count(seen.begin(), seen.end(), true)));
  }
  EXPECT_GT(hits, 100u);
}

TEST(BroadPhaseDeathTest, BodiesThatAreThereOrNotEndLoudly) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  for (const BroadPhaseRow& row : kBroadPhases) {
    SCOPED_TRACE(std::string(row.name));
    const std::unique_ptr<BroadPhase> phase = MakeBroadPhase(row.kind);
    phase->Insert(0, box);
    EXPECT_DEATH(phase->Insert(0, box),
                 "BroadPhase::Insert: the body is there");
    EXPECT_DEATH(phase->Move(99, box), "BroadPhase::Move: the body is not");
    EXPECT_DEATH(phase->Remove(99), "BroadPhase::Remove: the body is not");
  }
}

}  // namespace
}  // namespace orbox
