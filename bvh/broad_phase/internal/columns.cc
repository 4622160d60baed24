#include "orbox/bvh/broad_phase/internal/columns.h"

#include <cmath>
#include <limits>

namespace orbox {
namespace {

// Maps lie in [-1, 1], up to rounding.
constexpr float kWorld = 2;

// The costs of a box in a column, and of eight that follow it, in units of 5
// ns.
constexpr double kMemberCost = 5;
constexpr double kRowCost = 1;

// More cells than this along an axis, or more columns than boxes, cost more to
// visit than they save.
constexpr double kMaxCells = 2048;

// The most rows of eight to test for a box; beyond, a tree is faster.
constexpr size_t kMaxRows = 100;

// Places along the axis are sorted by so many bits, then by comparison.
constexpr int kKeyBits = 22;

uint32_t KeyOf(float lo) {
  const float scaled = (lo + 1) * (1 << (kKeyBits - 1));
  return static_cast<uint32_t>(
      std::clamp(scaled, 0.0f, static_cast<float>((1 << kKeyBits) - 1)));
}

}  // namespace

void Columns::Build(const MappedBoxes& boxes) {
  boxes_ = &boxes;
  ChooseGrid();
  Sort();
}

// Chooses the axis along, and the number of cells across.
void Columns::ChooseGrid() {
  double sums[3] = {0, 0, 0};
  float longest[3] = {0, 0, 0};
  count_ = 0;
  for (const MappedBox& box : *boxes_) {
    if (box.IsNothing()) continue;
    ++count_;
    for (size_t axis = 0; axis < 3; ++axis) {
      const float length = box.hi[axis] - box.lo[axis];
      sums[axis] += static_cast<double>(length);
      longest[axis] = std::max(longest[axis], length);
    }
  }
  const auto n = static_cast<double>(std::max<size_t>(count_, 1));
  double mean[3];
  for (size_t axis = 0; axis < 3; ++axis) mean[axis] = sums[axis] / n;
  // The fewest boxes follow along the axis on which boxes are shortest.
  axes_[0] = static_cast<size_t>(std::min_element(mean, mean + 3) - mean);
  axes_[1] = (axes_[0] + 1) % 3;
  axes_[2] = (axes_[0] + 2) % 3;
  // Bounds the rounding of a difference, so that no box is longer.
  longest_ = longest[axes_[0]] + 0x1p-20f;

  double best = std::numeric_limits<double>::infinity();
  // Each width is 1.5 times the one before; 1.5^22 is the last below 4
  // kMaxCells.
  constexpr int kWidths = 23;
  double next_width = 1;
  for (int i = 0; i < kWidths; ++i) {
    const double width = next_width;
    next_width *= 1.5;
    double cells[2];
    for (size_t across = 0; across < 2; ++across) {
      const double box = std::max(mean[axes_[1 + across]], 1e-9);
      cells[across] =
          std::clamp(std::floor(kWorld / (width * box)), 1.0, kMaxCells);
    }
    if (cells[0] * cells[1] > std::max(n, 1.0)) continue;
    const double copies = (1 + mean[axes_[1]] * cells[0] / kWorld) *
                          (1 + mean[axes_[2]] * cells[1] / kWorld);
    const double following =
        n * copies / (cells[0] * cells[1]) * (mean[axes_[0]] / kWorld);
    const double cost = copies * (kMemberCost + kRowCost * (1 + following / 8));
    if (cost < best) {
      best = cost;
      for (size_t across = 0; across < 2; ++across) {
        cells_[across] = static_cast<uint32_t>(cells[across]);
        cells_per_length_[across] = static_cast<float>(cells[across] / kWorld);
      }
    }
    if (cells[0] * cells[1] == 1) break;
  }
}

void Columns::Sort() {
  const size_t along = axes_[0];
  order_.clear();
  cells_of_.resize(boxes_->size());
  starts_.assign(size_t{cells_[0]} * cells_[1] + 1, 0);
  for (BodyId body = 0; body < boxes_->size(); ++body) {
    const MappedBox& box = (*boxes_)[body];
    if (box.IsNothing()) continue;
    order_.push_back({KeyOf(box.lo[along]), body});
    const Cells& cells = cells_of_[body] = CellsOf(box);
    for (uint32_t v = cells.first[1]; v <= cells.last[1]; ++v) {
      for (uint32_t u = cells.first[0]; u <= cells.last[0]; ++u) {
        ++starts_[v * cells_[0] + u + 1];
      }
    }
  }
  RadixSort(&order_, &scratch_,
            [](const KeyedIndex& item) { return item.key; });
  const auto before = [this, along](const KeyedIndex& a, const KeyedIndex& b) {
    const MappedBox& x = (*boxes_)[a.index];
    const MappedBox& y = (*boxes_)[b.index];
    return BeginsBefore(x.lo[along], x.hi[along], y.lo[along], y.hi[along]);
  };
  for (size_t i = 0; i + 1 < order_.size(); ++i) {
    if (order_[i].key != order_[i + 1].key) continue;
    size_t end = i + 2;
    while (end < order_.size() && order_[end].key == order_[i].key) ++end;
    std::sort(order_.begin() + static_cast<ptrdiff_t>(i),
              order_.begin() + static_cast<ptrdiff_t>(end), before);
    i = end - 1;
  }
  for (size_t column = 1; column < starts_.size(); ++column) {
    starts_[column] += starts_[column - 1];
  }
  places_.assign(starts_.begin(), starts_.end() - 1);
  members_.resize(starts_.back());
  for (const KeyedIndex& item : order_) {
    const Cells& cells = cells_of_[item.index];
    for (uint32_t v = cells.first[1]; v <= cells.last[1]; ++v) {
      for (uint32_t u = cells.first[0]; u <= cells.last[0]; ++u) {
        members_[places_[v * cells_[0] + u]++] = item.index;
      }
    }
  }
}

bool Columns::AppendPairs(const Bodies* exact, std::vector<BodyPair>* pairs) {
  size_t rows_left = kMaxRows * count_;
  for (uint32_t v = 0; v < cells_[1]; ++v) {
    for (uint32_t u = 0; u < cells_[0]; ++u) {
      const size_t column = size_t{v} * cells_[0] + u;
      const size_t begin = starts_[column];
      const size_t size = starts_[column + 1] - begin;
      if (size < 2) continue;
      rows_.Resize(size);
      for (size_t i = 0; i < size; ++i) {
        const BodyId body = members_[begin + i];
        const MappedBox& box = (*boxes_)[body];
        const Cells& cells = cells_of_[body];
        Aabbf turned;
        for (size_t k = 0; k < 3; ++k) {
          turned.lo[k] = box.lo[axes_[k]];
          turned.hi[k] = box.hi[axes_[k]];
        }
        if (cells.first[0] != u) turned.lo.y = kBegunBefore;
        if (cells.first[1] != v) turned.lo.z = kBegunBefore;
        rows_.Set(i, turned, body);
      }
      const size_t rows =
          AppendMeeting(rows_, SweepOrder::kColumn, exact, pairs);
      if (rows > rows_left) return false;
      rows_left -= rows;
    }
  }
  return true;
}

}  // namespace orbox
