// SPDX-License-Identifier: Apache-2.0

// Many points in the order of a grid's cells. Private.
//
//   const PlacedPoints placed(tree, points, workers);
//   for (const PlacedPoint& p : placed.points()) results[p.query()] = ...;
//
// Cells follow each other along a Morton curve, so that the points of a block
// of 2, 4, 8 ... of them are neighbours in the list as well.
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
  // Sets nothing: all of many are set right after.
  PlacedPoint() {}  // NOLINT(modernize-use-equals-default)

  uint32_t query() const { return std::bit_cast<uint32_t>(row[3]); }

  // Coordinates, and the bits of the query.
  alignas(16) float row[4];
};

// A grid over a mesh's bounds.
struct PlaceGrid {
  static constexpr int kMostBits = 5;  // of a coordinate

  // Grid for a number of points, with few enough cells for a cache.
  PlaceGrid(const Tree& tree, size_t points);

  uint32_t cell_count() const { return uint32_t{1} << (3 * bits); }

  const Aabb& bounds;
  const TreeSpace& space;
  int bits = 0;
  // In the tree's space: (p - first) * scale rounds to a cell's number.
  Vec3 first;
  double scale = 0;
  uint16_t spread[1 << kMostBits];  // numbers as bits of Morton codes
};

class PlacedPoints {
 public:
  // Has the points in the mesh's bounds. Their order does not depend on the
  // number of workers.
  PlacedPoints(const Tree& tree, std::span<const Vec3> points,
               const Workers& workers);

  std::span<const PlacedPoint> points() const { return points_; }

  // 2^bits cells, the first of which has a number that this divides.
  struct Block {
    // The halves of more than one cell.
    Block Low() const { return {first, bits - 1}; }
    Block High() const { return {first + (1u << (bits - 1)), bits - 1}; }

    uint32_t first;
    int bits;
  };
  // The smallest that holds the i-th and the j-th point of the list.
  Block BlockOf(size_t i, size_t j) const {
    const uint32_t cell = CellOf(i);
    const int bits = std::bit_width(cell ^ CellOf(j));
    return {cell >> bits << bits, bits};
  }
  // Index of the first point of a block in the list.
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
