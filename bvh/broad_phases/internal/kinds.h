// SPDX-License-Identifier: Apache-2.0

// Factories of the broad phases. Each kind is described at its class. Private:
// broad_phases.h has the table.
#ifndef ORBOX_BVH_BROAD_PHASES_INTERNAL_KINDS_H_
#define ORBOX_BVH_BROAD_PHASES_INTERNAL_KINDS_H_

#include <memory>

#include "orbox/bvh/broad_phase/broad_phase.h"

namespace orbox {

std::unique_ptr<BroadPhase> MakeAllPairs();
std::unique_ptr<BroadPhase> MakeSortedPairwise();
std::unique_ptr<BroadPhase> MakeSweepFreshSort();
std::unique_ptr<BroadPhase> MakeSweepInsertionSort();
std::unique_ptr<BroadPhase> MakeIncrementalSweepOneAxis();
std::unique_ptr<BroadPhase> MakeIncrementalSweep();
std::unique_ptr<BroadPhase> MakeDynamicTree();
std::unique_ptr<BroadPhase> MakeRtree();
std::unique_ptr<BroadPhase> MakeUniformGrid();
std::unique_ptr<BroadPhase> MakeLooseOctree();
std::unique_ptr<BroadPhase> MakeColumnSweep();
std::unique_ptr<BroadPhase> MakeMortonTree();

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASES_INTERNAL_KINDS_H_
