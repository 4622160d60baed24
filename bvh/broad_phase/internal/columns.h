// SPDX-License-Identifier: Apache-2.0

// Space cut into columns along one axis: a grid across the axis, and in each
// column the bodies sorted by their beginning along it. A box is in each column
// that it overlaps. A pair is found in the one column that contains the later
// of the two beginnings on both other axes. Private.
//
//   Columns columns;
//   columns.Build(boxes);
//   columns.AppendPairs(&bodies, &pairs);
//
// O(n + p) for any number of boxes with sizes of one order, in a cube or on a
// plane. The width of columns is chosen for the least cost, by the mean size
// and the number of boxes. The axis along columns is the one on which the
// smallest fraction of boxes follows another. One column is a sweep along an
// axis without a grid. Steps are limited, so that other inputs cost O(n + p)
// until the sweep gives up.
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_COLUMNS_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_COLUMNS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/base/internal/radix_sort.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/sweep.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT Columns {
 public:
  // Keeps a reference to the boxes until the next Build. Requires that each box
  // is within kMapEnd or Nothing().
  void Build(const MappedBoxes& boxes);

  // Appends pairs in no particular order; `exact` as in sweep.h. Gives up and
  // returns false, with some pairs appended, if boxes crowd so that a tree
  // would be faster, or if there are more than `most_pairs`.
  bool AppendPairs(const Bodies* exact, std::vector<BodyPair>* pairs,
                   size_t most_pairs = SweepLimit::kNone);

  // Number of sweep steps since the last Build (sweep.h).
  size_t steps() const { return steps_; }

  // Calls visit(body) for each body whose box overlaps this one, perhaps more
  // than once.
  template <typename Visit>
  void ForEachMeeting(const MappedBox& box, Visit visit) const;

 private:
  // The columns that a box overlaps.
  struct Cells {
    uint16_t first[2];
    uint16_t last[2];
  };

  struct Lengths;

  Lengths Measure();
  void ChooseGrid();
  void Sort();
  Cells CellsOf(const MappedBox& box) const;
  uint16_t CellOf(float x, size_t across) const {
    const float cell = (x + 1) * cells_per_length_[across];
    const float last = static_cast<float>(cells_[across] - 1);
    return static_cast<uint16_t>(
        static_cast<int32_t>(std::min(std::max(cell, 0.0f), last)));
  }

  const MappedBoxes* boxes_ = nullptr;
  size_t count_ = 0;  // boxes that are not Nothing()
  size_t steps_ = 0;
  // Boxes are in too many columns, so nothing is sorted.
  bool is_crowded_ = false;
  // The axis along columns, then the two across.
  std::array<size_t, 3> axes_{0, 1, 2};
  float longest_ = 0;  // largest length of a box along columns
  uint32_t cells_[2] = {1, 1};
  float cells_per_length_[2] = {0, 0};
  std::vector<uint32_t> starts_;  // of columns in members_, and the end
  std::vector<BodyId> members_;
  std::vector<uint32_t> places_;
  std::vector<Cells> cells_of_;  // bodies
  std::vector<KeyedIndex> order_;
  std::vector<KeyedIndex> scratch_;
  SweepRows rows_;  // of one column
};

inline Columns::Cells Columns::CellsOf(const MappedBox& box) const {
  Cells cells;
  for (size_t across = 0; across < 2; ++across) {
    cells.first[across] = CellOf(box.lo[axes_[1 + across]], across);
    cells.last[across] = CellOf(box.hi[axes_[1 + across]], across);
  }
  return cells;
}

template <typename Visit>
void Columns::ForEachMeeting(const MappedBox& box, Visit visit) const {
  const Cells cells = CellsOf(box);
  const size_t along = axes_[0];
  for (uint32_t v = cells.first[1]; v <= cells.last[1]; ++v) {
    for (uint32_t u = cells.first[0]; u <= cells.last[0]; ++u) {
      const uint32_t column = v * cells_[0] + u;
      const auto end = members_.begin() + starts_[column + 1];
      auto at = std::lower_bound(members_.begin() + starts_[column], end,
                                 box.lo[along] - longest_,
                                 [this, along](BodyId body, float lo) {
                                   return (*boxes_)[body].lo[along] < lo;
                                 });
      for (; at != end; ++at) {
        const MappedBox& other = (*boxes_)[*at];
        if (other.lo[along] > box.hi[along]) break;
        if (Overlaps(other, box)) visit(*at);
      }
    }
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_COLUMNS_H_
