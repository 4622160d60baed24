// SPDX-License-Identifier: Apache-2.0

// Points sorted by the cells of a grid. Private.
//
//   const PlacedPoints placed(tree, points, workers);
//   for (const PlacedPoint& p : placed.points()) results[p.query()] = ...;
//
// The cells are in Morton order, so the points of a block of 2, 4, 8 ... cells
// are consecutive in the list.
#ifndef ORBOX_BVH_QUERY_INSIDE_INTERNAL_PLACED_POINTS_H_
#define ORBOX_BVH_QUERY_INSIDE_INTERNAL_PLACED_POINTS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// A point within the mesh's bounds, in the tree's space.
struct PlacedPoint {
  // Leaves the members uninitialized: large arrays of points are filled
  // immediately.
  PlacedPoint() {}  // NOLINT(modernize-use-equals-default)

  uint32_t query() const { return std::bit_cast<uint32_t>(row[3]); }

  // Three coordinates, and the bits of the query's index.
  alignas(16) float row[4];
};

// A grid over a mesh's bounds.
struct PlaceGrid {
  static constexpr int kMostBits = 5;  // number of bits of a coordinate

  // Makes a grid for this number of points. The number of cells is limited to
  // what a cache holds.
  PlaceGrid(const Tree& tree, size_t points);

  uint32_t cell_count() const { return uint32_t{1} << (3 * bits); }

  const Aabb& bounds;
  const TreeSpace& space;
  int bits = 0;
  // In tree space. A point's cell is (p - first) * scale, rounded.
  Vec3 first;
  double scale = 0;
  uint16_t spread[1 << kMostBits];  // bits for Morton codes
};

class PlacedPoints {
 public:
  // Sorts the points that are in the mesh's bounds. The order does not depend
  // on the number of workers.
  PlacedPoints(const Tree& tree, std::span<const Vec3> points,
               const Workers& workers);

  std::span<const PlacedPoint> points() const { return points_; }

  // A block of 2^bits cells. `first` is a multiple of that number.
  struct Block {
    // The halves. Require a block of more than one cell.
    Block Low() const { return {first, bits - 1}; }
    Block High() const { return {first + (1u << (bits - 1)), bits - 1}; }

    uint32_t first;
    int bits;
  };
  // Returns the smallest block that contains the i-th and the j-th point of the
  // list.
  Block BlockOf(size_t i, size_t j) const {
    const uint32_t cell = CellOf(i);
    const int bits = std::bit_width(cell ^ CellOf(j));
    return {cell >> bits << bits, bits};
  }
  // Returns the index of the first point of a block in the list.
  size_t BeginOf(Block block) const {
    return block.first == 0 ? 0 : ends_[block.first - 1];
  }

 private:
  uint32_t CellOf(size_t i) const {
    return static_cast<uint32_t>(
        std::upper_bound(ends_.begin(), ends_.end(), static_cast<uint32_t>(i)) -
        ends_.begin());
  }

  std::vector<PlacedPoint> points_;
  std::vector<uint32_t> ends_;  // of the cells
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_INSIDE_INTERNAL_PLACED_POINTS_H_
