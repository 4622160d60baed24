// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/internal/columns.h"

#include <bit>
#include <cmath>
#include <limits>

#include "orbox/bvh/broad_phase/internal/bodies.h"

namespace orbox {
namespace {

// Length of the map: mapped coordinates are in [-1, 1], up to rounding.
constexpr double kWorld = 2;

// Costs of a box in a column, and of a test of eight boxes that follow it, in
// units of 5 ns.
constexpr double kMemberCost = 5;
constexpr double kRowCost = 1;

// More cells than this along an axis, or more columns than boxes, cost more
// than they save.
constexpr double kMaxCells = 2048;

// Upper bound of sweep steps per box; above it, a tree is faster.
constexpr size_t kMaxSteps = 32;

// Upper bound of the mean number of columns per box. Above it, some boxes are
// much longer than most, and a tree is faster.
constexpr size_t kMaxCopies = 16;

// Upper bound of the bits by which beginnings are sorted; the rest is sorted by
// comparison. For n boxes that are spread out, 256 n cells leave few to
// compare.
constexpr int kMaxKeyBits = 22;
int KeyBitsFor(size_t boxes) {
  return std::min(static_cast<int>(std::bit_width(boxes)) + 8, kMaxKeyBits);
}

uint32_t KeyOf(float lo, int bits) {
  const float scaled = (lo + 1) * static_cast<float>(1 << (bits - 1));
  return static_cast<uint32_t>(
      std::clamp(scaled, 0.0f, static_cast<float>((1 << bits) - 1)));
}

}  // namespace

void Columns::Build(const MappedBoxes& boxes) {
  boxes_ = &boxes;
  steps_ = 0;
  is_crowded_ = false;
  ChooseGrid();
  Sort();
}

// For each axis: the longest box, the mean length, and the length of the
// interval in which boxes begin. The last two are estimates from a sample.
struct Columns::Lengths {
  double mean[3];
  float longest[3] = {0, 0, 0};
  double spread[3];
};

Columns::Lengths Columns::Measure() {
  Lengths lengths;
  double sums[3] = {0, 0, 0};
  double begins[3] = {0, 0, 0};
  double squares[3] = {0, 0, 0};
  count_ = 0;
  for (const MappedBox& box : *boxes_) {
    if (box.IsNothing()) continue;
    ++count_;
    for (size_t axis = 0; axis < 3; ++axis) {
      lengths.longest[axis] =
          std::max(lengths.longest[axis], box.hi[axis] - box.lo[axis]);
    }
  }
  // The error of a mean of 256 is a sixteenth of the standard deviation.
  const BodySample sample(256, count_);
  size_t sampled = 0;
  for (BodyId body = 0; body < boxes_->size(); ++body) {
    const MappedBox& box = (*boxes_)[body];
    if (!sample.Has(body) || box.IsNothing()) continue;
    ++sampled;
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto begin = static_cast<double>(box.lo[axis]);
      sums[axis] += static_cast<double>(box.hi[axis] - box.lo[axis]);
      begins[axis] += begin;
      squares[axis] += begin * begin;
    }
  }
  const auto n = static_cast<double>(std::max<size_t>(sampled, 1));
  for (size_t axis = 0; axis < 3; ++axis) {
    lengths.mean[axis] = sums[axis] / n;
    const double mean = begins[axis] / n;
    const double variance = squares[axis] / n - mean * mean;
    // The variance of a uniform distribution is a twelfth of the interval's
    // square. Rounding errors for equal numbers are below 2^-40.
    lengths.spread[axis] =
        variance > 0x1p-40 ? std::min(std::sqrt(12 * variance), kWorld) : 0;
  }
  return lengths;
}

// Chooses the axis along, and the number of cells across.
void Columns::ChooseGrid() {
  const Lengths lengths = Measure();
  const double* const mean = lengths.mean;
  const auto n = static_cast<double>(std::max<size_t>(count_, 1));
  // Fraction of the boxes that a box is compared with in a sweep along the
  // axis; 1 if all boxes start at one coordinate.
  double following_share[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    const double stretch = mean[axis] + lengths.spread[axis];
    following_share[axis] = stretch > 0 ? mean[axis] / stretch : 1;
  }
  axes_[0] = static_cast<size_t>(
      std::min_element(following_share, following_share + 3) - following_share);
  axes_[1] = (axes_[0] + 1) % 3;
  axes_[2] = (axes_[0] + 2) % 3;
  // Bounds the rounding of a difference, so that no box is longer than this.
  longest_ = lengths.longest[axes_[0]] + 0x1p-20f;

  double best = std::numeric_limits<double>::infinity();
  // Each width is 1.5 times the one before; 1.5^22 is the last below 4
  // kMaxCells.
  constexpr int kWidths = 23;
  double next_width = 1;
  for (int i = 0; i < kWidths; ++i) {
    const double width = next_width;
    next_width *= 1.5;
    double cells[2];
    double used[2];  // cells that are not empty
    for (size_t across = 0; across < 2; ++across) {
      const size_t axis = axes_[1 + across];
      const double box = std::max(mean[axis], 1e-9);
      cells[across] =
          std::clamp(std::floor(kWorld / (width * box)), 1.0, kMaxCells);
      // Cells do not separate boxes if all boxes overlap on this axis.
      if (lengths.spread[axis] <= mean[axis]) cells[across] = 1;
      used[across] = std::clamp(
          cells[across] * (lengths.spread[axis] + mean[axis]) / kWorld, 1.0,
          cells[across]);
    }
    if (cells[0] * cells[1] > std::max(n, 1.0)) continue;
    const double copies = (1 + mean[axes_[1]] * cells[0] / kWorld) *
                          (1 + mean[axes_[2]] * cells[1] / kWorld);
    const double following =
        n * copies / (used[0] * used[1]) * following_share[axes_[0]];
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
  size_t copies_left = kMaxCopies * count_;
  const int key_bits = KeyBitsFor(count_);
  for (BodyId body = 0; body < boxes_->size(); ++body) {
    const MappedBox& box = (*boxes_)[body];
    if (box.IsNothing()) continue;
    order_.push_back({KeyOf(box.lo[along], key_bits), body});
    const Cells& cells = cells_of_[body] = CellsOf(box);
    const size_t copies = (size_t{1} + cells.last[0] - cells.first[0]) *
                          (size_t{1} + cells.last[1] - cells.first[1]);
    is_crowded_ = copies > copies_left;
    if (is_crowded_) return;
    copies_left -= copies;
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

bool Columns::AppendPairs(const Bodies* exact, std::vector<BodyPair>* pairs,
                          size_t most_pairs) {
  if (is_crowded_) return false;
  // The limit starts at a sixteenth of all steps and grows with the boxes
  // swept, so that a crowded map is given up early.
  SweepLimit limit{.steps = kMaxSteps * count_ / 16,
                   .steps_per_box = kMaxSteps * count_ /
                                    std::max<size_t>(members_.size(), 1),
                   .pairs = most_pairs};
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
      const SweepOutcome outcome =
          AppendMeeting(rows_, SweepOrder::kColumn, exact, pairs, limit);
      steps_ += outcome.steps;
      if (!outcome.is_complete) return false;
      limit.steps += size * limit.steps_per_box;
      limit.steps -= std::min(limit.steps, outcome.steps);
    }
  }
  return true;
}

}  // namespace orbox
