// SPDX-License-Identifier: Apache-2.0

// The memory of a tree: inner nodes with up to eight children, and leaves with
// up to eight triangles. Both are structures of arrays, which are read as SIMD
// rows.
//
// Coordinates are in the tree's own space (tree.h), in float. A node contains
// its children's volumes as one block of one kind, rounded outward. The kind is
// chosen for each node, so a tree may mix kinds, but all lanes of a row have
// one kind.
#ifndef ORBOX_BVH_TREE_NODE_H_
#define ORBOX_BVH_TREE_NODE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orbox/overlap/base/language.h"
#include "orbox/overlap/shapes/matrix3.h"

namespace orbox {

// Lanes of a row: the children of a node, or the triangles of a leaf. Eight
// floats are one AVX register, half an AVX-512 register, or two SSE or NEON
// registers.
inline constexpr int kLanes = 8;

// The id in unused lanes of a leaf.
inline constexpr uint32_t kNoTriangle = 0xffffffff;

enum class VolumeKind : uint8_t { kSphere = 0, kAabb = 1, kObb = 2 };
inline constexpr int kVolumeKinds = 3;

// Returns "sphere", "aabb" or "obb".
constexpr std::string_view NameOf(VolumeKind kind) {
  constexpr std::string_view kNames[kVolumeKinds] = {"sphere", "aabb", "obb"};
  return kNames[static_cast<int>(kind)];
}

// A node's law. Lanes [0, inner_count) are the nodes first_node + lane. Lanes
// [inner_count, count) are the leaves first_leaf + lane - inner_count. Lane i's
// volume contains all triangles below child i. Unused lanes repeat lane 0.
struct alignas(64) Node {
  // kSphere: rows center x, y, z, radius, then two unused rows.
  // kAabb, kObb: rows lo x, y, z, hi x, y, z, in the frame for kObb.
  float rows[6][kLanes];

  // kObb: the matrix F, row by row, that maps a point p of tree space to the
  // block's frame: F p. Orthonormal within kFrameError. The volumes are fitted
  // to exactly this F. The identity for the other kinds.
  Matrix3<float> frame;

  uint32_t first_node;
  uint32_t first_leaf;

  // Number of leaves below this node. They are contiguous and start at
  // first_leaf.
  uint32_t leaves_below;

  VolumeKind kind;
  uint8_t inner_count;
  uint8_t count;
  uint8_t unused[9];
};
// Four cache lines. The block has 192 bytes and the frame 36, so 28 bytes
// remain for the other members. Children are therefore contiguous, so that one
// index is enough for all.
static_assert(sizeof(Node) == 256);

// Bound of the entries of |F^T F - I|. Unit vectors rounded to float have
// errors of at most 2^-24 per coordinate, so products of two rows have errors
// below 2^-22.
inline constexpr float kFrameError = 0x1p-22f;

// Up to eight triangles. Unused lanes contain kNoTriangle and repeat lane 0.
struct alignas(64) Leaf {
  // Rows a.x, a.y, a.z, b.x, ..., c.z: each within 2^-24 of the tree-space
  // vertex (tree.h).
  float rows[9][kLanes];
  uint32_t ids[kLanes];
};
static_assert(sizeof(Leaf) == 320);

// The volume of a child, as (node, lane). Traversals also number triangles, by
// other slots (traverse/internal/tree_memory-inl.h).
struct Slot {
  uint32_t value;

  static Slot Of(uint32_t node, uint32_t lane) {
    return {node * kLanes + lane};
  }
  uint32_t node() const { return value / kLanes; }
  uint32_t lane() const { return value % kLanes; }
};

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_NODE_H_
