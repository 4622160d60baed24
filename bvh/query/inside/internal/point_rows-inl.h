// SPDX-License-Identifier: Apache-2.0

// A few hundred points of tree space in rows of eight. Computes their bounding
// box and partitions them by a plane.
//
//   points.Place(placed);
//   const CellBox box = points.BoxOf({0, n});
//   const size_t middle = points.Part({0, n}, box);
//
// Private; compiled once per instruction set (lanes-inl.h).
#if defined(ORBOX_BVH_QUERY_INSIDE_INTERNAL_POINT_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_QUERY_INSIDE_INTERNAL_POINT_ROWS_INL_H_
#undef ORBOX_BVH_QUERY_INSIDE_INTERNAL_POINT_ROWS_INL_H_
#else
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_POINT_ROWS_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hwy/highway.h"
#include "orbox/bvh/query/inside/internal/cell_box-inl.h"
#include "orbox/bvh/query/inside/internal/placed_points.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

struct IndexRange {
  size_t size() const { return end - begin; }

  size_t begin;
  size_t end;
};

class PointRows {
 public:
  static constexpr size_t kMost = 256;

  // Requires at most kMost points.
  void Place(std::span<const PlacedPoint> placed);

  // A row of coordinates, and eight points from index i on. Lanes beyond the
  // last point have any coordinates.
  const float* row(size_t axis) const { return rows_[axis]; }
  V8 At(size_t i) const {
    return {LoadU8(&rows_[0][i]), LoadU8(&rows_[1][i]), LoadU8(&rows_[2][i])};
  }

  uint32_t QueryOf(size_t i) const {
    return std::bit_cast<uint32_t>(rows_[kQueries][i]);
  }

  // Returns the bounding box. Requires that the cell has points.
  CellBox BoxOf(IndexRange cell) const;

  // Moves the points in the lower half of the box to the front. Returns the
  // index at which the others begin, which is strictly inside the cell.
  // Requires at least two points.
  size_t Part(IndexRange cell, const CellBox& box);

 private:
  // Longer than kMost by the lanes that are read and written together with the
  // last point.
  using Row = float[kMost + kLanes];
  // The first three rows are the coordinates.
  enum : size_t { kQueries = 3, kRows = 4 };

  Row rows_[kRows];
  // Both halves of a cell, before they are copied back.
  Row low_[kRows];
  Row high_[kRows];
};

// Implementation.

inline void PointRows::Place(std::span<const PlacedPoint> placed) {
  const size_t count = placed.size();
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < kRows; ++k) rows_[k][i] = placed[i].row[k];
  }
  // Initializes the lanes that are read together with the last points.
  for (Row& row : rows_) Zero8().StoreU(&row[count]);
}

// Returns a mask of the first `count` lanes.
HWY_INLINE M8 FirstLanes(size_t count) {
  alignas(32) static constexpr float kLane[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
  return Load8(kLane) < Set8(static_cast<float>(count));
}

inline CellBox PointRows::BoxOf(IndexRange cell) const {
  CellBox box;
  const size_t last = (cell.size() - 1) / kLanes * kLanes + cell.begin;
  const M8 used = FirstLanes(cell.end - last);
  for (size_t k = 0; k < 3; ++k) {
    const float* const row = rows_[k];
    // Unused lanes get the first point.
    F8 lo = Select(used, LoadU8(row + last), Set8(row[last]));
    F8 hi = lo;
    for (size_t i = cell.begin; i < last; i += kLanes) {
      const F8 x = LoadU8(row + i);
      lo = Min(lo, x);
      hi = Max(hi, x);
    }
    box.lo[k] = LowestValue(lo);
    box.hi[k] = -LowestValue(-hi);
  }
  return box;
}

inline size_t PointRows::Part(IndexRange cell, const CellBox& box) {
  size_t axis = 0;
  for (size_t k = 1; k < 3; ++k) {
    if (box.hi[k] - box.lo[k] > box.hi[axis] - box.lo[axis]) axis = k;
  }
  const F8 middle = Set8((box.lo[axis] + box.hi[axis]) * 0.5f);
  // Partitions into copies, because compressed stores also overwrite the lanes
  // behind.
  size_t low = 0;
  size_t high = 0;
  for (size_t i = cell.begin; i < cell.end; i += kLanes) {
    const uint32_t used = LanesBelow(
        static_cast<uint32_t>(std::min(size_t{kLanes}, cell.end - i)));
    const uint32_t below = used & Bits(LoadU8(&rows_[axis][i]) <= middle);
    for (size_t k = 0; k < kRows; ++k) {
      const F8 x = LoadU8(&rows_[k][i]);
      CompressStore8(x, below, &low_[k][low]);
      CompressStore8(x, used & ~below, &high_[k][high]);
    }
    low += static_cast<size_t>(std::popcount(below));
    high += static_cast<size_t>(std::popcount(used & ~below));
  }
  for (size_t k = 0; k < kRows; ++k) {
    // Restore the points behind the cell.
    const F8 after = LoadU8(&rows_[k][cell.end]);
    float* const to = &rows_[k][cell.begin];
    for (size_t i = 0; i < low; i += kLanes) {
      LoadU8(&low_[k][i]).StoreU(to + i);
    }
    for (size_t i = 0; i < high; i += kLanes) {
      LoadU8(&high_[k][i]).StoreU(to + low + i);
    }
    after.StoreU(&rows_[k][cell.end]);
  }
  // If all points are equal, any half is valid.
  return low == cell.size() || low == 0 ? cell.begin + cell.size() / 2
                                        : cell.begin + low;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_POINT_ROWS_INL_H_
