// SPDX-License-Identifier: Apache-2.0

// Division of triangles into chunks: boxes of about equally many triangles.
// They are made by halving the longest side, from counts in a grid of cubes.
// Private.
//
//   ChunkGrid grid(bounds, most);
//   for (const Triangle& t : triangles) ++counts[grid.CellOf(t)];
//   const ChunkPlan plan(grid, counts);
//   SortBy(plan.KeyOf(t), id);           // chunk k is from plan.BeginOf(k) on
//
// Everyone with the counts of all triangles computes the same plan, because
// nothing is rounded. Runs of a curve alone would need no counts, but their
// boxes overlap: queries would visit three times as many chunks.
#ifndef ORBOX_BVH_LARGE_INTERNAL_CHUNK_PLAN_H_
#define ORBOX_BVH_LARGE_INTERNAL_CHUNK_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Cubes of equal size over the bounds, numbered along a Morton curve.
class ORBOX_EXPORT ChunkGrid {
 public:
  // For chunks of at most `most` triangles each. Requires most > 0.
  ChunkGrid(const Aabb& bounds, uint64_t most);

  uint64_t most() const { return most_; }
  size_t cell_count() const { return size_t{1} << 3 * bits_; }
  // Returns the cell of a triangle's centre. Requires that the bounds contain
  // it.
  size_t CellOf(const Triangle& triangle) const {
    return CodeOf(triangle) >> bits_below();
  }
  // Returns the position of the centre along the curve, with 21 bits per axis.
  uint64_t CodeOf(const Triangle& triangle) const;
  // Number of the low bits of a code, which distinguish positions in a cell.
  int bits_below() const { return kCodeBits - 3 * bits_; }

 private:
  static constexpr int kCodeBits = 63;

  Aabb bounds_;
  uint64_t most_;
  int bits_;  // per axis
};

class ORBOX_EXPORT ChunkPlan {
 public:
  // counts[c] is the number of triangles in cell c. Requires at least one
  // triangle. O(cells log chunks log cells) time; 24 bytes per cell.
  ChunkPlan(const ChunkGrid& grid, std::span<const uint64_t> counts);

  size_t chunk_count() const { return begins_.size() - 1; }
  // Returns the index at which chunk `chunk` begins in the triangles sorted by
  // (KeyOf, id). chunk_count() gives the end of the last chunk.
  uint64_t BeginOf(size_t chunk) const { return begins_[chunk]; }

  uint64_t KeyOf(const Triangle& triangle) const;

  // Chunks [first, second) that share the keys of a group of cells. Most groups
  // are one chunk.
  using Chunks = std::pair<size_t, size_t>;
  Chunks ChunksOf(const Triangle& triangle) const;  // of its group
  Chunks GroupOf(size_t chunk) const;

 private:
  struct Cell {
    uint64_t count;
    uint32_t code;
    uint8_t at[3];
  };
  // Cells whose triangles make one chunk, sorted by their ids. If the grid is
  // too coarse for some cells, they are a group of several chunks, which are
  // runs of the curve through the cells.
  struct Group {
    uint32_t first_rank;
    size_t first_chunk;
  };

  static uint64_t CountOf(std::span<const Cell> cells);

  // Makes chunks of the cells. Requires that none is empty.
  void Divide(std::span<Cell> cells, size_t most_chunks);
  // Moves the cells of the first half to the front. Returns the number of its
  // cells, and the number of its chunks. Returns no cells if there is one
  // chunk, or if the grid is too coarse.
  std::pair<size_t, size_t> Halve(std::span<Cell> cells, size_t chunks) const;
  void AddGroup(std::span<Cell> cells, size_t chunks);

  const ChunkGrid grid_;
  // The rank of each cell among all. For a group that is one chunk, the rank of
  // its first cell, and kIsOne.
  std::vector<uint32_t> ranks_;
  static constexpr uint32_t kIsOne = uint32_t{1} << 31;
  uint32_t next_rank_ = 0;
  std::vector<Group> groups_;
  std::vector<uint64_t> begins_ = {0};
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_CHUNK_PLAN_H_
