// SPDX-License-Identifier: Apache-2.0

// Boxes in an order in which neighbours are near each other, as chunks are:
// eight of them make a box of the next level. Private.
//
//   const BoxLevels levels(boxes);
//   levels.Visit([&](const Aabb& box) { return GapOf(box, asked) <= d; },
//                [&](size_t i) { candidates.push_back(i); });
//
// Immutable; thread-safe. Near O(log n + what is visited).
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_BOX_LEVELS_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_BOX_LEVELS_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class BoxLevels {
 public:
  // Requires at least one box.
  explicit BoxLevels(std::vector<Aabb> boxes) {
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
  }

  const std::vector<Aabb>& boxes() const { return levels_.front(); }
  const Aabb& bounds() const { return levels_.back().front(); }

  // Calls take(i), ascending, for each box i that `wants(box)` accepts, as it
  // accepts those around it. Requires that it accepts all around one that it
  // accepts.
  template <typename Wants, typename Take>
  void Visit(Wants wants, Take take) const {
    Visit(levels_.size() - 1, 0, wants, take);
  }

 private:
  static constexpr size_t kWidth = 8;

  template <typename Wants, typename Take>
  void Visit(size_t level, size_t i, Wants& wants, Take& take) const {
    if (!wants(levels_[level][i])) return;
    if (level == 0) return take(i);
    const size_t end = std::min((i + 1) * kWidth, levels_[level - 1].size());
    for (size_t j = i * kWidth; j < end; ++j) {
      Visit(level - 1, j, wants, take);
    }
  }

  std::vector<std::vector<Aabb>> levels_;  // the boxes first
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_BOX_LEVELS_H_
