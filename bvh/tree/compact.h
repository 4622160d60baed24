// SPDX-License-Identifier: Apache-2.0

// The compact form of a tree's memory: nodes whose boxes have eight bits per
// coordinate, leaves whose vertices have sixteen. Takes half the bytes of
// node.h.
//
// Traversals expand both to the form of node.h. Expanded volumes are slightly
// larger, and vertices are off by up to TreeSpace::leaf_error. Expansion rounds
// identically on every instruction set. So an expanded volume contains all
// triangles below it, like a volume of the wide form.
#ifndef ORBOX_BVH_TREE_COMPACT_H_
#define ORBOX_BVH_TREE_COMPACT_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/base/language.h"
#include "orbox/overlap/shapes/matrix3.h"

namespace orbox {

// A node. Row r of the wide node is origin + step * rows[r], with the origin
// and step of axis r % 3. The radii of spheres are step[0] * rows[3].
struct alignas(64) CompactNode {
  uint8_t rows[6][kLanes];

  // Equal to Node::frame.
  Matrix3<float> frame;

  // Steps have 16 significant bits, so that products are exact.
  float origin[3];
  float step[3];

  // Equal to the members of Node.
  uint32_t first_node;
  uint32_t first_leaf;
  uint32_t leaves_below;
  VolumeKind kind;
  uint8_t inner_count;
  uint8_t count;
  uint8_t unused[5];
};
static_assert(sizeof(CompactNode) == 128);

// A leaf. Row r of the wide leaf is origin[r % 3] + step * rows[r]. These are
// multiples of the step, a power of two, so float represents them exactly.
struct alignas(64) CompactLeaf {
  uint32_t ids[kLanes];
  uint16_t rows[9][kLanes];
  float origin[3];
  float step;
};
static_assert(sizeof(CompactLeaf) == 192);

// Returns the wide form, computed lane by lane. Traversals compute equal bytes
// faster (traverse/internal/tree_memory-inl.h).
Node Expanded(const CompactNode& compact);
Leaf Expanded(const CompactLeaf& compact);

// Copies all members that both forms have: all except the rows.
template <typename From, typename To>
void CopyLinks(const From& from, To& to);

// Implementation.

template <typename From, typename To>
void CopyLinks(const From& from, To& to) {
  to.frame = from.frame;
  to.first_node = from.first_node;
  to.first_leaf = from.first_leaf;
  to.leaves_below = from.leaves_below;
  to.kind = from.kind;
  to.inner_count = from.inner_count;
  to.count = from.count;
}

inline Node Expanded(const CompactNode& compact) {
  Node node = {};
  const bool is_sphere = compact.kind == VolumeKind::kSphere;
  for (size_t row = 0; row < std::size(node.rows); ++row) {
    const size_t axis = row % 3;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const float offset =
          compact.step[axis] * static_cast<float>(compact.rows[row][lane]);
      node.rows[row][lane] =
          is_sphere && row >= 3 ? offset : compact.origin[axis] + offset;
    }
  }
  CopyLinks(compact, node);
  return node;
}

inline Leaf Expanded(const CompactLeaf& compact) {
  Leaf leaf;
  for (size_t row = 0; row < std::size(leaf.rows); ++row) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      leaf.rows[row][lane] =
          compact.origin[row % 3] +
          compact.step * static_cast<float>(compact.rows[row][lane]);
    }
  }
  std::copy_n(compact.ids, kLanes, leaf.ids);
  return leaf;
}

}  // namespace orbox

#endif  // ORBOX_BVH_TREE_COMPACT_H_
