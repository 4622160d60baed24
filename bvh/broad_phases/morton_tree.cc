// SPDX-License-Identifier: Apache-2.0

// A tree along a Morton curve, rebuilt each frame. Its cost does not depend on
// the motion of the bodies.
#include "orbox/bvh/broad_phase/internal/box_tree.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

class MortonTree final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    tree_.Build(bodies);
    pairs->clear();
    AddSteps(tree_.AppendPairs(pairs));
    Sort(pairs);
  }

  BoxTree tree_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeMortonTree() {
  return std::make_unique<MortonTree>();
}

}  // namespace orbox
