// SPDX-License-Identifier: Apache-2.0

// Finds the detail trees of a tree: subtrees that are so much smaller than the
// tree that floats in its space do not resolve their triangles (tree/tree.h).
//
//   data.detail_trees = FindDetailTrees(
//       data, [&](std::span<const uint32_t> ids) {
//     return BuildOver(ids);
//   });
//
// Private. O(nodes), plus the time of building the detail trees.
#ifndef ORBOX_BVH_BUILD_INTERNAL_DETAIL_TREES_H_
#define ORBOX_BVH_BUILD_INTERNAL_DETAIL_TREES_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/build/internal/primitives.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Subtrees with half diagonals below this, in a space of [-1, 1]^3, become
// detail trees. The errors of a query are about 2^-16 in that space, which is
// more than a tenth of the size of smaller detail.
inline constexpr double kDetail = 0x1p-12;

// Returns true if a box's half diagonal is below kDetail.
inline bool IsDetail(const BoxRow& box) {
  const float x = box.Edge(0);
  const float y = box.Edge(1);
  const float z = box.Edge(2);
  return x * x + y * y + z * z < static_cast<float>(4 * kDetail * kDetail);
}

// Returns the number of primitives that are detail, if all these together are
// still detail; otherwise 0. If most primitives are larger than detail, reads
// only a few of them.
uint32_t DetailInOneSpot(std::span<const Primitive> primitives);

// Calls build(ids) for the triangles of each detail tree. Requires a wide tree.
// Returns null if there are no detail trees. May throw std::bad_alloc.
std::shared_ptr<const DetailTrees> FindDetailTrees(
    const Tree::Data& whole,
    absl::FunctionRef<Tree(std::span<const uint32_t> ids)> build);

// Returns `detail_trees` with each detail tree replaced by make(detail).
// Returns null if `detail_trees` is null.
std::shared_ptr<const DetailTrees> MapDetailTrees(
    const DetailTrees* detail_trees,
    absl::FunctionRef<Tree(const Tree& detail)> make);

// Returns the box around the triangles in a tree's leaves: all triangles of a
// mesh, or those of a detail tree. `mesh` is the tree's mesh, or has its
// triangles with moved vertices.
Aabb BoundsOfHeld(const Tree& tree, const Mesh& mesh);

// Returns the box around the triangles with these ids. Requires at least one.
Aabb BoundsOf(const Mesh& mesh, std::span<const uint32_t> ids);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_DETAIL_TREES_H_
