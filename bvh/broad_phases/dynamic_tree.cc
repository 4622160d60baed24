// SPDX-License-Identifier: Apache-2.0

// A binary tree of bodies that is updated when they are inserted, moved or
// removed. A body becomes the sibling of the node that makes the tree's surface
// area grow the least. On the way back up, nodes are rotated if that makes the
// area smaller. Leaves are larger than their bodies, so that most moves change
// nothing.
//
// Insertion by surface area and its rotations: Bittner et al., "Fast
// insertion-based optimization of bounding volume hierarchies", 2013; Kopta et
// al., "Fast, effective BVH updates for animated scenes", 2012.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "orbox/bvh/broad_phase/broad_phase.h"
#include "orbox/bvh/broad_phase/internal/phase.h"
#include "orbox/bvh/broad_phases/internal/kinds.h"
#include "orbox/overlap/boxes/box_box.h"
#include "orbox/overlap/boxes/internal/box_arithmetic.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {
namespace {

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

// Margin of a leaf on each side, as a fraction of its body's longest edge.
constexpr double kFat = 0.1;

// Half the surface area. If it overflows, areas do not order nodes: the tree is
// then slower, but correct.
double Area(const Aabb& box) {
  const Vec3 d = box.hi - box.lo;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

Aabb Fattened(const Aabb& box) {
  const double by = kFat * MaxCoordinate(box.hi - box.lo);
  const Aabb fat = {box.lo - Vec3{by, by, by}, box.hi + Vec3{by, by, by}};
  return IsValid(fat) ? fat : box;
}

void DynamicTree::Insert(BodyId body, const Aabb& box) {
  if (body >= leaves_.size()) leaves_.resize(size_t{body} + 1, kNone);
  const uint32_t leaf = NewNode();
  nodes_[leaf] = {Fattened(box), kNone, {kNone, kNone}, body};
  leaves_[body] = leaf;
  InsertLeaf(leaf);
}

void DynamicTree::Move(BodyId body, const Aabb& box) {
  const uint32_t leaf = leaves_[body];
  const Aabb& fat = nodes_[leaf].box;
  if (orbox::Contains(fat, box.lo) && orbox::Contains(fat, box.hi)) return;
  RemoveLeaf(leaf);
  nodes_[leaf].box = Fattened(box);
  InsertLeaf(leaf);
}

void DynamicTree::Remove(BodyId body) {
  RemoveLeaf(leaves_[body]);
  unused_.push_back(leaves_[body]);
  leaves_[body] = kNone;
}

uint32_t DynamicTree::NewNode() {
  if (unused_.empty()) {
    nodes_.emplace_back();
    return static_cast<uint32_t>(nodes_.size() - 1);
  }
  const uint32_t node = unused_.back();
  unused_.pop_back();
  return node;
}

// Returns the sibling for which the box adds the least to the sum of all areas.
// Branch and bound: the growth of ancestors is a lower bound for all nodes
// below.
uint32_t DynamicTree::BestSibling(const Aabb& box) const {
  struct Entry {
    double inherited;
    uint32_t node;
    bool operator<(const Entry& other) const {
      return inherited > other.inherited;
    }
  };
  const double area = Area(box);
  uint32_t best = root_;
  double best_cost = Area(Union(box, nodes_[root_].box));
  std::priority_queue<Entry> waiting;
  waiting.push({0, root_});
  while (!waiting.empty()) {
    const Entry at = waiting.top();
    waiting.pop();
    if (at.inherited + area >= best_cost) break;
    const Node& node = nodes_[at.node];
    const double direct = Area(Union(box, node.box));
    if (at.inherited + direct < best_cost) {
      best_cost = at.inherited + direct;
      best = at.node;
    }
    if (node.IsLeaf()) continue;
    const double inherited = at.inherited + direct - Area(node.box);
    if (inherited + area < best_cost) {
      for (const uint32_t child : node.children) {
        waiting.push({inherited, child});
      }
    }
  }
  return best;
}

void DynamicTree::InsertLeaf(uint32_t leaf) {
  if (root_ == kNone) {
    root_ = leaf;
    nodes_[leaf].parent = kNone;
    return;
  }
  const uint32_t sibling = BestSibling(nodes_[leaf].box);
  const uint32_t parent = NewNode();
  const uint32_t above = nodes_[sibling].parent;
  nodes_[parent] = {nodes_[sibling].box, above, {sibling, leaf}, 0};
  Replace(above, sibling, parent);
  nodes_[sibling].parent = parent;
  nodes_[leaf].parent = parent;
  RefitFrom(parent);
}

void DynamicTree::RemoveLeaf(uint32_t leaf) {
  const uint32_t parent = nodes_[leaf].parent;
  if (parent == kNone) {
    root_ = kNone;
    return;
  }
  const uint32_t sibling =
      nodes_[parent].children[nodes_[parent].children[0] == leaf ? 1 : 0];
  const uint32_t above = nodes_[parent].parent;
  Replace(above, parent, sibling);
  nodes_[sibling].parent = above;
  unused_.push_back(parent);
  if (above != kNone) RefitFrom(above);
}

void DynamicTree::Replace(uint32_t parent, uint32_t child, uint32_t by) {
  if (parent == kNone) {
    root_ = by;
  } else {
    nodes_[parent].children[nodes_[parent].children[0] == child ? 0 : 1] = by;
  }
}

void DynamicTree::RefitFrom(uint32_t node) {
  for (; node != kNone; node = nodes_[node].parent) {
    Node& n = nodes_[node];
    n.box = Union(nodes_[n.children[0]].box, nodes_[n.children[1]].box);
    Rotate(node);
  }
}

// Swaps a child with a child of the other child if that makes the other child
// smaller. Chooses the best of four rotations.
void DynamicTree::Rotate(uint32_t node) {
  double best = 0;
  int best_side = -1;
  int best_grandchild = 0;
  for (int side = 0; side < 2; ++side) {
    const uint32_t child = nodes_[node].children[side];
    const uint32_t other = nodes_[node].children[1 - side];
    if (nodes_[other].IsLeaf()) continue;
    for (int grandchild = 0; grandchild < 2; ++grandchild) {
      // `child` replaces this grandchild and becomes the sibling of the one
      // that stays.
      const uint32_t stays = nodes_[other].children[1 - grandchild];
      const double gain = Area(nodes_[other].box) -
                          Area(Union(nodes_[child].box, nodes_[stays].box));
      if (gain > best) {
        best = gain;
        best_side = side;
        best_grandchild = grandchild;
      }
    }
  }
  if (best_side < 0) return;
  const uint32_t child = nodes_[node].children[best_side];
  const uint32_t other = nodes_[node].children[1 - best_side];
  const uint32_t moved = nodes_[other].children[best_grandchild];
  nodes_[node].children[best_side] = moved;
  nodes_[moved].parent = node;
  nodes_[other].children[best_grandchild] = child;
  nodes_[child].parent = other;
  nodes_[other].box = Union(nodes_[nodes_[other].children[0]].box,
                            nodes_[nodes_[other].children[1]].box);
}

class DynamicTreePhase final : public Phase {
  void FindPairs(const Bodies& bodies, std::vector<BodyPair>* pairs) override {
    for (const BodyId body : bodies.touched()) {
      const bool was_here = tree_.Contains(body);
      if (!bodies.Contains(body)) {
        if (was_here) tree_.Remove(body);
      } else if (was_here) {
        tree_.Move(body, bodies.box(body));
      } else {
        tree_.Insert(body, bodies.box(body));
      }
    }
    pairs->clear();
    for (BodyId body = 0; body < bodies.id_end(); ++body) {
      if (!bodies.Contains(body)) continue;
      const Aabb& box = bodies.box(body);
      tree_.ForEachMeeting(box, [&](BodyId other) {
        if (other > body && Overlaps(box, bodies.box(other))) {
          pairs->push_back({body, other});
        }
      });
    }
    Sort(pairs);
  }

  void Forget() noexcept override { tree_ = {}; }

  DynamicTree tree_;
};

}  // namespace

std::unique_ptr<BroadPhase> MakeDynamicTree() {
  return std::make_unique<DynamicTreePhase>();
}

}  // namespace orbox
