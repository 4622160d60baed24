// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>

#include "hwy/cache_control.h"
#include "orbox/bvh/mesh/internal/boundary_shadow.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/query/internal/batch_run.h"
#include "orbox/bvh/query/internal/crossings.h"
#include "orbox/bvh/traverse/internal/execution.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

using mesh_internal::BoundaryShadow;

// The points of a piece of a batch. Each point tells of the next one on the
// curve: the way between them is short, and where it crosses the surface, they
// are on different sides. Many are answered at once, cell by cell: where no
// triangle meets the box around them, all are on one side.
//
// For a surface with holes, this holds where no edge of a hole is between the
// lines along x from the one and from the other: then the way and those lines
// together cross the surface an even number of times.
class InsideByCells {
 public:
  InsideByCells(const Tree& tree, const BoundaryShadow& boundary,
                std::span<const Vec3> points, TraversalStatistics* statistics,
                std::span<uint8_t> results)
      : tree_(tree),
        boundary_(boundary),
        points_(points),
        statistics_(statistics),
        results_(results) {}

  // Sets the results of these queries, which follow the curve, where they are
  // 1.
  void Answer(std::span<const uint32_t> queries) {
    const Aabb& bounds = tree_.mesh().bounds();
    constexpr size_t kAhead = 16;
    for (size_t i = 0; i < queries.size(); ++i) {
      const size_t ahead = std::min(i + kAhead, queries.size() - 1);
      hwy::Prefetch(&points_[queries[ahead]].x);
      const Vec3& p = points_[queries[i]];
      // A NaN is not within either.
      if (Max(p, bounds.lo) == p && Min(p, bounds.hi) == p) {
        entries_.push_back({p, MortonKey(tree_.space(), p), queries[i]});
      }
    }
    AnswerCell(entries_);
  }

 private:
  struct Entry {
    Vec3 point;  // a copy, since points lie in memory as they came
    uint32_t key;
    uint32_t query;
  };
  struct Known {
    Vec3 point;
    bool is_inside;
  };

  // With fewer points, a box costs more than they do.
  static constexpr size_t kFewest = 10;

  void AnswerCell(std::span<const Entry> cell) {
    if (cell.size() < kFewest) {
      for (const Entry& e : cell) results_[e.query] = Ask(e.point);
      return;
    }
    Aabb box = {cell[0].point, cell[0].point};
    for (const Entry& e : cell) {
      box = {Min(box.lo, e.point), Max(box.hi, e.point)};
    }
    if (boundary_.MayMeet(box) || MayMeet(tree_, box, statistics_)) {
      const size_t middle = Middle(cell);
      AnswerCell(cell.first(middle));
      AnswerCell(cell.subspan(middle));
      return;
    }
    const bool is_inside = Ask(cell[0].point);
    for (const Entry& e : cell) results_[e.query] = is_inside;
    known_->point = cell.back().point;
  }

  // Where the halves of the smallest cell of the curve around these meet.
  static size_t Middle(std::span<const Entry> cell) {
    const uint32_t differing = cell.front().key ^ cell.back().key;
    if (differing == 0) return cell.size() / 2;
    const uint32_t bit = std::bit_floor(differing);
    return static_cast<size_t>(std::partition_point(cell.begin(), cell.end(),
                                                    [bit](const Entry& e) {
                                                      return (e.key & bit) == 0;
                                                    }) -
                               cell.begin());
  }

  bool Ask(const Vec3& p) {
    if (known_.has_value() &&
        !boundary_.MayMeet({Min(p, known_->point), Max(p, known_->point)})) {
      const std::optional<bool> is_crossed =
          IsCrossedBetween(tree_, p, known_->point, statistics_);
      if (is_crossed.has_value()) {
        known_ = {p, known_->is_inside != *is_crossed};
        return known_->is_inside;
      }
    }
    const Crossings crossings = CrossingsFrom(tree_, p, statistics_);
    if (crossings.is_on_surface) return false;
    known_ = {p, crossings.winding % 2 != 0};
    return known_->is_inside;
  }

  const Tree& tree_;
  const BoundaryShadow& boundary_;
  const std::span<const Vec3> points_;
  TraversalStatistics* const statistics_;
  const std::span<uint8_t> results_;
  std::vector<Entry> entries_;
  std::optional<Known> known_;
};

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
    const BoundaryShadow* const boundary =
        points.size() < count / kTrianglesPerPoint
            ? nullptr
            : &mesh_internal::BoundaryOf(mesh);
    const bool are_sides = boundary != nullptr &&
                           boundary->edge_count() <= count / kTrianglesPerEdge;
    return run.ForEachPiece(
        PlacesOf(points), [&](const BatchRun::Piece& piece) {
          if (are_sides) {
            InsideByCells(tree, *boundary, points, piece.statistics, results)
                .Answer(piece.queries);
            return;
          }
          const QueryOptions alone = run.Alone(piece.statistics);
          for (const uint32_t i : piece.queries) {
            results[i] = IsInside(tree, points[i], alone);
          }
        });
  });
  if (!status.ok()) return status;
  return results;
}

}  // namespace orbox
