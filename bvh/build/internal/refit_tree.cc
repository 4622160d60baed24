// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/build/internal/refit_tree.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "orbox/bvh/build/internal/compact.h"
#include "orbox/bvh/build/internal/detail_trees.h"
#include "orbox/bvh/build/internal/fill.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/tree/internal/tree_space.h"

namespace orbox {
namespace {

// Refits a tree. `bounds` is the box around the triangles in its leaves.
Tree RefitWithin(const Tree& tree, const Mesh& moved, const Aabb& bounds,
                 const Workers& workers) {
  const TreeSpace space = SpaceAround(bounds);
  std::vector<Node> nodes(tree.node_count());
  std::vector<Leaf> leaves(tree.leaf_count());
  constexpr size_t kTaskSize = 1024;
  workers.For(nodes.size(), kTaskSize, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) nodes[i] = tree.node(i);
  });
  workers.For(leaves.size(), kTaskSize, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      std::ranges::copy(tree.leaf_ids(i), leaves[i].ids);
    }
  });
  FreshArray<Triangle> corners(leaves.size() * kLanes);
  FillTree(moved, space, {.volumes = tree.volumes()}, nodes, leaves,
           corners.values(), workers);
  const Tree refitted(
      {.mesh = moved,
       .space = space,
       .nodes = std::move(nodes),
       .leaves = std::move(leaves),
       .corners = std::move(corners).Finish(),
       .volumes = tree.volumes(),
       .depth = tree.depth(),
       .detail_trees = RefitDetailTrees(tree.detail_trees(), moved, workers)});
  return tree.storage() == Storage::kWide ? refitted
                                          : Compacted(refitted, workers);
}

}  // namespace

Tree RefitTree(const Tree& tree, const Mesh& moved, const Workers& workers) {
  return RefitWithin(tree, moved, moved.bounds(), workers);
}

std::shared_ptr<const DetailTrees> RefitDetailTrees(
    const DetailTrees* detail_trees, const Mesh& moved,
    const Workers& workers) {
  return MapDetailTrees(detail_trees, [&](const Tree& detail) {
    return RefitWithin(detail, moved, BoundsOfHeld(detail, moved), workers);
  });
}

}  // namespace orbox
