// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phase/broad_phases.h"

#include "orbox/bvh/broad_phase/internal/kinds.h"

namespace orbox {

std::unique_ptr<BroadPhase> MakeBroadPhase(BroadPhaseKind kind) {
  switch (kind) {
    case BroadPhaseKind::kAllPairs:
      return MakeAllPairs();
    case BroadPhaseKind::kSortedPairwise:
      return MakeSortedPairwise();
    case BroadPhaseKind::kSweepFreshSort:
      return MakeSweepFreshSort();
    case BroadPhaseKind::kSweepInsertionSort:
      return MakeSweepInsertionSort();
    case BroadPhaseKind::kIncrementalSweepOneAxis:
      return MakeIncrementalSweepOneAxis();
    case BroadPhaseKind::kIncrementalSweep:
      return MakeIncrementalSweep();
    case BroadPhaseKind::kDynamicTree:
      return MakeDynamicTree();
    case BroadPhaseKind::kRtree:
      return MakeRtree();
    case BroadPhaseKind::kUniformGrid:
      return MakeUniformGrid();
    case BroadPhaseKind::kLooseOctree:
      return MakeLooseOctree();
    case BroadPhaseKind::kColumnSweep:
      return MakeColumnSweep();
    case BroadPhaseKind::kMortonTree:
      return MakeMortonTree();
    case BroadPhaseKind::kAdaptive:
      return MakeAdaptive();
  }
  return nullptr;
}

}  // namespace orbox
