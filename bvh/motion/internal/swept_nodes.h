// SPDX-License-Identifier: Apache-2.0

// A tree's grouping of triangles, with boxes that move with them. Private.
//
//   SweptNodes nodes(tree, to);
//   for (size_t lane = 0; lane < nodes[0].count; ++lane) ...
//
// The sides of a box move along straight lines from t = 0 to t = 1. The box
// contains at any time whatever moves along straight lines and is inside it at
// both ends.
#ifndef ORBOX_BVH_MOTION_INTERNAL_SWEPT_NODES_H_
#define ORBOX_BVH_MOTION_INTERNAL_SWEPT_NODES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/motion/moving_triangles.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct SweptBox {
  Aabb from;
  Aabb to;
};

// Up to eight children: nodes, or the triangles of a leaf.
struct SweptNode {
  // Structure of arrays: [axis][lane]. Unused lanes hold zeros.
  double from_lo[3][kLanes];
  double from_hi[3][kLanes];
  double to_lo[3][kLanes];
  double to_hi[3][kLanes];
  SweptBox whole;          // around all lanes
  uint32_t child[kLanes];  // an index of a node, or a triangle's id
  uint32_t lowest;         // of the ids of all triangles below
  uint32_t count;
  bool is_leaf;

  SweptBox BoxOf(size_t lane) const;
};

// A lower bound of the time at which lanes of a node begin to overlap a box;
// above 1, they never do.
struct SweptEntries {
  double time[kLanes];
};
SweptEntries EntriesOf(const SweptNode& node, const SweptBox& box);

class SweptNodes {
 public:
  // Requires as many vertices as the tree's mesh has.
  SweptNodes(const Tree& tree, std::span<const Vec3> to);

  const Tree& tree() const { return tree_; }
  MovingTriangle triangle(uint32_t id) const;

  // The root is the first, and each is before those below it.
  const SweptNode& operator[](size_t i) const { return nodes_[i]; }

  // Boxes, node by node, around where all triangles below are at `time`, from 0
  // to 1: by their corners, and so within those of nodes at that time.
  std::vector<Aabb> BoxesAt(double time) const;

 private:
  void AddNode(uint32_t index);
  void AddLeaf(uint32_t index);

  Tree tree_;
  std::vector<Vec3> to_;
  std::vector<SweptNode> nodes_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_INTERNAL_SWEPT_NODES_H_
