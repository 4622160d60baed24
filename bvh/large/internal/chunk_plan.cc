// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/internal/chunk_plan.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "orbox/bvh/base/internal/morton_code.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {
namespace {

// Fraction of a chunk that stays empty, so that a cut between cells can be
// found: 1 / kSlack.
constexpr uint64_t kSlack = 32;

// Builds of smaller chunks have too little memory for finer cells.
constexpr uint64_t kLargeChunk = 65536;

size_t ChunksFor(uint64_t triangles, uint64_t most) {
  if (triangles <= most) return 1;
  const uint64_t usual = most - most / kSlack;
  return (triangles - 1) / usual + 1;
}

// Returns about half of the chunks. If they are many, returns a number that
// fills whole boxes of the levels above them (chunk_levels.h).
size_t FirstHalfOf(size_t chunks) {
  size_t unit = 1;
  while (unit * 16 <= chunks) unit *= 8;
  return (chunks / 2 + unit / 2) / unit * unit;
}

// Returns the number of triangles in the first `i` of `parts` equal parts.
uint64_t ShareOf(uint64_t triangles, size_t i, size_t parts) {
  return triangles / parts * i + triangles % parts * i / parts;
}

}  // namespace

ChunkGrid::ChunkGrid(const Aabb& bounds, uint64_t most)
    : bounds_(bounds), most_(most), bits_(most < kLargeChunk ? 6 : 7) {}

uint64_t ChunkGrid::CodeOf(const Triangle& triangle) const {
  constexpr double kCells = 1 << 21;
  const Vec3 half = bounds_.HalfExtents();
  const double side = MaxCoordinate(half);
  if (!(side > 0)) return 0;
  const Vec3 center = BoundsOf(triangle).Center();
  uint32_t cells[3];
  for (size_t i = 0; i < 3; ++i) {
    // Halves do not overflow.
    const double at = (center[i] * 0.5 - bounds_.lo[i] * 0.5) / side;
    cells[i] = static_cast<uint32_t>(std::clamp(at * kCells, 0.0, kCells - 1));
  }
  return MortonCode(cells[0], cells[1], cells[2]);
}

ChunkPlan::ChunkPlan(const ChunkGrid& grid, std::span<const uint64_t> counts)
    : grid_(grid), ranks_(grid.cell_count()) {
  std::vector<Cell> cells;
  for (size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    Cell cell{counts[code], static_cast<uint32_t>(code), {}};
    for (size_t bit = 0; code >> bit != 0; ++bit) {
      const size_t axis = 2 - bit % 3;
      cell.at[axis] =
          static_cast<uint8_t>(cell.at[axis] | (code >> bit & 1) << bit / 3);
    }
    cells.push_back(cell);
  }
  Divide(cells, std::numeric_limits<size_t>::max());
}

uint64_t ChunkPlan::CountOf(std::span<const Cell> cells) {
  uint64_t count = 0;
  for (const Cell& c : cells) count += c.count;
  return count;
}

void ChunkPlan::Divide(std::span<Cell> cells, size_t most_chunks) {
  const size_t chunks =
      std::min(most_chunks, ChunksFor(CountOf(cells), grid_.most()));
  const auto [count, first] = Halve(cells, chunks);
  if (count == 0) return AddGroup(cells, chunks);
  Divide(cells.first(count), first);
  Divide(cells.subspan(count), chunks - first);
}

std::pair<size_t, size_t> ChunkPlan::Halve(std::span<Cell> cells,
                                           size_t chunks) const {
  if (cells.size() < 2 || chunks < 2) return {};
  uint8_t lo[3] = {255, 255, 255};
  uint8_t hi[3] = {};
  for (const Cell& c : cells) {
    for (size_t i = 0; i < 3; ++i) {
      lo[i] = std::min(lo[i], c.at[i]);
      hi[i] = std::max(hi[i], c.at[i]);
    }
  }
  size_t axis = 0;
  for (size_t i = 1; i < 3; ++i) {
    if (hi[i] - lo[i] > hi[axis] - lo[axis]) axis = i;
  }
  std::sort(cells.begin(), cells.end(), [axis](const Cell& x, const Cell& y) {
    return std::tie(x.at[axis], x.code) < std::tie(y.at[axis], y.code);
  });
  size_t first = FirstHalfOf(chunks);
  const uint64_t all = CountOf(cells);
  const uint64_t wanted = ShareOf(all, first, chunks);
  size_t count = 0;
  uint64_t taken = 0;
  while (count < cells.size() && taken + cells[count].count / 2 < wanted) {
    taken += cells[count++].count;
  }
  const auto fits = [&] {
    return first > 0 && first < chunks && count > 0 && count < cells.size() &&
           taken <= first * grid_.most() &&
           all - taken <= (chunks - first) * grid_.most();
  };
  if (fits()) return {count, first};
  // A cell with many triangles may make the halves uneven.
  first = static_cast<size_t>(static_cast<double>(taken) /
                                  static_cast<double>(all) *
                                  static_cast<double>(chunks) +
                              0.5);
  if (fits()) return {count, first};
  return {};
}

void ChunkPlan::AddGroup(std::span<Cell> cells, size_t chunks) {
  std::sort(cells.begin(), cells.end(),
            [](const Cell& x, const Cell& y) { return x.code < y.code; });
  groups_.push_back({next_rank_, chunk_count()});
  for (const Cell& c : cells) {
    ranks_[c.code] =
        chunks == 1 ? groups_.back().first_rank | kIsOne : next_rank_;
    ++next_rank_;
  }
  const uint64_t triangles = CountOf(cells);
  const uint64_t begin = begins_.back();
  for (size_t i = 1; i <= chunks; ++i) {
    begins_.push_back(begin + ShareOf(triangles, i, chunks));
  }
}

uint64_t ChunkPlan::KeyOf(const Triangle& triangle) const {
  const uint64_t code = grid_.CodeOf(triangle);
  const int below = grid_.bits_below();
  const uint32_t rank = ranks_[code >> below];
  if ((rank & kIsOne) != 0) return uint64_t{rank & ~kIsOne} << below;
  return uint64_t{rank} << below | (code & ((uint64_t{1} << below) - 1));
}

ChunkPlan::Chunks ChunkPlan::ChunksOf(const Triangle& triangle) const {
  const uint32_t rank = ranks_[grid_.CellOf(triangle)] & ~kIsOne;
  const auto next = std::upper_bound(
      groups_.begin(), groups_.end(), rank,
      [](uint32_t at, const Group& g) { return at < g.first_rank; });
  return {(next - 1)->first_chunk,
          next == groups_.end() ? chunk_count() : next->first_chunk};
}

ChunkPlan::Chunks ChunkPlan::GroupOf(size_t chunk) const {
  const auto next = std::upper_bound(
      groups_.begin(), groups_.end(), chunk,
      [](size_t at, const Group& g) { return at < g.first_chunk; });
  return {(next - 1)->first_chunk,
          next == groups_.end() ? chunk_count() : next->first_chunk};
}

}  // namespace orbox
