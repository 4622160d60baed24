// SPDX-License-Identifier: Apache-2.0

// A tree over the boxes of bodies, rebuilt each frame: bodies in the order of a
// space-filling curve (Morton 1966), eight per block, and eight blocks per
// block of the next level. Only the positions determine the structure, so
// nothing needs balancing. Positions are measured in lengths of nearby bodies
// (center_scale.h), so the distribution of positions and sizes does not matter.
//
//   BoxTree tree;
//   tree.Build(bodies);
//   tree.FindBodies(box, [](BodyId body) { ... });
#ifndef ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_TREE_H_
#define ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/bodies.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Eight boxes: of bodies, or each around a block of the level below. A lane
// without a box has lo = inf, hi = -inf, which overlaps nothing.
struct alignas(64) BoxBlock {
  static constexpr uint32_t kLanes = 8;

  double lo[3][kLanes];
  double hi[3][kLanes];

  Aabb Box(uint32_t lane) const {
    return {{lo[0][lane], lo[1][lane], lo[2][lane]},
            {hi[0][lane], hi[1][lane], hi[2][lane]}};
  }
  void SetBox(const Aabb& box, uint32_t lane) {
    for (size_t axis = 0; axis < 3; ++axis) {
      lo[axis][lane] = box.lo[axis];
      hi[axis][lane] = box.hi[axis];
    }
  }
  Aabb BoxAround() const {
    Aabb all = Box(0);
    for (uint32_t lane = 1; lane < kLanes; ++lane) {
      all = Union(all, Box(lane));
    }
    return all;
  }
};

// Level 0 has blocks of bodies. Each lane of a higher level is the box around a
// block of the level below. The last level has one block.
struct BoxLevels {
  std::vector<std::vector<BoxBlock>> levels;
  std::vector<BodyId> ids;  // by lane of level 0
};

class ORBOX_EXPORT BoxTree {
 public:
  // O(n), for any sizes and positions.
  void Build(const Bodies& bodies);

  // See BroadPhase.
  void FindBodies(const Aabb& box, absl::FunctionRef<void(BodyId)> visit) const;
  void VisitNearest(const Aabb& from, double distance,
                    BroadPhase::VisitAtDistance visit) const;
  void VisitAlong(const Ray& ray, double t_max,
                  BroadPhase::VisitAtDistance visit) const;

  // Appends all pairs of overlapping boxes, in no particular order. Returns the
  // number of comparisons of a box with eight.
  size_t AppendPairs(std::vector<BodyPair>* pairs) const;

 private:
  // Visits bodies in ascending order of key(box), a lower bound.
  template <typename Key>
  void VisitInOrder(Key key, double limit,
                    BroadPhase::VisitAtDistance visit) const;

  BoxLevels boxes_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASE_INTERNAL_BOX_TREE_H_
