#include "orbox/bvh/broad_phase/broad_phases.h"

#include "orbox/bvh/broad_phase/kinds.h"

namespace orbox {

std::unique_ptr<BroadPhase> MakeBroadPhase(BroadPhaseKind kind) {
  switch (kind) {
    case BroadPhaseKind::kAllPairs:
      return MakeAllPairs();
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
