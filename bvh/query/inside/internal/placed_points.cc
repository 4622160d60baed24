// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/placed_points.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "orbox/bvh/base/internal/morton_code.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/inside/internal/placed_points.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class PointsInTree {
 public:
  explicit PointsInTree(const TreeSpace& space)
      : origin_(LoadPoint(space.origin)), scale_(space.scale) {}

  HWY_INLINE D4 operator()(const Vec3& p) const {
    return (LoadPoint(p) - origin_) * scale_;
  }

 private:
  const D4 origin_;
  const D4 scale_;
};

// Sets the cell of each point and counts the points of each cell. Points
// outside the bounds get the number after the last cell.
void FindCellsLoop(const PlaceGrid& grid, std::span<const Vec3> points,
                   uint16_t* HWY_RESTRICT cells,
                   uint32_t* HWY_RESTRICT counts) {
  const PointsInTree in_tree(grid.space);
  const D4 lo = LoadPoint(grid.bounds.lo);
  const D4 hi = LoadPoint(grid.bounds.hi);
  const D4 first = LoadPoint(grid.first);
  const D4 scale = grid.scale;
  const uint32_t mask = (1u << grid.bits) - 1;
  for (size_t i = 0; i < points.size(); ++i) {
    const D4 p = LoadPoint(points[i]);
    const bool is_within = AllTrue((p >= lo) & (p <= hi));
    // A double of this size has no fraction bits, so its last bits are the
    // number of the cell.
    alignas(32) double numbers[4];
    ((in_tree(points[i]) - first) * scale + D4(0x1.8p52)).Store(numbers);
    const auto spread = [&](size_t k) HWY_ATTR {
      const auto bits = std::bit_cast<uint64_t>(numbers[k]);
      return uint32_t{grid.spread[static_cast<uint32_t>(bits) & mask]};
    };
    const uint32_t cell = spread(0) << 2 | spread(1) << 1 | spread(2);
    cells[i] = static_cast<uint16_t>(is_within ? cell : grid.cell_count());
    ++counts[cells[i]];
  }
}

// Writes each point to the next free place of its cell. The index of the first
// point is `query`.
void PlaceLoop(const PlaceGrid& grid, std::span<const Vec3> points,
               const uint16_t* HWY_RESTRICT cells, uint32_t query,
               uint32_t* HWY_RESTRICT next, PlacedPoint* HWY_RESTRICT placed) {
  const PointsInTree in_tree(grid.space);
  for (size_t i = 0; i < points.size(); ++i) {
    if (cells[i] == grid.cell_count()) continue;
    PlacedPoint& to = placed[next[cells[i]]++];
    ToFloat(in_tree(points[i])).Store(to.row);
    to.row[3] = std::bit_cast<float>(query + static_cast<uint32_t>(i));
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(FindCellsLoop);
HWY_EXPORT(PlaceLoop);

PlaceGrid::PlaceGrid(const Tree& tree, size_t points)
    : bounds(tree.mesh().bounds()), space(tree.space()) {
  constexpr size_t kPointsPerCell = 2;
  while (bits < kMostBits &&
         (size_t{cell_count()} << 3) * kPointsPerCell <= points) {
    ++bits;
  }
  first = space.FromModel(bounds.lo);
  const double size = MaxCoordinate(space.FromModel(bounds.hi) - first);
  if (size > 0) {
    // Slightly less than the number of cells, and centred, so that all numbers
    // round to valid cells.
    scale = ((1 << bits) - 0x1p-20) / size;
    const double to_middle = (0.5 - 0x1p-21) / scale;
    first = first + Vec3{to_middle, to_middle, to_middle};
  }
  for (uint32_t i = 0; i < (1u << bits); ++i) {
    spread[i] = static_cast<uint16_t>(SpreadBits(i));
  }
}

// Sorts by counting: each point is moved once.
PlacedPoints::PlacedPoints(const Tree& tree, std::span<const Vec3> points,
                           const Workers& workers) {
  const PlaceGrid grid(tree, points.size());
  const size_t count = points.size();
  if (count == 0) return;
  const auto cells = std::make_unique_for_overwrite<uint16_t[]>(count);
  // One task for each thread, so that all counts stay in the cache. The order
  // of the points does not depend on the number of tasks.
  constexpr size_t kLeastTask = size_t{1} << 16;
  constexpr size_t kMostTasks = 32;
  const size_t task = workers.count() == 1
                          ? count
                          : std::max(kLeastTask, count / kMostTasks + 1);
  // Converts counts to start indices: by cell, and by task within a cell.
  std::vector<std::vector<uint32_t>> places((count + task - 1) / task);
  workers.For(count, task, [&](size_t begin, size_t end) {
    std::vector<uint32_t>& counts = places[begin / task];
    counts.resize(grid.cell_count() + 1);
    ORBOX_DYNAMIC_DISPATCH(FindCellsLoop)
    (grid, points.subspan(begin, end - begin), cells.get() + begin,
     counts.data());
  });
  uint32_t before = 0;
  for (uint32_t cell = 0; cell < grid.cell_count(); ++cell) {
    for (auto& counts : places) {
      before += std::exchange(counts[cell], before);
    }
  }
  points_.resize(before);
  workers.For(count, task, [&](size_t begin, size_t end) {
    ORBOX_DYNAMIC_DISPATCH(PlaceLoop)
    (grid, points.subspan(begin, end - begin), cells.get() + begin,
     static_cast<uint32_t>(begin), places[begin / task].data(), points_.data());
  });
  // After the last task, the next free places are the ends of the cells.
  ends_ = std::move(places.back());
  ends_.resize(grid.cell_count());
}

}  // namespace orbox
#endif  // HWY_ONCE
