// SPDX-License-Identifier: Apache-2.0

// A binary tree of bodies that is updated when they are inserted, moved or
// removed. A body becomes the sibling of the node that makes the tree's surface
// area grow the least. On the way back up, nodes are rotated if that makes the
// area smaller. Leaves are larger than their bodies, so that most moves change
// nothing. Private.
//
//   DynamicTree tree;
//   tree.Insert(7, box);
//   tree.Move(7, elsewhere);
//   tree.ForEachMeeting(box, [](BodyId body) { ... });
//
// Insertion by surface area and its rotations: Bittner et al., "Fast
// insertion-based optimization of bounding volume hierarchies", 2013; Kopta et
// al., "Fast, effective BVH updates for animated scenes", 2012.
#ifndef ORBOX_BVH_BROAD_PHASES_INTERNAL_DYNAMIC_TREE_H_
#define ORBOX_BVH_BROAD_PHASES_INTERNAL_DYNAMIC_TREE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

class DynamicTree {
 public:
  // About O(log n) each. Insert requires that the body is not in the tree; Move
  // and Remove require that it is.
  void Insert(BodyId body, const Aabb& box);
  void Move(BodyId body, const Aabb& box);
  void Remove(BodyId body);

  bool Contains(BodyId body) const {
    return body < leaves_.size() && leaves_[body] != kNone;
  }

  // Calls visit(body) for each body whose leaf overlaps the box. A leaf
  // contains its body's box, so these include all bodies whose boxes overlap.
  template <typename Visit>
  void ForEachMeeting(const Aabb& box, Visit visit) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  // A leaf has a body and no children.
  struct Node {
    Aabb box;
    uint32_t parent = kNone;
    uint32_t children[2] = {kNone, kNone};
    BodyId body = 0;

    bool IsLeaf() const { return children[0] == kNone; }
  };

  uint32_t NewNode();
  uint32_t BestSibling(const Aabb& box) const;
  void InsertLeaf(uint32_t leaf);
  void RemoveLeaf(uint32_t leaf);
  void Replace(uint32_t parent, uint32_t child, uint32_t by);
  void RefitFrom(uint32_t node);
  void Rotate(uint32_t node);

  std::vector<Node> nodes_;
  std::vector<uint32_t> unused_;
  std::vector<uint32_t> leaves_;  // by body
  uint32_t root_ = kNone;
};

template <typename Visit>
void DynamicTree::ForEachMeeting(const Aabb& box, Visit visit) const {
  if (root_ == kNone) return;
  std::vector<uint32_t> waiting = {root_};
  while (!waiting.empty()) {
    const Node& node = nodes_[waiting.back()];
    waiting.pop_back();
    if (!Overlaps(node.box, box)) continue;
    if (node.IsLeaf()) {
      visit(node.body);
    } else {
      waiting.push_back(node.children[0]);
      waiting.push_back(node.children[1]);
    }
  }
}

}  // namespace orbox

#endif  // ORBOX_BVH_BROAD_PHASES_INTERNAL_DYNAMIC_TREE_H_
