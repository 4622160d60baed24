// How each kind of broad phase is made; what it is stands in the .cc file of
// its name. Private: broad_phases.h has the table.
#ifndef ORBOX_BVH_BROAD_PHASE_KINDS_H_
#define ORBOX_BVH_BROAD_PHASE_KINDS_H_

#include <memory>

#include "orbox/bvh/broad_phase/broad_phase.h"

namespace orbox {

std::unique_ptr<BroadPhase> MakeAdaptive();
std::unique_ptr<BroadPhase> MakeAllPairs();
std::unique_ptr<BroadPhase> MakeColumnSweep();
std::unique_ptr<BroadPhase> MakeMortonTree();

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_KINDS_H_
