// SPDX-License-Identifier: Apache-2.0

// Columns, rebuilt each frame; a tree if bodies crowd.
#include "orbox/bvh/broad_phase/internal/box_tree.h"
#include "orbox/bvh/broad_phase/internal/columns.h"
#include "orbox/bvh/broad_phase/internal/mapped_boxes.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"

namespace orbox {
namespace {

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

}  // namespace

std::unique_ptr<BroadPhase> MakeColumnSweep() {
  return std::make_unique<ColumnSweep>();
}

}  // namespace orbox
