// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/broad_phases/broad_phases.h"

#include <cstddef>
#include <iterator>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {

std::unique_ptr<BroadPhase> MakeBroadPhase(BroadPhaseKind kind) {
  // In the order of BroadPhaseKind.
  constexpr std::unique_ptr<BroadPhase> (*kMakers[])() = {
      MakeAllPairs,
      MakeSortedPairwise,
      MakeSweepFreshSort,
      MakeSweepInsertionSort,
      MakeIncrementalSweepOneAxis,
      MakeIncrementalSweep,
      MakeDynamicTree,
      MakeRtree,
      MakeUniformGrid,
      MakeLooseOctree,
      MakeColumnSweep,
      MakeMortonTree,
      MakeBroadPhase};
  const auto row = static_cast<size_t>(kind);
  return row < std::size(kMakers) ? kMakers[row]() : nullptr;
}

}  // namespace orbox
