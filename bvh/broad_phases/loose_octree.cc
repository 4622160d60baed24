// SPDX-License-Identifier: Apache-2.0

// A loose octree (Ulrich, "Loose octrees", Game Programming Gems, 2000): each
// level is a grid. A body is in the cell of its centre, in the finest level
// whose cells are at least as large as the body. So the body extends beyond its
// cell by at most half a cell.
#include <algorithm>
#include <cmath>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"
#include "orbox/overlap/boxes/box_box.h"

namespace orbox {
namespace {

// Level L has 2^L cells per axis. More levels do not help, because a useful
// level has no more cells than there are bodies.
constexpr int kMaxLevels = 10;

class LooseOctree final : public Phase {
  struct Level {
    int32_t cells = 1;  // per axis
    std::vector<uint32_t> starts;
    std::vector<BodyId> members;
  };

  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    MapAll(bodies, BoxMap(BoundsOf(bodies)), &boxes_);
    Fill(bodies.count());
    pairs->clear();
    for (BodyId body = 0; body < boxes_.size(); ++body) {
      if (boxes_[body].IsNothing()) continue;
      for (int level = 0; level <= level_of_[body]; ++level) {
        FindInLevel(body, level, bodies, pairs);
      }
    }
    Sort(pairs);
  }

  // The mapped coordinates have a range of length 2. The last level has about
  // one cell per body.
  void Fill(size_t count) {
    int last = 0;
    while (last + 1 < kMaxLevels &&
           std::ldexp(1.0, 3 * (last + 1)) <= static_cast<double>(count)) {
      ++last;
    }
    levels_.resize(static_cast<size_t>(last) + 1);
    for (size_t k = 0; k < levels_.size(); ++k) {
      Level& level = levels_[k];
      level.cells = int32_t{1} << k;
      const size_t edge = static_cast<size_t>(level.cells);
      level.starts.assign(edge * edge * edge + 1, 0);
    }
    level_of_.assign(boxes_.size(), 0);
    for (size_t body = 0; body < boxes_.size(); ++body) {
      const MappedBox& box = boxes_[body];
      if (box.IsNothing()) continue;
      const float size = std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1],
                                   box.hi[2] - box.lo[2]});
      int level = last;
      while (level > 0 && size > std::ldexp(2.0f, -level)) --level;
      level_of_[body] = static_cast<uint8_t>(level);
      ++LevelOf(body).starts[CellOf(box, LevelOf(body)) + 1];
    }
    for (Level& level : levels_) {
      for (size_t cell = 1; cell < level.starts.size(); ++cell) {
        level.starts[cell] += level.starts[cell - 1];
      }
      level.members.resize(level.starts.back());
    }
    // Fills each cell backwards from its last place, so that the cell's start
    // is correct after the loop.
    for (size_t body = boxes_.size(); body-- > 0;) {
      if (boxes_[body].IsNothing()) continue;
      Level& level = LevelOf(body);
      const uint32_t place = --level.starts[CellOf(boxes_[body], level) + 1];
      level.members[place] = static_cast<BodyId>(body);
    }
    for (Level& level : levels_) {
      // Each start has become that of the cell before it.
      level.starts.erase(level.starts.begin());
      level.starts.push_back(static_cast<uint32_t>(level.members.size()));
    }
  }

  Level& LevelOf(size_t body) { return levels_[level_of_[body]]; }

  static int32_t Coordinate(float x, const Level& level) {
    const float cell = (x + 1) / 2 * static_cast<float>(level.cells);
    return static_cast<int32_t>(std::floor(
        std::min(std::max(cell, 0.0f), static_cast<float>(level.cells - 1))));
  }

  static size_t Index(int32_t x, int32_t y, int32_t z, const Level& level) {
    const auto cells = static_cast<size_t>(level.cells);
    return (static_cast<size_t>(z) * cells + static_cast<size_t>(y)) * cells +
           static_cast<size_t>(x);
  }

  static size_t CellOf(const MappedBox& box, const Level& level) {
    int32_t at[3];
    for (size_t k = 0; k < 3; ++k) {
      at[k] = Coordinate((box.lo[k] + box.hi[k]) / 2, level);
    }
    return Index(at[0], at[1], at[2], level);
  }

  // Finds overlapping bodies in one level. Searches all cells whose bodies may
  // reach the box: those within half a cell of the box, and slightly more for
  // rounding.
  void FindInLevel(BodyId body, int which, const Bodies& bodies,
                   std::vector<BodyPair>* pairs) const {
    const Level& level = levels_[static_cast<size_t>(which)];
    if (level.members.empty()) return;
    const MappedBox& box = boxes_[body];
    const float reach =
        which == 0 ? 4.0f : 1 / static_cast<float>(level.cells) + 0x1p-20f;
    int32_t first[3];
    int32_t last[3];
    for (size_t k = 0; k < 3; ++k) {
      first[k] = Coordinate(box.lo[k] - reach, level);
      last[k] = Coordinate(box.hi[k] + reach, level);
    }
    const bool is_own = which == level_of_[body];
    for (int32_t z = first[2]; z <= last[2]; ++z) {
      for (int32_t y = first[1]; y <= last[1]; ++y) {
        // Cells along x are consecutive.
        const size_t begin = level.starts[Index(first[0], y, z, level)];
        const size_t end = level.starts[Index(last[0], y, z, level) + 1];
        for (size_t i = begin; i < end; ++i) {
          const BodyId other = level.members[i];
          if (is_own && other <= body) continue;
          if (Overlaps(box, boxes_[other]) &&
              Overlaps(bodies.box(body), bodies.box(other))) {
            pairs->push_back({std::min(body, other), std::max(body, other)});
          }
        }
      }
    }
  }

  MappedBoxes boxes_;
  std::vector<Level> levels_;
  std::vector<uint8_t> level_of_;  // by body
};

}  // namespace

std::unique_ptr<BroadPhase> MakeLooseOctree() {
  return std::make_unique<LooseOctree>();
}

}  // namespace orbox
