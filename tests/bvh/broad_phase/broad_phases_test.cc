#include "orbox/bvh/broad_phase/broad_phases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "orbox/overlap/instruction_set.h"
#include "tests/support/moving_boxes.h"

namespace orbox {
namespace {

using moving_boxes::Boxes;
using testing::ElementsAreArray;

std::vector<BodyPair> PairsOf(const BroadPhase& phase) {
  return {phase.pairs().begin(), phase.pairs().end()};
}

// A world of bodies that are inserted, moved, removed and inserted again.
struct World {
  std::string name;
  int bodies;
  double size;       // of the largest box, in a world of edge 2
  double ratio = 1;  // of the largest to the smallest
  double step = 0.01;
  double moving = 1;    // the share that moves in a frame
  double churn = 0.02;  // the share inserted or removed in a frame
  double scale = 1;     // of all coordinates
  double offset = 0;    // of all coordinates, before scaling
  double lattice = 0;   // coordinates are multiples of it
  int flat_axis = -1;   // an axis along which boxes are flat
  int thin_axis = -1;   // an axis along which the world is
};

std::vector<World> Worlds() {
  return {
      {.name = "sparse", .bodies = 150, .size = 0.1},
      {.name = "dense", .bodies = 150, .size = 0.4},
      {.name = "calm", .bodies = 300, .size = 0.2, .step = 0.0005, .churn = 0},
      {.name = "few move", .bodies = 300, .size = 0.2, .moving = 0.01},
      {.name = "fast", .bodies = 150, .size = 0.2, .step = 1},
      {.name = "sizes", .bodies = 300, .size = 1, .ratio = 1000},
      {.name = "points", .bodies = 200, .size = 0, .lattice = 0.25},
      {.name = "lattice", .bodies = 200, .size = 0.5, .lattice = 0.125},
      {.name = "flat",
       .bodies = 200,
       .size = 0.5,
       .lattice = 0.125,
       .flat_axis = 1},
      {.name = "plane", .bodies = 200, .size = 0.1, .thin_axis = 2},
      {.name = "line", .bodies = 200, .size = 0.02, .thin_axis = 3},
      {.name = "huge", .bodies = 150, .size = 0.3, .scale = 1e300},
      {.name = "largest", .bodies = 100, .size = 0.3, .scale = 8e307},
      {.name = "denormal", .bodies = 150, .size = 0.3, .scale = 1e-320},
      {.name = "far away", .bodies = 150, .size = 0.3, .offset = 1 << 20},
      {.name = "farther", .bodies = 150, .size = 0.3, .offset = 0x1p50},
  };
}

class Frames {
 public:
  Frames(const World& world, unsigned seed) : world_(world), random_(seed) {
    for (BodyId body = 0; body < static_cast<BodyId>(world.bodies); ++body) {
      boxes_[body] = NewBox();
    }
  }

  const Boxes& boxes() const { return boxes_; }

  void Next() {
    for (auto& [body, box] : boxes_) {
      if (Uniform(0, 1) >= world_.moving) continue;
      Aabb moved = box;
      const Vec3 by = Vec3{Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)} *
                      (world_.step * world_.scale);
      moved.lo += by;
      moved.hi += by;
      if (IsValid(moved)) box = moved;
    }
    for (BodyId body = 0; body < static_cast<BodyId>(world_.bodies); ++body) {
      if (Uniform(0, 1) >= world_.churn) continue;
      if (boxes_.erase(body) == 0) boxes_[body] = NewBox();
    }
  }

 private:
  double Uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }

  Aabb NewBox() {
    const double edge = world_.size * std::pow(world_.ratio, -Uniform(0, 1));
    Aabb box;
    for (int axis = 0; axis < 3; ++axis) {
      const bool thin =
          world_.thin_axis == axis || (world_.thin_axis == 3 && axis != 1);
      double lo = thin ? 0 : Uniform(-1, 1);
      double length = axis == world_.flat_axis ? 0 : edge * Uniform(0.5, 1);
      if (world_.lattice > 0) {
        lo = std::round(lo / world_.lattice) * world_.lattice;
        length = std::round(length / world_.lattice) * world_.lattice;
      }
      box.lo[axis] = (lo + world_.offset) * world_.scale;
      box.hi[axis] = (lo + length + world_.offset) * world_.scale;
    }
    return box;
  }

  World world_;
  std::mt19937 random_;
  Boxes boxes_;
};

// Tells a broad phase what differs, in an order of the seed's.
void Tell(const Boxes& before, const Boxes& after, unsigned seed,
          BroadPhase* phase) {
  std::vector<std::pair<BodyId, int>> calls;
  for (const auto& [body, box] : before) {
    if (!after.contains(body)) calls.push_back({body, 0});
  }
  for (const auto& [body, box] : after) {
    const auto old = before.find(body);
    if (old == before.end()) {
      calls.push_back({body, 1});
    } else if (!(old->second.lo == box.lo && old->second.hi == box.hi)) {
      calls.push_back({body, 2});
    }
  }
  std::shuffle(calls.begin(), calls.end(), std::mt19937(seed));
  for (const auto& [body, call] : calls) {
    if (call == 0) phase->Remove(body);
    if (call == 1) phase->Insert(body, after.at(body));
    if (call == 2) phase->Move(body, after.at(body));
  }
  phase->Update();
}

class EveryKind : public testing::TestWithParam<BroadPhaseRow> {
 protected:
  std::unique_ptr<BroadPhase> Make() const {
    return MakeBroadPhase(GetParam().kind);
  }
};

INSTANTIATE_TEST_SUITE_P(BroadPhases, EveryKind,
                         testing::ValuesIn(kBroadPhases), [](const auto& row) {
                           return std::string(row.param.name);
                         });

TEST_P(EveryKind, ListsWhatMeetsInEveryFrame) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    Frames frames(world, 1);
    const auto phase = Make();
    Boxes before;
    size_t pairs = 0;
    for (unsigned frame = 0; frame < 20; ++frame) {
      SCOPED_TRACE(frame);
      Tell(before, frames.boxes(), frame, phase.get());
      const std::vector<BodyPair> expected =
          moving_boxes::Pairs(frames.boxes());
      ASSERT_EQ(PairsOf(*phase), expected);
      pairs += expected.size();
      before = frames.boxes();
      frames.Next();
    }
    EXPECT_GT(pairs, 0u);
  }
}

TEST_P(EveryKind, DoesNotDependOnTheOrderOfCalls) {
  const World world{.name = "", .bodies = 200, .size = 0.3, .churn = 0.1};
  Frames frames(world, 2);
  const auto one = Make();
  const auto other = Make();
  Boxes before;
  for (unsigned frame = 0; frame < 10; ++frame) {
    Tell(before, frames.boxes(), frame, one.get());
    Tell(before, frames.boxes(), frame + 100, other.get());
    EXPECT_EQ(PairsOf(*one), PairsOf(*other));
    before = frames.boxes();
    frames.Next();
  }
}

TEST_P(EveryKind, DoesNotDependOnWhichAxisIsWhich) {
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
    Tell(before, frames.boxes(), frame, phase.get());
    Tell(turned_before, boxes, frame, turned.get());
    EXPECT_EQ(PairsOf(*phase), PairsOf(*turned));
    before = frames.boxes();
    turned_before = boxes;
    frames.Next();
  }
}

TEST_P(EveryKind, HasAllPairsOfEqualBoxes) {
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

TEST_P(EveryKind, NegativeZeroIsZero) {
  const auto phase = Make();
  phase->Insert(0, {{-1, -1, -1}, {-0.0, -0.0, -0.0}});
  phase->Insert(1, {{0.0, 0.0, 0.0}, {1, 1, 1}});
  phase->Insert(2, {{0.0, 0.0, 0.0}, {-0.0, -0.0, -0.0}});
  phase->Insert(3, {{-0.0, -0.0, -0.0}, {0.0, 0.0, 0.0}});
  phase->Update();
  EXPECT_EQ(phase->pairs().size(), 6u);
}

TEST_P(EveryKind, NumbersMayHaveGapsAndBeUsedAgain) {
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

// All worlds' boxes of a later frame, and boxes to ask about.
TEST_P(EveryKind, FindsTheBodiesThatMeetABox) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    Frames frames(world, 4);
    const auto phase = Make();
    Tell({}, frames.boxes(), 0, phase.get());
    const Boxes first = frames.boxes();
    frames.Next();
    Tell(first, frames.boxes(), 1, phase.get());
    Frames queries(world, 5);
    for (const auto& [number, query] : queries.boxes()) {
      std::vector<BodyId> expected;
      for (const auto& [body, box] : frames.boxes()) {
        if (moving_boxes::Meet(query, box)) expected.push_back(body);
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

TEST_P(EveryKind, VisitsTheNearestInOrder) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    Frames frames(world, 6);
    const auto phase = Make();
    Tell({}, frames.boxes(), 0, phase.get());
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

TEST_P(EveryKind, VisitsWhatARayMeets) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const World world{.name = "", .bodies = 300, .size = 0.4, .ratio = 10};
  Frames frames(world, 8);
  const auto phase = Make();
  Tell({}, frames.boxes(), 0, phase.get());
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
      bool meets = false;
      for (int step = 0; step < 400 && !meets; ++step) {
        const Vec3 p = ray.origin + ray.direction * (step * 0.01);
        meets = moving_boxes::Meet(box, {p, p});
      }
      if (meets) {
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

TEST_P(EveryKind, EveryInstructionSetGivesTheSame) {
  for (const World& world : Worlds()) {
    SCOPED_TRACE(world.name);
    const Frames frames(world, 11);
    const std::vector<BodyPair> expected = moving_boxes::Pairs(frames.boxes());
    for (const InstructionSet set : SupportedInstructionSets()) {
      ASSERT_TRUE(SetInstructionSet(set));
      const auto phase = Make();
      Tell({}, frames.boxes(), 1, phase.get());
      EXPECT_EQ(PairsOf(*phase), expected);
      // Once more, with what is kept from frame to frame.
      for (const auto& [body, box] : frames.boxes()) phase->Move(body, box);
      phase->Update();
      EXPECT_EQ(PairsOf(*phase), expected);
    }
  }
  SetInstructionSet(std::nullopt);
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
