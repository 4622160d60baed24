// A tree over the boxes of bodies that is made anew in each frame: in the order
// of a space-filling curve (Morton 1966), eight to a block, eight blocks to a
// block above. Where things are is told by position alone, so there is nothing
// to balance, and any distribution of places and sizes is as good as another.
// Private.
//
//   BoxTree tree;
//   tree.Build(bodies);
//   tree.FindBodies(box, [](BodyId body) { ... });
//
// Bodies of much different size lie in different parts of the order, so that
// large ones do not widen the blocks of small ones.
#ifndef ORBOX_BVH_BROAD_PHASE_BOX_TREE_H_
#define ORBOX_BVH_BROAD_PHASE_BOX_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/bodies.h"
#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/shapes.h"

namespace orbox {

class BoxTree {
 public:
  // O(n).
  void Build(const Bodies& bodies);

  // As BroadPhase says.
  void FindBodies(const Aabb& box, absl::FunctionRef<void(BodyId)> visit) const;
  void VisitNearest(const Aabb& from, double distance,
                    BroadPhase::VisitAtDistance visit) const;
  void VisitAlong(const Ray& ray, double t_max,
                  BroadPhase::VisitAtDistance visit) const;

  // All pairs whose boxes meet, in no particular order.
  void AppendPairs(std::vector<BodyPair>* pairs) const;

 private:
  static constexpr uint32_t kLanes = 8;

  // Eight boxes: of bodies, or those around eight blocks of the level below. A
  // lane without a box has lo = inf, hi = -inf, which meets nothing.
  struct Block {
    double lo[3][kLanes];
    double hi[3][kLanes];
  };

  // Block `index` of level `level`; level 0 has the bodies.
  struct Place {
    uint32_t level;
    uint32_t index;
  };

  static uint32_t Meeting(const Block& block, const Aabb& box);
  static Aabb BoxOf(const Block& block, uint32_t lane);
  static Aabb BoxAround(const Block& block);
  static void SetBox(const Aabb& box, Block* block, uint32_t lane);

  // Visits bodies in ascending order of key(box), a lower bound.
  template <typename Key>
  void VisitInOrder(Key key, double limit,
                    BroadPhase::VisitAtDistance visit) const;

  // Those of a block, and of the lanes of one that is not before it.
  void AppendPairsOfBlocks(uint32_t own, uint32_t other, uint32_t lanes,
                           std::vector<BodyPair>* pairs) const;

  const Block& block(Place place) const {
    return levels_[place.level][place.index];
  }

  std::vector<std::vector<Block>> levels_;  // the last one has one block
  std::vector<BodyId> ids_;                 // by lane of level 0
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_BOX_TREE_H_
