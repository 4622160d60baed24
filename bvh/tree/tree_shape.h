// SPDX-License-Identifier: Apache-2.0

// The shape of a tree: its levels, and the expected number of nodes and leaves
// that a line visits.
//
//   const TreeShape shape = ShapeOf(tree);
//   for (const TreeLevel& level : shape.levels) ...
//
// The expectation is that of the surface area heuristic. A random line that
// hits the box of the whole mesh hits a convex volume inside the box with a
// probability equal to the ratio of their surfaces (Crofton). The number has no
// unit and serves to compare trees of one mesh. Queries other than lines visit
// more nodes.
#ifndef ORBOX_BVH_TREE_TREE_SHAPE_H_
#define ORBOX_BVH_TREE_TREE_SHAPE_H_

#include <array>
#include <cstddef>
#include <vector>

#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// One level of the tree. The level of the root is the first.
struct TreeLevel {
  std::array<size_t, kVolumeKinds> nodes{};  // by the kind of their block
  size_t leaves = 0;                         // children of these nodes
};

struct TreeShape {
  std::vector<TreeLevel> levels;

  // Expected visits by a line that hits the box of the whole mesh, including
  // the root. Zero if that box has no surface.
  double expected_nodes = 0;
  double expected_leaves = 0;

  // A node and a leaf are one row of eight lanes each, so they count equally.
  double expected_cost() const { return expected_nodes + expected_leaves; }
};

// O(nodes) time; memory proportional to the widest level. Thread-safe.
ORBOX_EXPORT TreeShape ShapeOf(const Tree& tree);

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_TREE_SHAPE_H_
