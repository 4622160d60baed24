// SPDX-License-Identifier: Apache-2.0

// The kinds of broad phases. A table lists them, so that tests and benches
// iterate over all kinds. All kinds find the same pairs. They differ in the
// cost of a frame.
//
//   std::unique_ptr<BroadPhase> phase = MakeBroadPhase(BroadPhaseKind::kRtree);
//   for (const BroadPhaseRow& row : kBroadPhases) Measure(row.name, row.kind);
#ifndef ORBOX_BVH_BROAD_PHASES_BROAD_PHASES_H_
#define ORBOX_BVH_BROAD_PHASES_BROAD_PHASES_H_

#include <memory>
#include <string_view>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class BroadPhaseKind {
  // Compares every two bodies, eight at a time: O(n^2).
  kAllPairs,
  // Sorts boxes along an axis and compares each box with those that begin
  // before its end.
  kSortedPairwise,
  // Sorts endpoints along an axis in each frame, then sweeps.
  kSweepFreshSort,
  // Keeps the endpoints of the last frame, corrects their order by insertion
  // sort, then sweeps.
  kSweepInsertionSort,
  // Keeps the pairs and changes them when endpoints on one axis swap places.
  kIncrementalSweepOneAxis,
  // Keeps the pairs and changes them when endpoints on any of three axes swap
  // places.
  kIncrementalSweep,
  // A binary tree of enlarged boxes: insert, remove, rotate.
  kDynamicTree,
  // Boost.Geometry's rtree.
  kRtree,
  // A grid of equal cells. Each cell lists the bodies that overlap it.
  kUniformGrid,
  // A grid per level. A body is in the cell of its centre, on the finest level
  // whose cells are at least as large as the body.
  kLooseOctree,
  // A grid across two axes, a sweep along the third.
  kColumnSweep,
  // A wide tree in Morton order, rebuilt each frame.
  kMortonTree,
  // Chooses among all pairs, columns, a wide tree and kept candidates:
  // MakeBroadPhase() of broad_phase.h.
  kAdaptive,
};

struct BroadPhaseRow {
  BroadPhaseKind kind;
  std::string_view name;
};

inline constexpr BroadPhaseRow kBroadPhases[] = {
    {BroadPhaseKind::kAllPairs, "all_pairs"},
    {BroadPhaseKind::kSortedPairwise, "sorted_pairwise"},
    {BroadPhaseKind::kSweepFreshSort, "sweep_fresh_sort"},
    {BroadPhaseKind::kSweepInsertionSort, "sweep_insertion_sort"},
    {BroadPhaseKind::kIncrementalSweepOneAxis, "incremental_sweep_1"},
    {BroadPhaseKind::kIncrementalSweep, "incremental_sweep_3"},
    {BroadPhaseKind::kDynamicTree, "dynamic_tree"},
    {BroadPhaseKind::kRtree, "rtree"},
    {BroadPhaseKind::kUniformGrid, "uniform_grid"},
    {BroadPhaseKind::kLooseOctree, "loose_octree"},
    {BroadPhaseKind::kColumnSweep, "column_sweep"},
    {BroadPhaseKind::kMortonTree, "morton_tree"},
    {BroadPhaseKind::kAdaptive, "adaptive"},
};

ORBOX_EXPORT std::unique_ptr<BroadPhase> MakeBroadPhase(BroadPhaseKind kind);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASES_BROAD_PHASES_H_
