// SPDX-License-Identifier: Apache-2.0

// The items that builders sort, the box and the id of a triangle, and the
// binary tree over ranges of them.
//
//   WritePrimitives(mesh, {}, space, workers, primitives);     // O(n)
//
// A box is stored as eight floats: lo x, y, z and a spare one, then -hi x, y, z
// and a spare one. So the box around two boxes is the minimum of their rows.
// Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
#define ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orbox/bvh/base/internal/large_pages.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/internal/infinity.h"

namespace orbox {

// Lanes: lo, a spare lane, -hi, a spare lane. Initially an empty box.
struct alignas(32) BoxRow {
  float v[8] = {kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity,
                kFloatInfinity, kFloatInfinity, kFloatInfinity, kFloatInfinity};

  float lo(size_t axis) const { return v[axis]; }
  float hi(size_t axis) const { return -v[axis + 4]; }
  float Edge(size_t axis) const { return -v[axis + 4] - v[axis]; }

  // Returns half of the surface area. Requires a box that is not empty.
  float HalfArea() const {
    const float x = Edge(0);
    const float y = Edge(1);
    const float z = Edge(2);
    return x * y + y * z + z * x;
  }
};

// The box of one or more triangles in tree space, up to rounding. It guides
// builders, and is not a bound. The first spare lane contains the id.
struct Primitive {
  BoxRow box;

  // This mark turns the bits of an id into a float between 2 and 2^32.
  // Arithmetic on the whole row includes that lane, and on some machines
  // denormal numbers are slow.
  static constexpr uint32_t kMark = 0x40000000;

  uint32_t id() const { return std::bit_cast<uint32_t>(box.v[3]) ^ kMark; }
  void set_id(uint32_t id) {
    box.v[3] = std::bit_cast<float>(id ^ kMark);
    box.v[7] = 0;
  }
  // Returns twice the coordinate of the centre. Callers only compare these
  // numbers.
  float DoubledCenter(size_t axis) const {
    return box.v[axis] - box.v[axis + 4];
  }
};

// The primitives at positions [begin, end).
struct PrimitiveRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
};

// A node of the intermediate tree of all builders, over ranges of primitives.
// An inner node has two children. collapse.h turns the tree into wide nodes.
// Nodes are in an array in depth-first order. The left child of node i is node
// i + 1, its right child is node i + right. A subtree is a contiguous piece of
// the array, and its contents do not depend on its position.
struct BinaryNode {
  float half_area;       // of the box around everything below
  uint32_t right;        // 0 for a leaf
  PrimitiveRange range;  // of a leaf; unset for other nodes

  bool is_leaf() const { return right == 0; }
};
using BinaryTree = std::vector<BinaryNode>;

// Upper bound of the edges on a path of a builder's tree. A wide node may
// replace three binary levels, if all eight nodes at the third level become its
// children (collapse.h).
inline constexpr int kMaxBinaryDepth = 3 * (kMaxTreeDepth - 1);

// Memory that the threads of a build write once. It is not cleared first.
//
//   FreshArray<Leaf> leaves = FreshInLargePages<Leaf>(count);
//
// May throw std::bad_alloc.
template <typename T>
FreshArray<T> FreshInLargePages(size_t count) {
  FreshArray<T> values(count);
  PreferLargePages(values.values().data(), values.values().size_bytes());
  return values;
}

// Writes the primitives of the triangles with these ids, or of all triangles if
// `ids` is empty.
void WritePrimitives(const Mesh& mesh, std::span<const uint32_t> ids,
                     const TreeSpace& space, const Workers& workers,
                     std::span<Primitive> primitives);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_PRIMITIVES_H_
