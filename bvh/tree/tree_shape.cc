// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/tree/tree_shape.h"

#include <cstdint>
#include <numbers>
#include <utility>

namespace orbox {
namespace {

// Returns the surface of the volume in a lane.
double SurfaceOf(const Node& node, int lane) {
  if (node.kind == VolumeKind::kSphere) {
    const double radius = node.rows[3][lane];
    return 4 * std::numbers::pi * radius * radius;
  }
  // A rotation preserves surfaces, so the frame of a box does not matter.
  const auto extent = [&](int axis) {
    return static_cast<double>(node.rows[axis + 3][lane]) -
           node.rows[axis][lane];
  };
  const double x = extent(0), y = extent(1), z = extent(2);
  return 2 * (x * y + y * z + z * x);
}

}  // namespace

TreeShape ShapeOf(const Tree& tree) {
  TreeShape shape;
  double nodes = SurfaceOf(tree.node(0), 0);
  double leaves = 0;
  const double everything = nodes;
  std::vector<uint32_t> level = {Tree::kRoot};
  while (!level.empty()) {
    TreeLevel& counts = shape.levels.emplace_back();
    std::vector<uint32_t> below;
    for (const uint32_t index : level) {
      const Node node = tree.node(index);
      ++counts.nodes[static_cast<size_t>(node.kind)];
      counts.leaves += node.count - node.inner_count;
      for (int lane = 0; lane < node.count; ++lane) {
        const bool inner = lane < node.inner_count;
        (inner ? nodes : leaves) += SurfaceOf(node, lane);
        if (inner) below.push_back(node.first_node + lane);
      }
    }
    level = std::move(below);
  }
  if (everything > 0) {
    shape.expected_nodes = nodes / everything;
    shape.expected_leaves = leaves / everything;
  }
  return shape;
}

}  // namespace orbox
