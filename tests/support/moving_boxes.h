// SPDX-License-Identifier: Apache-2.0

// Bodies' boxes that come, move and go, and which of them meet: the slow,
// obvious way.
#ifndef ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_
#define ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox::moving_boxes {

using Boxes = std::map<BodyId, Aabb>;

inline bool DoOverlap(const Aabb& a, const Aabb& b) {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (a.lo[axis] > b.hi[axis] || b.lo[axis] > a.hi[axis]) return false;
  }
  return true;
}

inline std::vector<BodyPair> Pairs(const Boxes& boxes) {
  std::vector<BodyPair> pairs;
  for (auto a = boxes.begin(); a != boxes.end(); ++a) {
    for (auto b = std::next(a); b != boxes.end(); ++b) {
      if (DoOverlap(a->second, b->second))
        pairs.push_back({a->first, b->first});
    }
  }
  return pairs;
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

inline std::vector<World> Worlds() {
  return {
      {.name = "sparse", .bodies = 150, .size = 0.1},
      {.name = "dense", .bodies = 150, .size = 0.4},
      {.name = "calm", .bodies = 300, .size = 0.2, .step = 0.0005, .churn = 0},
      {.name = "few move", .bodies = 300, .size = 0.2, .moving = 0.01},
      {.name = "fast", .bodies = 150, .size = 0.2, .step = 1},
      {.name = "few jump",
       .bodies = 150,
       .size = 0.5,
       .step = 0.5,
       .moving = 0.02,
       .churn = 0},
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

// A world with random choices.
inline World RandomWorld(unsigned seed) {
  std::mt19937 random(seed);
  const auto any = [&random](std::initializer_list<double> values) {
    return values.begin()[random() % values.size()];
  };
  World world{.name = "random " + std::to_string(seed),
              .bodies = static_cast<int>(any({2, 20, 30, 60, 130, 200})),
              .size = any({0, 0.02, 0.1, 0.3, 1})};
  world.ratio = any({1, 1, 10, 1000});
  world.step = any({0, 1e-4, 0.01, 0.1, 0.5, 4, 1000});
  world.moving = any({0.005, 0.02, 0.1, 1});
  world.churn = any({0, 0, 0.005, 0.2});
  world.lattice = any({0, 0, 0.125, 0.5});
  world.flat_axis = static_cast<int>(any({-1, -1, 0, 1, 2}));
  world.thin_axis = static_cast<int>(any({-1, -1, -1, 0, 1, 2, 3}));
  world.scale = any({1, 1, 1, 1e-300, 0x1p-1070, 1e300});
  world.offset = world.scale == 1 ? any({0, 0, 0x1p20, 0x1p53}) : 0;
  return world;
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

// Passes the changes to a broad phase, in an order given by the seed.
inline void ApplyChanges(const Boxes& before, const Boxes& after, unsigned seed,
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

}  // namespace orbox::moving_boxes

#endif  // ORBOX_TESTS_SUPPORT_MOVING_BOXES_H_
