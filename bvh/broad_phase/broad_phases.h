// SPDX-License-Identifier: Apache-2.0

// The kinds of broad phases, each a row of one table that tests and benches
// iterate over. All give the same pairs; the cost of a frame differs.
//
//   std::unique_ptr<BroadPhase> phase = MakeBroadPhase();
//   for (const BroadPhaseRow& row : kBroadPhases) Measure(row.name, row.kind);
#ifndef ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_
#define ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_

#include <memory>
#include <string_view>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

enum class BroadPhaseKind {
  // Every body against every other, eight at a time: O(n^2).
  kAllPairs,
  // Sorted along an axis; each against those that begin before its end.
  kSortedPairwise,
  // Endpoints along an axis, sorted anew each frame, then swept.
  kSweepFreshSort,
  // The same, with the order kept and corrected by insertion sort.
  kSweepInsertionSort,
  // Keeps the pairs; changes them when endpoints on one axis swap places.
  kIncrementalSweepOneAxis,
  // The same on all three axes.
  kIncrementalSweep,
  // A binary tree of larger boxes: insert, remove, rotate.
  kDynamicTree,
  // Boost.Geometry's rtree.
  kRtree,
  // Equal cells, each with the bodies that overlap it.
  kUniformGrid,
  // Cells as large as the body, found by its centre.
  kLooseOctree,
  // A grid across two axes, a sweep along the third.
  kColumnSweep,
  // A wide tree in Morton order, rebuilt each frame.
  kMortonTree,
  // Chooses among these by what the bodies do; the choice follows measurements.
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

ORBOX_EXPORT std::unique_ptr<BroadPhase> MakeBroadPhase(
    BroadPhaseKind kind = BroadPhaseKind::kAdaptive);

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BROAD_PHASES_H_
