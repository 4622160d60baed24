// SPDX-License-Identifier: Apache-2.0

// Which triangles make which chunk: boxes of about as many triangles each,
// made by halving the longest side, from counts in a grid of cubes. Private.
//
//   ChunkGrid grid(bounds, most);
//   for (const Triangle& t : triangles) ++counts[grid.CellOf(t)];
//   const ChunkPlan plan(grid, counts);
//   SortBy(plan.KeyOf(t), id);           // chunk k is from plan.BeginOf(k) on
//
// Who has the counts of all has the same plan: nothing is rounded. Runs of a
// curve alone would need no counts, and have boxes that overlap: three times
// as many chunks to ask.
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PLAN_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Cubes of one size over the bounds, numbered along a Morton curve.
class ORBOX_EXPORT ChunkGrid {
 public:
  // For chunks of at most `most` triangles each. Requires most > 0.
  ChunkGrid(const Aabb& bounds, uint64_t most);

  uint64_t most() const { return most_; }
  size_t cell_count() const { return size_t{1} << 3 * bits_; }
  // The cell of a triangle's centre. Requires that the bounds hold it.
  size_t CellOf(const Triangle& triangle) const {
    return CodeOf(triangle) >> bits_below();
  }
  // The place of the centre along the curve: 21 bits an axis.
  uint64_t CodeOf(const Triangle& triangle) const;
  // The bits of a code that tell places in a cell apart.
  int bits_below() const { return kCodeBits - 3 * bits_; }

 private:
  static constexpr int kCodeBits = 63;

  Aabb bounds_;
  uint64_t most_;
  int bits_;  // an axis
};

class ORBOX_EXPORT ChunkPlan {
 public:
  // counts[c] is the number of triangles in cell c; at least one in all.
  // O(cells log chunks log cells) time; 24 bytes a cell.
  ChunkPlan(const ChunkGrid& grid, std::span<const uint64_t> counts);

  size_t chunk_count() const { return begins_.size() - 1; }
  // Where chunk `chunk` begins in the triangles sorted by (KeyOf, id); their
  // end for the one behind the last.
  uint64_t BeginOf(size_t chunk) const { return begins_[chunk]; }

  uint64_t KeyOf(const Triangle& triangle) const;

  // Chunks [first, second) that the keys of a group of cells lie in: most
  // groups make one chunk.
  using Chunks = std::pair<size_t, size_t>;
  Chunks ChunksOf(const Triangle& triangle) const;  // of its group
  Chunks GroupOf(size_t chunk) const;

 private:
  struct Cell {
    uint64_t count;
    uint32_t code;
    uint8_t at[3];
  };
  // Cells whose triangles make one chunk, sorted by their ids; or some that
  // cells are too coarse for, runs of the curve through them.
  struct Group {
    uint32_t first_rank;
    size_t first_chunk;
  };

  static uint64_t CountOf(std::span<const Cell> cells);

  // Makes chunks of the cells, of which none is empty.
  void Divide(std::span<Cell> cells, size_t most_chunks);
  // Puts the cells of the first of two parts first, and says how many they are
  // and how many of the chunks are theirs; none where there is one chunk, or
  // cells are too coarse.
  std::pair<size_t, size_t> Halve(std::span<Cell> cells, size_t chunks) const;
  void AddGroup(std::span<Cell> cells, size_t chunks);

  const ChunkGrid grid_;
  // The rank of each cell among all; of a group that is one chunk, that of its
  // first cell, and kIsOne.
  std::vector<uint32_t> ranks_;
  static constexpr uint32_t kIsOne = uint32_t{1} << 31;
  uint32_t next_rank_ = 0;
  std::vector<Group> groups_;
  std::vector<uint64_t> begins_ = {0};
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_CHUNK_PLAN_H_
