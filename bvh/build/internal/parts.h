// SPDX-License-Identifier: Apache-2.0

// Finds the parts of a tree: subtrees so much smaller than the tree that floats
// of its space hardly tell their triangles apart (tree/tree.h).
//
//   data.parts = FindParts(data, [&](std::span<const uint32_t> ids) {
//     return BuildOver(ids);
//   });
//
// Private. O(nodes), and what building the parts takes.
#ifndef ORBOX_BVH_BUILD_INTERNAL_PARTS_H_
#define ORBOX_BVH_BUILD_INTERNAL_PARTS_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/functional/function_ref.h"
#include "orbox/bvh/build/internal/primitive.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"

namespace orbox {

// Half diagonals below this, in a space of [-1, 1]^3, make a part. The errors
// of a query are some 2^-16 there, and more than a tenth of what is smaller.
inline constexpr double kDetail = 0x1p-12;

// Whether a box is as small.
inline bool IsDetail(const BoxRow& box) {
  const float x = box.Edge(0);
  const float y = box.Edge(1);
  const float z = box.Edge(2);
  return x * x + y * y + z * z < static_cast<float>(4 * kDetail * kDetail);
}

// How many primitives are detail, where they are as a whole; else 0. Costs no
// more than a look at a few where most are larger.
uint32_t DetailInOneSpot(std::span<const Primitive> primitives);

// Calls build(ids) for the triangles of each part. Requires a wide tree. Null
// where there are no parts. May throw std::bad_alloc.
std::shared_ptr<const TreeParts> FindParts(
    const Tree::Data& whole,
    absl::FunctionRef<Tree(std::span<const uint32_t> ids)> build);

// The same parts as trees that make(part) makes; null for null.
std::shared_ptr<const TreeParts> MapParts(
    const TreeParts* parts, absl::FunctionRef<Tree(const Tree& part)> make);

// The box around the triangles that a tree's leaves hold: all of a mesh, or
// those of a part. `mesh` is the tree's, or has the same triangles moved.
Aabb BoundsOfHeld(const Tree& tree, const Mesh& mesh);

// The box around some triangles. Requires one.
Aabb BoundsOf(const Mesh& mesh, std::span<const uint32_t> ids);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PARTS_H_
