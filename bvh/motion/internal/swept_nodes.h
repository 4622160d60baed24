// SPDX-License-Identifier: Apache-2.0

// Nodes of a tree, with boxes that move with the triangles. Private.
//
//   SweptNodes nodes(tree, to);
//   for (size_t lane = 0; lane < nodes[0].count; ++lane) ...
//
// The sides of a box move along straight lines from t = 0 to t = 1. A point
// that moves along a straight line and is inside the box at both ends is inside
// it at any time.
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
  uint32_t child[kLanes];  // the index of a node, or the id of a triangle
  uint32_t lowest;         // lowest id of all triangles below
  uint32_t count;
  bool is_leaf;

  SweptBox BoxOf(size_t lane) const;
};

// Lower bounds of the times at which the lanes of a node start to overlap a
// box. Above 1 if a lane never overlaps it.
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

  // Returns node i. Node 0 is the root, and each node precedes those below it.
  const SweptNode& operator[](size_t i) const { return nodes_[i]; }

  // Returns a box for each node: the bounding box of all triangles below it at
  // `time`, from 0 to 1. It is computed from the corners of the triangles, so
  // it is inside the node's box at that time, and may be smaller.
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
