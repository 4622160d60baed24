// SPDX-License-Identifier: Apache-2.0

// Kinds that are rebuilt in each frame. Their cost does not depend on the
// motion of the bodies.
#include <cstddef>
#include <memory>
#include <vector>

#include "orbox/bvh/broad_phase/internal/box_map.h"
#include "orbox/bvh/broad_phase/internal/box_tree.h"
#include "orbox/bvh/broad_phase/internal/columns.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

// Columns, or a tree if many bodies are in one column.
class ColumnSweep final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    MapAll(bodies, BoxMap(MapBoundsOf(bodies)), &boxes_);
    columns_.Build(boxes_);
    pairs->clear();
    if (!columns_.AppendPairs(&bodies, pairs)) {
      BoxTree tree;
      tree.Build(bodies);
      pairs->clear();
      tree.AppendPairs(pairs);
    }
    Sort(pairs);
  }

  MappedBoxes boxes_;
  Columns columns_;
};

// A tree along a Morton curve.
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

std::unique_ptr<BroadPhase> MakeColumnSweep() {
  return std::make_unique<ColumnSweep>();
}

std::unique_ptr<BroadPhase> MakeMortonTree() {
  return std::make_unique<MortonTree>();
}

}  // namespace orbox
