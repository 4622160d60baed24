// SPDX-License-Identifier: Apache-2.0

// Boxes in levels: eight consecutive boxes are enclosed by a box of the next
// level. For boxes in an order in which neighbours are near each other, as
// chunks are. Private.
//
//   const ChunkLevels levels(boxes);
//   levels.Visit([&](const Aabb& box) { return GapOf(box, query) <= d; },
//                [&](size_t i) { candidates.push_back(i); });
//   levels.VisitNear(GapFromPoint(p), [&] { return bound; },
//                    [&](size_t i, double gap) { bound = ...; });
//
// Immutable; thread-safe. Near O(log n + boxes visited).
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_LEVELS_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_LEVELS_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/overlap/base/internal/infinity.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// Eight boxes in structure of arrays. Unused lanes are empty boxes.
struct ChunkBoxRow {
  static constexpr size_t kWidth = 8;

  Aabb box(size_t i) const {
    return {{lo[0][i], lo[1][i], lo[2][i]}, {hi[0][i], hi[1][i], hi[2][i]}};
  }

  alignas(64) double lo[3][kWidth];
  alignas(64) double hi[3][kWidth];
};

class ChunkLevels {
 public:
  // Requires at least one box.
  explicit ChunkLevels(std::vector<Aabb> boxes) {
    levels_.push_back(std::move(boxes));
    while (levels_.back().size() > 1) {
      const std::vector<Aabb>& below = levels_.back();
      std::vector<Aabb> above((below.size() + kWidth - 1) / kWidth);
      for (size_t i = 0; i < below.size(); ++i) {
        Aabb& box = above[i / kWidth];
        box = i % kWidth == 0 ? below[i] : Union(box, below[i]);
      }
      levels_.push_back(std::move(above));
    }
    for (const std::vector<Aabb>& level : levels_) {
      std::vector<ChunkBoxRow>& rows =
          rows_.emplace_back((level.size() + kWidth - 1) / kWidth);
      for (size_t i = 0; i < rows.size() * kWidth; ++i) {
        for (size_t k = 0; k < 3; ++k) {
          const bool is_there = i < level.size();
          rows[i / kWidth].lo[k][i % kWidth] =
              is_there ? level[i].lo[k] : kInfinity;
          rows[i / kWidth].hi[k][i % kWidth] =
              is_there ? level[i].hi[k] : -kInfinity;
        }
      }
    }
  }

  const std::vector<Aabb>& boxes() const { return levels_.front(); }
  const Aabb& bounds() const { return levels_.back().front(); }

  // Calls take(i), ascending, for each box i that `wants(box)` accepts.
  // Requires that `wants` accepts every box around a box that it accepts.
  template <typename Wants, typename Take>
  void Visit(Wants wants, Take take) const {
    Visit(levels_.size() - 1, 0, wants, take);
  }

  // Calls take(i, gap), ascending, for each box whose gap is finite and at most
  // limit(), which may shrink during the call. `gaps_to(row, gaps)` writes the
  // gaps of eight boxes. Requires that a box's gap is at most that of any box
  // inside it.
  template <typename GapsTo, typename Limit, typename Take>
  void VisitNear(const GapsTo& gaps_to, Limit limit, Take take) const {
    // The last level is one box around the row of the level before, so the
    // search begins with that row.
    VisitNear(levels_.size() > 1 ? levels_.size() - 2 : 0, 0, gaps_to, limit,
              take);
  }

 private:
  static constexpr size_t kWidth = ChunkBoxRow::kWidth;

  template <typename Wants, typename Take>
  void Visit(size_t level, size_t i, Wants& wants, Take& take) const {
    if (!wants(levels_[level][i])) return;
    if (level == 0) return take(i);
    const size_t end = std::min((i + 1) * kWidth, levels_[level - 1].size());
    for (size_t j = i * kWidth; j < end; ++j) {
      Visit(level - 1, j, wants, take);
    }
  }

  template <typename GapsTo, typename Limit, typename Take>
  void VisitNear(size_t level, size_t row, const GapsTo& gaps_to, Limit& limit,
                 Take& take) const {
    alignas(64) double gaps[kWidth];
    gaps_to(rows_[level][row], gaps);
    const size_t begin = row * kWidth;
    const size_t count = std::min(kWidth, levels_[level].size() - begin);
    for (size_t j = 0; j < count; ++j) {
      if (!(gaps[j] <= limit()) || gaps[j] == kInfinity) continue;
      if (level == 0) {
        take(begin + j, gaps[j]);
      } else {
        VisitNear(level - 1, begin + j, gaps_to, limit, take);
      }
    }
  }

  std::vector<std::vector<Aabb>> levels_;  // levels_[0] are the boxes
  std::vector<std::vector<ChunkBoxRow>> rows_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_LEVELS_H_
