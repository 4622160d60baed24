// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "orbox/bvh/base/internal/morton_code.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/query/internal/inside_cells.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

// A grid over a mesh's bounds, of cells along a Morton curve.
class PlaceGrid {
 public:
  // For so many points: fewer cells than points, and few enough for a cache.
  PlaceGrid(const Tree& tree, size_t points)
      : bounds_(tree.mesh().bounds()), space_(tree.space()) {
    constexpr size_t kPointsPerCell = 8;
    while (bits_ < kMostBits &&
           (cell_count() << 3) * kPointsPerCell <= points) {
      ++bits_;
    }
    lo_ = space_.FromModel(bounds_.lo);
    const double size = MaxCoordinate(space_.FromModel(bounds_.hi) - lo_);
    // A bit less, so that the largest is in a cell, too.
    scale_ = size > 0 ? ((1 << bits_) - 0x1p-20) / size : 0;
    for (uint32_t i = 0; i < (1u << bits_); ++i) {
      spread_[i] = static_cast<uint32_t>(SpreadBits(i));
    }
  }

  size_t cell_count() const { return size_t{1} << (3 * bits_); }

  // False of points outside and of what is not a number.
  bool Holds(const Vec3& p) const {
    return (p.x >= bounds_.lo.x) & (p.x <= bounds_.hi.x) &
           (p.y >= bounds_.lo.y) & (p.y <= bounds_.hi.y) &
           (p.z >= bounds_.lo.z) & (p.z <= bounds_.hi.z);
  }
  Vec3 InTree(const Vec3& p) const { return space_.FromModel(p); }
  // The cell of a point in the tree's space.
  uint32_t CellOf(const Vec3& at) const {
    const auto spread = [&](size_t k) {
      return spread_[static_cast<int32_t>((at[k] - lo_[k]) * scale_)];
    };
    return spread(0) << 2 | spread(1) << 1 | spread(2);
  }

 private:
  static constexpr int kMostBits = 5;  // of a coordinate

  const Aabb& bounds_;
  const TreeSpace& space_;
  int bits_ = 0;
  Vec3 lo_;
  double scale_ = 0;
  uint32_t spread_[1 << kMostBits];
};

// The points in the mesh's bounds; others are not inside. Neighbours in the
// list are near each other. Sorts by counting: each point is moved once.
std::vector<PlacedPoint> PlacedPoints(const Tree& tree,
                                      std::span<const Vec3> points,
                                      const Workers& workers) {
  const PlaceGrid grid(tree, points.size());
  constexpr uint32_t kNoCell = 0xffffffff;
  std::vector<uint32_t> cells(points.size());
  // Few enough pieces for their counts to stay in the cache.
  constexpr size_t kLeastPiece = size_t{1} << 16;
  constexpr size_t kMostPieces = 32;
  const size_t piece = std::max(kLeastPiece, points.size() / kMostPieces + 1);
  // Counts become places, cell by cell, and piece by piece within a cell.
  std::vector<std::vector<uint32_t>> places((points.size() + piece - 1) /
                                            piece);
  workers.For(points.size(), piece, [&](size_t begin, size_t end) {
    std::vector<uint32_t>& counts = places[begin / piece];
    counts.resize(grid.cell_count());
    for (size_t i = begin; i < end; ++i) {
      cells[i] = kNoCell;
      if (!grid.Holds(points[i])) continue;
      cells[i] = grid.CellOf(grid.InTree(points[i]));
      ++counts[cells[i]];
    }
  });
  uint32_t before = 0;
  for (size_t cell = 0; cell < grid.cell_count(); ++cell) {
    for (auto& counts : places) {
      before += std::exchange(counts[cell], before);
    }
  }
  std::vector<PlacedPoint> placed(before);
  workers.For(points.size(), piece, [&](size_t begin, size_t end) {
    std::vector<uint32_t>& next = places[begin / piece];
    for (size_t i = begin; i < end; ++i) {
      if (cells[i] == kNoCell) continue;
      const Vec3 at = grid.InTree(points[i]);
      PlacedPoint& to = placed[next[cells[i]]++];
      for (size_t k = 0; k < 3; ++k) to.at[k] = static_cast<float>(at[k]);
      to.query = static_cast<uint32_t>(i);
    }
  });
  return placed;
}

}  // namespace

bool IsInside(const Tree& tree, const Vec3& p, const QueryOptions& options) {
  const Execution run(options);
  if (!IsFinite(p) || run.finds_nothing()) return false;
  const Crossings crossings = CrossingsFrom(tree, p, run.statistics());
  return !crossings.is_on_surface && crossings.winding % 2 != 0;
}

absl::StatusOr<std::vector<uint8_t>> IsInside(const Tree& tree,
                                              std::span<const Vec3> points,
                                              const QueryOptions& options) {
  // To find the boundary of a mesh takes a fraction of what its points take,
  // unless they are few. What is mostly boundary has no sides: each point looks
  // along x.
  constexpr size_t kTrianglesPerPoint = 4;
  constexpr size_t kTrianglesPerEdge = 8;
  const Mesh& mesh = tree.mesh();
  const size_t count = mesh.triangle_count();
  std::vector<uint8_t> results;
  BatchRun run(tree.space(), points.size(), Execution(options));
  const absl::Status status = BatchRun::GuardMemory([&] {
    results.resize(points.size());
    const mesh_internal::BoundaryShadow* const boundary =
        points.size() < count / kTrianglesPerPoint
            ? nullptr
            : &mesh_internal::BoundaryOf(mesh);
    const bool are_sides = boundary != nullptr &&
                           boundary->edge_count() <= count / kTrianglesPerEdge;
    if (!are_sides) {
      return run.ForEachPiece(
          PlacesOf(points), [&](const BatchRun::Piece& piece) {
            const QueryOptions alone = run.Alone(piece.statistics);
            for (const uint32_t i : piece.queries) {
              results[i] = IsInside(tree, points[i], alone);
            }
          });
    }
    std::vector<PlacedPoint> placed;
    return run.ForEachPieceInOrder(
        [&](const Workers& workers) {
          placed = PlacedPoints(tree, points, workers);
        },
        [&](const BatchRun::Piece& piece) {
          const size_t begin = std::min(piece.begin, placed.size());
          const size_t end = std::min(piece.end, placed.size());
          AnswerByCells({tree, *boundary, points},
                        std::span(placed).subspan(begin, end - begin),
                        piece.statistics, results);
        });
  });
  if (!status.ok()) return status;
  return results;
}

}  // namespace orbox
