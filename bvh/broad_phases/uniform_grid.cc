// SPDX-License-Identifier: Apache-2.0

// A grid of equal cells. A body is in each cell that it overlaps. A pair is
// reported in exactly one cell: the cell that contains, on each axis, the
// greater of the two beginnings. Bodies in more than kManyCells cells are
// compared with all others.
#include <algorithm>
#include <cmath>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"
#include "orbox/overlap/boxes/box_box.h"

namespace orbox {
namespace {

// Width of a cell, in mean body sizes.
constexpr double kBodiesPerEdge = 1.5;
constexpr double kMaxCellsPerEdge = 512;

constexpr uint32_t kManyCells = 512;

class UniformGrid final : public Phase {
  struct Cells {
    uint32_t first[3];
    uint32_t last[3];

    uint32_t Count() const {
      uint32_t count = 1;
      for (size_t k = 0; k < 3; ++k) count *= last[k] - first[k] + 1;
      return count;
    }
  };

  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    MapAll(bodies, BoxMap(BoundsOf(bodies)), &boxes_);
    ChooseCells(bodies.count());
    Fill();
    pairs->clear();
    for (uint32_t cell = 0; cell + 1 < starts_.size(); ++cell) {
      FindInCell(cell, bodies, pairs);
    }
    FindOfLarge(bodies, pairs);
    Sort(pairs);
  }

  void ChooseCells(size_t count) {
    double sums[3] = {0, 0, 0};
    for (const MappedBox& box : boxes_) {
      if (box.IsNothing()) continue;
      for (size_t k = 0; k < 3; ++k) {
        sums[k] += static_cast<double>(box.hi[k] - box.lo[k]);
      }
    }
    const auto n = static_cast<double>(std::max<size_t>(count, 1));
    double cells[3];
    for (size_t k = 0; k < 3; ++k) {
      const double width = std::max(kBodiesPerEdge * sums[k] / n, 1e-9);
      cells[k] = std::clamp(std::floor(2 / width), 1.0, kMaxCellsPerEdge);
    }
    // Halves the largest of the three counts until there are at most as many
    // cells as bodies.
    while (cells[0] * cells[1] * cells[2] > std::max(n, 1.0)) {
      double& most = *std::max_element(cells, cells + 3);
      most = std::max(1.0, std::floor(most / 2));
    }
    for (size_t k = 0; k < 3; ++k) {
      cells_[k] = static_cast<uint32_t>(cells[k]);
      cells_per_length_[k] = static_cast<float>(cells[k] / 2);
    }
  }

  uint32_t CellOf(float x, size_t axis) const {
    const float cell = (x + 1) * cells_per_length_[axis];
    const float last = static_cast<float>(cells_[axis] - 1);
    return static_cast<uint32_t>(std::min(std::max(cell, 0.0f), last));
  }

  Cells CellsOf(const MappedBox& box) const {
    Cells cells;
    for (size_t k = 0; k < 3; ++k) {
      cells.first[k] = CellOf(box.lo[k], k);
      cells.last[k] = CellOf(box.hi[k], k);
    }
    return cells;
  }

  template <typename Visit>
  void ForEachCell(const Cells& cells, Visit visit) const {
    for (uint32_t z = cells.first[2]; z <= cells.last[2]; ++z) {
      for (uint32_t y = cells.first[1]; y <= cells.last[1]; ++y) {
        for (uint32_t x = cells.first[0]; x <= cells.last[0]; ++x) {
          visit((z * cells_[1] + y) * cells_[0] + x);
        }
      }
    }
  }

  void Fill() {
    starts_.assign(size_t{cells_[0]} * cells_[1] * cells_[2] + 1, 0);
    large_.clear();
    for (BodyId body = 0; body < boxes_.size(); ++body) {
      if (boxes_[body].IsNothing()) continue;
      const Cells cells = CellsOf(boxes_[body]);
      if (cells.Count() > kManyCells) {
        large_.push_back(body);
      } else {
        ForEachCell(cells, [this](uint32_t cell) { ++starts_[cell + 1]; });
      }
    }
    for (size_t cell = 1; cell < starts_.size(); ++cell) {
      starts_[cell] += starts_[cell - 1];
    }
    members_.resize(starts_.back());
    places_.assign(starts_.begin(), starts_.end() - 1);
    for (BodyId body = 0; body < boxes_.size(); ++body) {
      if (boxes_[body].IsNothing()) continue;
      const Cells cells = CellsOf(boxes_[body]);
      if (cells.Count() > kManyCells) continue;
      ForEachCell(cells, [this, body](uint32_t cell) {
        members_[places_[cell]++] = body;
      });
    }
  }

  void FindInCell(uint32_t cell, const Bodies& bodies,
                  std::vector<BodyPair>* pairs) const {
    for (uint32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
      const MappedBox& a = boxes_[members_[i]];
      for (uint32_t j = starts_[cell]; j < i; ++j) {
        const MappedBox& b = boxes_[members_[j]];
        if (!Overlaps(a, b) || CellOfLaterBeginning(a, b) != cell) continue;
        // The members of a cell are ascending.
        if (Overlaps(bodies.box(members_[i]), bodies.box(members_[j]))) {
          pairs->push_back({members_[j], members_[i]});
        }
      }
    }
  }

  uint32_t CellOfLaterBeginning(const MappedBox& a, const MappedBox& b) const {
    uint32_t at[3];
    for (size_t k = 0; k < 3; ++k) {
      at[k] = CellOf(std::max(a.lo[k], b.lo[k]), k);
    }
    return (at[2] * cells_[1] + at[1]) * cells_[0] + at[0];
  }

  void FindOfLarge(const Bodies& bodies, std::vector<BodyPair>* pairs) const {
    std::vector<uint8_t> is_large(boxes_.size(), 0);
    for (const BodyId body : large_) is_large[body] = 1;
    for (const BodyId body : large_) {
      for (BodyId other = 0; other < boxes_.size(); ++other) {
        if (other == body || (is_large[other] != 0 && other < body)) continue;
        if (Overlaps(boxes_[body], boxes_[other]) &&
            Overlaps(bodies.box(body), bodies.box(other))) {
          pairs->push_back({std::min(body, other), std::max(body, other)});
        }
      }
    }
  }

  MappedBoxes boxes_;
  uint32_t cells_[3] = {1, 1, 1};
  float cells_per_length_[3] = {0, 0, 0};
  std::vector<uint32_t> starts_;  // of the cells in members_, and the end
  std::vector<BodyId> members_;
  std::vector<uint32_t> places_;
  std::vector<BodyId> large_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeUniformGrid() {
  return std::make_unique<UniformGrid>();
}

}  // namespace orbox
