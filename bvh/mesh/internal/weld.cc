// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mesh/internal/weld.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "orbox/overlap/boxes/sphere_sphere.h"

namespace orbox::mesh_internal {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// Odd multipliers spread the bits to higher ones, and the shifts move high bits
// back down (the final step of splitmix64). Adding +0 turns -0 into +0.
uint64_t Hash(const Vec3& p) {
  uint64_t h = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    h ^= std::bit_cast<uint64_t>(p[axis] + 0.0);
    h *= 0xbf58476d1ce4e5b9u;
    h ^= h >> 32;
  }
  h *= 0x94d049bb133111ebu;
  return h ^ (h >> 29);
}

// Cells for equal points: each point is the name of its cell.
struct PointCells {
  static constexpr size_t kMostNear = 1;  // cells near a point

  Vec3 CellOf(const Vec3& p) const { return p; }
  template <typename Visit>
  void VisitNear(const Vec3& p, Visit visit) const {
    visit(p);
  }
  bool AreNear(const Vec3& /*p*/, const Vec3& /*q*/) const { return true; }
};

// Cells for close points: cubes with a power of two as side, more than four and
// at most eight times the distance. So few lists of cells are read per point,
// and they are short, because their points are farther apart than the distance.
class CubeCells {
 public:
  static constexpr size_t kMostNear = 8;

  explicit CubeCells(double distance)
      : distance_(distance),
        per_side_(std::ldexp(1.0, -3 - std::ilogb(distance))) {}

  // Exact: a coordinate times a power of two.
  Vec3 CellOf(const Vec3& p) const {
    return {std::floor(p.x * per_side_), std::floor(p.y * per_side_),
            std::floor(p.z * per_side_)};
  }

  // Visits the cells of all points within the distance. A coordinate of such a
  // point is between the two sums, even rounded, because rounding is monotone.
  // The sums are at most a side apart, so they are in one cell or in two
  // adjacent ones.
  template <typename Visit>
  void VisitNear(const Vec3& p, Visit visit) const {
    const Vec3 reach = {distance_, distance_, distance_};
    const Vec3 lo = CellOf(p - reach);
    const Vec3 hi = CellOf(p + reach);
    for (size_t corner = 0; corner < 8; ++corner) {
      Vec3 cell = lo;
      bool is_new = true;
      for (size_t axis = 0; axis < 3; ++axis) {
        if ((corner >> axis & 1) == 0) continue;
        is_new = is_new && lo[axis] != hi[axis];
        cell[axis] = hi[axis];
      }
      if (is_new) visit(cell);
    }
  }

  bool AreNear(const Vec3& p, const Vec3& q) const {
    const Sphere ball = {p, distance_};
    return MayOverlap(ball, {q, 0}) && Overlaps(ball, {q, 0});
  }

 private:
  double distance_;
  double per_side_;
};

// Open addressing: the newest point of each cell that has any.
template <typename Cells>
class HashTable {
 public:
  HashTable(const Cells& cells, std::span<const Vec3> points,
            const Welded& welded)
      : cells_(cells),
        points_(points),
        welded_(welded),
        // At most half full, so that probes of ordinary points are short.
        table_(std::bit_ceil(std::max<size_t>(2 * points.size(), 16)), kNone),
        probes_left_(16 * Cells::kMostNear * points.size() + 1024) {}

  // Returns the place of the cell, with kNone if the cell has no points, or
  // null after too many probes.
  uint32_t* At(const Vec3& cell) {
    size_t slot = Hash(cell) & (table_.size() - 1);
    while (table_[slot] != kNone &&
           cells_.CellOf(points_[welded_.first[table_[slot]]]) != cell) {
      slot = (slot + 1) & (table_.size() - 1);
      if (--probes_left_ == 0) return nullptr;
    }
    return &table_[slot];
  }

 private:
  const Cells& cells_;
  const std::span<const Vec3> points_;
  const Welded& welded_;
  std::vector<uint32_t> table_;
  // Random points take about 1.5 probes each. Many more mean that the points
  // were chosen to collide.
  size_t probes_left_;
};

// A table for points that defeat the hash.
class OrderedTable {
 public:
  uint32_t* At(const Vec3& cell) {
    return &table_.try_emplace(cell, kNone).first->second;
  }

 private:
  struct Less {
    bool operator()(const Vec3& p, const Vec3& q) const {
      return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
    }
  };
  std::map<Vec3, uint32_t, Less> table_;
};

// Returns false if the table gives up.
template <typename Cells, typename Table>
bool WeldWith(const Cells& cells, std::span<const Vec3> points,
              const Workers& workers, Table& table, Welded& welded) {
  // The points of a cell that stay: each leads to the one before it. Without
  // lists if a cell has one point.
  std::vector<uint32_t> next;
  welded.id.reserve(points.size());
  for (size_t i = 0; i < points.size();) {
    for (const size_t end = workers.EndOfBlock(i, points.size()); i < end;
         ++i) {
      const Vec3& p = points[i];
      const Vec3 own = cells.CellOf(p);
      uint32_t* place = nullptr;  // of the own cell
      uint32_t lowest = kNone;
      bool is_over = false;
      cells.VisitNear(p, [&](const Vec3& cell) {
        uint32_t* const newest = is_over ? nullptr : table.At(cell);
        if (newest == nullptr) {
          is_over = true;
          return;
        }
        if (cell == own) place = newest;
        for (uint32_t k = *newest; k != kNone;) {
          if (k < lowest && cells.AreNear(points[welded.first[k]], p)) {
            lowest = k;
          }
          k = Cells::kMostNear > 1 ? next[k] : kNone;
        }
      });
      if (is_over) return false;
      if (lowest == kNone) {
        lowest = static_cast<uint32_t>(welded.first.size());
        welded.first.push_back(static_cast<uint32_t>(i));
        if constexpr (Cells::kMostNear > 1) next.push_back(*place);
        *place = lowest;
      }
      welded.id.push_back(lowest);
    }
  }
  return true;
}

template <typename Cells>
Welded WeldIn(const Cells& cells, std::span<const Vec3> points,
              const Workers& workers) {
  Welded welded;
  HashTable<Cells> table(cells, points, welded);
  if (WeldWith(cells, points, workers, table, welded)) return welded;
  welded = {};
  OrderedTable ordered;
  WeldWith(cells, points, workers, ordered, welded);
  return welded;
}

}  // namespace

Welded Weld(std::span<const Vec3> points, const Workers& workers,
            double distance) {
  // Vertices are multiples of 2^-252, so that closer ones are equal, and
  // differences of coordinates are at most 2^201 (shapes/range.h).
  constexpr double kSmallest = 0x1p-252;
  constexpr double kLargest = 0x1p202;
  if (distance < kSmallest) return WeldIn(PointCells(), points, workers);
  return WeldIn(CubeCells(std::min(distance, kLargest)), points, workers);
}

}  // namespace orbox::mesh_internal
