// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/query/inside/internal/inside_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "hwy/cache_control.h"
#include "orbox/bvh/query/inside/internal/crossings.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/shapes/shapes.h"

// clang-format off: Highway's headers come in this order.
#include "orbox/overlap/base/internal/dynamic_dispatch.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "orbox/bvh/query/inside/internal/inside_cells.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "orbox/bvh/query/inside/internal/cell_box-inl.h"
#include "orbox/bvh/query/inside/internal/point_rows-inl.h"
#include "orbox/bvh/query/inside/internal/ways_across-inl.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class InsideByCells {
 public:
  InsideByCells(const InsideQuery& query, const Watch& watch,
                std::span<uint8_t> results)
      : tree_(query.tree),
        memory_(tree_),
        boundary_(query.boundary),
        counts_windings_(query.rule == InsideRule::kWinding &&
                         boundary_.do_faces_agree()),
        points_(query.points),
        placed_(query.placed),
        watch_(watch),
        pulse_(watch),
        results_(results),
        error_(RoundUp(tree_.space().leaf_error + 0x1.04p-25)) {}

  void Answer(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i += PointRows::kMost) {
      AnswerTask({i, std::min(i + PointRows::kMost, end)});
    }
  }

 private:
  // Lanes of a node that may overlap a cell.
  struct Candidate {
    uint32_t node;
    uint8_t lanes;
    uint8_t depth;
  };
  struct Known {
    Vec3 point;
    int winding;
  };
  struct LeafLanes {
    uint32_t leaf;
    uint32_t lanes;
  };

  // Smallest number of points for which a cell is faster than single queries.
  static constexpr size_t kFewest = 24;
  // Largest product of groups of eight points and leaves of a cell that is
  // compared without further division.
  static constexpr size_t kLittle = 32;
  // Limit of the number of candidates that are compared.
  static constexpr size_t kMostCandidates = 256;
  // Largest number of triangles for which comparing a point is faster than a
  // ray.
  static constexpr int kMostTriangles = 160;

  void AnswerTask(IndexRange task) {
    task_ = task;
    points_in_tree_.Place(placed_.points().subspan(task.begin, task.size()));
    const IndexRange all = {0, task.size()};
    if (memory_.DetailAt(Tree::kRoot) != nullptr) {
      TestAll(all);
      return;
    }
    candidates_.assign(1, {Tree::kRoot, 0xff, 0});
    AnswerCell(all, placed_.BlockOf(task.begin, task.end - 1), {0, 1});
  }

  // Decides the points of a cell, which are in the block. The candidates are
  // the last ones of the list. All triangles that may overlap the cell are
  // below them.
  void AnswerCell(IndexRange cell, PlacedPoints::Block block,
                  IndexRange candidates) {
    // The exact points may be needed later, and their order in memory is
    // random. Prefetches the first and the last one.
    hwy::Prefetch(&points_[points_in_tree_.QueryOf(cell.begin)]);
    hwy::Prefetch(&points_[points_in_tree_.QueryOf(cell.end - 1)]);
    const CellBox box = points_in_tree_.BoxOf(cell);
    const size_t top = candidates_.size();
    const bool has_inner = Refine(candidates, box);
    const IndexRange rest = {top, candidates_.size()};
    const bool is_small = cell.size() < kFewest;
    if ((is_small || (!has_inner && IsLittle(cell, rest))) &&
        !boundary_.MayOverlap(InModel(box))) {
      AnswerByWays(cell, box, rest, has_inner);
    } else if (is_small) {
      TestAll(cell);
    } else {
      const auto [middle, low, high] = PartsOf(cell, block, box);
      AnswerCell({cell.begin, middle}, low, rest);
      AnswerCell({middle, cell.end}, high, rest);
    }
    candidates_.resize(top);
  }

  // The two parts of a cell: its points from `middle` on are in the second.
  struct Parts {
    size_t middle;
    PlacedPoints::Block low;
    PlacedPoints::Block high;
  };

  // Divides the cell into the halves of the block, as long as the block has
  // halves. The points of each half are consecutive.
  Parts PartsOf(IndexRange cell, PlacedPoints::Block block,
                const CellBox& box) {
    while (block.bits > 0) {
      const PlacedPoints::Block low = block.Low();
      const PlacedPoints::Block high = block.High();
      const size_t middle =
          std::clamp(placed_.BeginOf(high), task_.begin + cell.begin,
                     task_.begin + cell.end) -
          task_.begin;
      if (middle != cell.begin && middle != cell.end) {
        return {middle, low, high};
      }
      block = middle == cell.begin ? high : low;
    }
    return {points_in_tree_.Part(cell, box), block, block};
  }

  bool IsLittle(IndexRange cell, IndexRange candidates) const {
    size_t leaves = 0;
    for (size_t i = candidates.begin; i < candidates.end; ++i) {
      leaves += static_cast<size_t>(std::popcount(candidates_[i].lanes));
    }
    return leaves * ((cell.size() + kLanes - 1) / kLanes) <= kLittle;
  }

  // Appends the children of the candidates that overlap the box. Returns true
  // if there are nodes below them.
  bool Refine(IndexRange candidates, const CellBox& box) {
    bool has_inner = false;
    const size_t limit = candidates_.size() + kMostCandidates;
    for (size_t i = candidates.begin; i < candidates.end; ++i) {
      const Candidate c = candidates_[i];
      if (candidates_.size() + (candidates.end - i) + kLanes > limit) {
        candidates_.push_back(c);
        has_inner = true;
        continue;
      }
      Node room;
      const Node& node = memory_.ReadNode(c.node, room);
      const uint32_t tested = c.lanes & LanesBelow(node.count);
      const uint32_t accepted = tested & MayOverlap(node, box);
      if (watch_.statistics != nullptr)
        CountNode(node, c.depth, tested, accepted);
      uint32_t stay = accepted & ~LanesBelow(node.inner_count);
      for (uint32_t rest = accepted & LanesBelow(node.inner_count); rest != 0;
           rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        const uint32_t child = node.first_node + lane;
        if (HWY_UNLIKELY(memory_.DetailAt(child) != nullptr)) {
          stay |= 1u << lane;
          continue;
        }
        has_inner = true;
        candidates_.push_back({child, 0xff, static_cast<uint8_t>(c.depth + 1)});
      }
      if (stay != 0) {
        candidates_.push_back({c.node, static_cast<uint8_t>(stay), c.depth});
      }
    }
    return has_inner;
  }

  // Statistics do not contain volumes that were tested without a result.
  void CountNode(const Node& node, int depth, uint32_t tested,
                 uint32_t accepted) {
    VolumeStatistics& v =
        watch_.statistics->volumes[depth][static_cast<size_t>(node.kind)];
    ++v.nodes_visited;
    v.volume_tests += std::popcount(tested);
    v.accepted += std::popcount(accepted);
    watch_.statistics->leaf_box_tests +=
        std::popcount(tested & ~LanesBelow(node.inner_count));
  }
  void CountTriangles(int tests) {
    if (watch_.statistics == nullptr) return;
    watch_.statistics->triangle_tests += tests;
    watch_.statistics->settled_by_float += tests;
  }

  void AnswerByWays(IndexRange cell, const CellBox& box, IndexRange candidates,
                    bool has_inner) {
    while (has_inner && candidates.size() < kMostCandidates / 2) {
      has_inner = Refine(candidates, box);
      candidates = {candidates.end, candidates_.size()};
    }
    if (has_inner || !FindTriangles(candidates, box)) {
      TestAll(cell);
      return;
    }
    // Find the first point that is not on the surface.
    size_t from = cell.begin;
    for (;; ++from) {
      if (from == cell.end) return;
      results_[points_in_tree_.QueryOf(from)] = TestPoint(from);
      if (knows_last_) break;
    }
    if (leaves_.empty()) {
      const bool is_inside = IsInside(known_->winding);
      for (size_t i = from + 1; i < cell.end; ++i) {
        results_[points_in_tree_.QueryOf(i)] = is_inside;
      }
      known_->point = points_[points_in_tree_.QueryOf(cell.end - 1)];
      return;
    }
    Compare(from, {from + 1, cell.end}, box);
  }

  // Finds the triangles that may overlap the box. Returns false if there are
  // too many of them or if float leaves one undecided.
  bool FindTriangles(IndexRange candidates, const CellBox& box) {
    leaves_.clear();
    float center[3];
    float half[3];
    for (int k = 0; k < 3; ++k) {
      center[k] = (box.lo[k] + box.hi[k]) * 0.5f;
      half[k] = (box.hi[k] - box.lo[k]) * 0.5f + kCellSlack;
    }
    int count = 0;
    for (size_t i = candidates.begin; i < candidates.end; ++i) {
      const Candidate& c = candidates_[i];
      Node node_room;
      const Node& node = memory_.ReadNode(c.node, node_room);
      for (uint32_t rest = c.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        if (lane < node.inner_count) return false;  // a detail tree
        const uint32_t index = node.first_leaf + lane - node.inner_count;
        Leaf room;
        const Leaf& leaf = memory_.ReadLeaf(index, room);
        pulse_.Turn();
        const uint32_t used = UsedLanes(leaf);
        const uint32_t lanes =
            used & ~Bits(BoxAgainstTriangles(center, half,
                                             LoadTriangles(leaf.rows), error_)
                             .outside);
        if (watch_.statistics != nullptr) ++watch_.statistics->leaves_visited;
        CountTriangles(std::popcount(used));
        if (lanes == 0) continue;
        leaves_.push_back({index, lanes});
        count += std::popcount(lanes);
        if (count > kMostTriangles) return false;
      }
    }
    return true;
  }

  // Decides by a winding number. Requires that the point is not on the surface.
  bool IsInside(int winding) const {
    return counts_windings_ ? winding != 0 : winding % 2 != 0;
  }

  // Sets the results of points by the crossings of the ways to them, from a
  // point whose result is known.
  void Compare(size_t from, IndexRange points, const CellBox& box) {
    const int winding = known_->winding;
    float start[3];
    float reach = 0;
    for (size_t k = 0; k < 3; ++k) {
      start[k] = points_in_tree_.row(k)[from];
      reach =
          std::max(reach, std::max(box.hi[k] - start[k], start[k] - box.lo[k]));
    }
    const V8 origin = Set8x3(start);
    sides_.resize(leaves_.size());
    for (size_t i = 0; i < leaves_.size(); ++i) {
      Leaf room;
      const T8 t = LoadTriangles(memory_.ReadLeaf(leaves_[i].leaf, room).rows);
      SetSides(t - origin, reach * (1 + 0x1p-20f), error_, &sides_[i]);
    }
    for (size_t i = points.begin; i < points.end; i += kLanes) {
      const V8 at = points_in_tree_.At(i);
      WaysAcross ways(at - origin);
      for (size_t k = 0; k < leaves_.size(); ++k) {
        for (uint32_t rest = leaves_[k].lanes; rest != 0; rest &= rest - 1) {
          ways.Cross(sides_[k], static_cast<uint32_t>(std::countr_zero(rest)));
        }
      }
      alignas(32) float sums[kLanes];
      Store8(ways.sum(), sums);
      const size_t count = std::min(size_t{kLanes}, points.end - i);
      for (size_t j = 0; j < count; ++j) {
        results_[points_in_tree_.QueryOf(i + j)] =
            IsInside(winding - static_cast<int>(sums[j])) ? 1 : 0;
      }
      for (uint32_t rest =
               ways.undecided() & LanesBelow(static_cast<uint32_t>(count));
           rest != 0; rest &= rest - 1) {
        const size_t j = i + static_cast<size_t>(std::countr_zero(rest));
        results_[points_in_tree_.QueryOf(j)] = TestPoint(j);
      }
    }
  }

  // Bounding box of the points in model space, enlarged by their error.
  Aabb InModel(const CellBox& box) const {
    const TreeSpace& space = tree_.space();
    Aabb model;
    for (size_t k = 0; k < 3; ++k) {
      // In model space the product and the sum are rounded.
      const double slack =
          double{kCellSlack} * space.unscale +
          0x1p-51 * (std::abs(space.origin[k]) + space.unscale);
      model.lo[k] = (space.origin[k] + box.lo[k] * space.unscale) - slack;
      model.hi[k] = (space.origin[k] + box.hi[k] * space.unscale) + slack;
    }
    return model;
  }

  void TestAll(IndexRange cell) {
    for (size_t i = cell.begin; i < cell.end; ++i) {
      results_[points_in_tree_.QueryOf(i)] = TestPoint(i);
    }
  }

  bool TestPoint(size_t i) {
    const Vec3& p = points_[points_in_tree_.QueryOf(i)];
    knows_last_ = true;
    if (known_.has_value() &&
        !boundary_.MayOverlap({Min(p, known_->point), Max(p, known_->point)})) {
      const std::optional<int> more =
          WindingBetween(tree_, p, known_->point, watch_);
      if (more.has_value()) {
        known_ = {p, known_->winding + *more};
        return IsInside(known_->winding);
      }
    }
    const Crossings crossings = CrossingsFrom(tree_, p, watch_);
    knows_last_ = !crossings.is_on_surface;
    if (crossings.is_on_surface) return false;
    known_ = {p, crossings.winding};
    return IsInside(crossings.winding);
  }

  const Tree& tree_;
  const TreeMemory memory_;
  const mesh_internal::BoundaryShadow& boundary_;
  const bool counts_windings_;  // otherwise only parities
  const std::span<const Vec3> points_;
  const PlacedPoints& placed_;
  const Watch watch_;
  Pulse pulse_;
  const std::span<uint8_t> results_;
  const float error_;  // of a coordinate of a corner and of a point

  IndexRange task_ = {0, 0};  // of the placed points
  PointRows points_in_tree_;

  std::vector<Candidate> candidates_;  // a stack of lists, by level
  std::vector<LeafLanes> leaves_;
  std::vector<TriangleSides> sides_;

  std::optional<Known> known_;
  bool knows_last_ = false;  // true if `known_` is the last result
};

void AnswerByCellsLoop(const InsideQuery& query, size_t begin, size_t end,
                       const Watch& watch, std::span<uint8_t> results) {
  InsideByCells(query, watch, results).Answer(begin, end);
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orbox {

HWY_EXPORT(AnswerByCellsLoop);

void AnswerByCells(const InsideQuery& query, size_t begin, size_t end,
                   const Watch& watch, std::span<uint8_t> results) {
  ORBOX_DYNAMIC_DISPATCH(AnswerByCellsLoop)
  (query, begin, end, watch, results);
}

}  // namespace orbox
#endif  // HWY_ONCE
