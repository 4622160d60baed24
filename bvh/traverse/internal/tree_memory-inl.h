// SPDX-License-Identifier: Apache-2.0

// Reads nodes and leaves for traversals, from trees of any storage.
//
//   const TreeMemory memory(tree);
//   Node room;                                    // used by compact trees only
//   const Node& node = memory.ReadNode(index, room);
//
// A wide tree's nodes are used in place. A compact tree's nodes are expanded
// into `room`, to the same bytes as by Expanded (tree/compact.h). The storage
// is constant during a query, so the branch costs almost nothing.
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_TREE_MEMORY_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_TREE_MEMORY_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_TREE_MEMORY_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_TREE_MEMORY_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "orbox/bvh/tree/compact.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Loads eight small unsigned integers as floats.
template <typename Integer>
HWY_INLINE F8 LoadIntegers8(const Integer* HWY_RESTRICT p) {
  const hn::RebindToSigned<IntPart> whole;
  const hn::Rebind<Integer, IntPart> small;
  return Map([&](size_t i) HWY_ATTR {
    return hn::ConvertTo(
        Part(), hn::PromoteTo(whole, hn::LoadU(small, p + i * kPartLanes)));
  });
}

HWY_INLINE void ExpandInto(const CompactNode& compact, Node& node) {
  const bool is_sphere = compact.kind == VolumeKind::kSphere;
  for (size_t axis = 0; axis < 3; ++axis) {
    const F8 origin = Set8(compact.origin[axis]);
    const F8 step = Set8(compact.step[axis]);
    Store8(origin + step * LoadIntegers8(compact.rows[axis]), node.rows[axis]);
    const F8 offset = step * LoadIntegers8(compact.rows[axis + 3]);
    Store8(is_sphere ? offset : origin + offset, node.rows[axis + 3]);
  }
  node.frame = compact.frame;
  // Both forms have equal bytes from this member on.
  constexpr size_t kLinks =
      offsetof(Node, count) + 1 - offsetof(Node, first_node);
  static_assert(kLinks == offsetof(CompactNode, count) + 1 -
                              offsetof(CompactNode, first_node));
  std::memcpy(&node.first_node, &compact.first_node, kLinks);
}

HWY_INLINE void ExpandInto(const CompactLeaf& compact, Leaf& leaf) {
  const F8 step = Set8(compact.step);
  for (size_t row = 0; row < 9; ++row) {
    Store8(
        Set8(compact.origin[row % 3]) + step * LoadIntegers8(compact.rows[row]),
        leaf.rows[row]);
  }
  std::memcpy(leaf.ids, compact.ids, sizeof leaf.ids);
}

class TreeMemory {
 public:
  explicit TreeMemory(const Tree& tree)
      : is_compact_(tree.storage() == Storage::kCompact),
        nodes_(is_compact_ ? BytesOf(tree.compact_nodes().data())
                           : BytesOf(tree.nodes().data())),
        leaves_(is_compact_ ? BytesOf(tree.compact_leaves().data())
                            : BytesOf(tree.leaves().data())),
        // The address of an empty array in a file is not null, so the storage
        // decides.
        corners_(is_compact_ ? nullptr : tree.corners().data()),
        mesh_(tree.mesh()),
        detail_trees_(tree.detail_trees()) {}

  HWY_INLINE const Node& ReadNode(uint32_t index, Node& room) const {
    if (HWY_LIKELY(!is_compact_)) return wide_node(index);
    ExpandInto(compact_node(index), room);
    return room;
  }
  HWY_INLINE const Leaf& ReadLeaf(uint32_t index, Leaf& room) const {
    if (HWY_LIKELY(!is_compact_)) return wide_leaf(index);
    ExpandInto(compact_leaf(index), room);
    return room;
  }

  // Returns the detail tree whose root is this node, or null. Most trees have
  // none.
  HWY_INLINE const Tree* DetailAt(uint32_t index) const {
    return HWY_LIKELY(detail_trees_ == nullptr) ? nullptr
                                                : detail_trees_->At(index);
  }

  // Single members of nodes and leaves, for callers that need no others.
  HWY_INLINE uint32_t FirstNode(uint32_t index) const {
    return is_compact_ ? compact_node(index).first_node
                       : wide_node(index).first_node;
  }
  HWY_INLINE uint32_t FirstLeaf(uint32_t index) const {
    return is_compact_ ? compact_node(index).first_leaf
                       : wide_node(index).first_leaf;
  }
  HWY_INLINE VolumeKind KindOf(uint32_t index) const {
    return is_compact_ ? compact_node(index).kind : wide_node(index).kind;
  }
  HWY_INLINE uint32_t LeavesBelow(uint32_t index) const {
    return is_compact_ ? compact_node(index).leaves_below
                       : wide_node(index).leaves_below;
  }
  HWY_INLINE uint32_t InnerCount(uint32_t index) const {
    return is_compact_ ? compact_node(index).inner_count
                       : wide_node(index).inner_count;
  }
  HWY_INLINE const uint32_t* Ids(uint32_t leaf) const {
    return is_compact_ ? compact_leaf(leaf).ids : wide_leaf(leaf).ids;
  }

  // Returns the id of the triangle in a slot. A slot is leaf * kLanes + lane.
  HWY_INLINE uint32_t IdOf(uint32_t slot) const {
    return Ids(slot / kLanes)[slot % kLanes];
  }
  HWY_INLINE Triangle TriangleOf(uint32_t slot) const {
    return corners_ != nullptr ? corners_[slot]
                               : mesh_internal::TriangleAt(mesh_, IdOf(slot));
  }
  // Returns true if the tree has corners. CornersOf(slot) requires this.
  HWY_INLINE bool has_corners() const { return corners_ != nullptr; }
  HWY_INLINE const Triangle& CornersOf(uint32_t slot) const {
    return corners_[slot];
  }
  // Returns the triangle of a slot in place if the tree has corners, and
  // otherwise in `room`. A returned copy would be written and read in pieces of
  // different sizes, and would have to reach memory first.
  HWY_INLINE const Triangle& ReadTriangle(uint32_t slot, Triangle& room) const {
    if (HWY_LIKELY(corners_ != nullptr)) return corners_[slot];
    room = mesh_internal::TriangleAt(mesh_, IdOf(slot));
    return room;
  }
  // Inline, because GCC 12 drops calls of functions that only prefetch.
  HWY_INLINE void PrefetchTriangle(uint32_t slot) const {
    if (HWY_LIKELY(corners_ != nullptr)) {
      hwy::Prefetch(&corners_[slot].a.x);
      hwy::Prefetch(&corners_[slot].c.z);
    } else {
      hwy::Prefetch(&mesh_.triangles()[IdOf(slot)]);
    }
  }
  // Prefetches the corners of all lanes of a leaf, if the tree has corners.
  HWY_INLINE void PrefetchTriangles(uint32_t leaf) const {
    if (HWY_LIKELY(corners_ != nullptr)) {
      PrefetchLines<kLanes * sizeof(Triangle)>(&corners_[leaf * kLanes]);
    }
  }

  HWY_INLINE void PrefetchNode(uint32_t index) const {
    if (HWY_LIKELY(!is_compact_)) {
      PrefetchLines<sizeof(Node)>(&wide_node(index));
    } else {
      PrefetchLines<sizeof(CompactNode)>(&compact_node(index));
    }
  }
  HWY_INLINE void PrefetchLeaf(uint32_t index) const {
    if (HWY_LIKELY(!is_compact_)) {
      PrefetchLines<sizeof(Leaf)>(&wide_leaf(index));
    } else {
      PrefetchLines<sizeof(CompactLeaf)>(&compact_leaf(index));
    }
  }
  // Prefetches a child. It is a leaf if it has `leaf_bit`.
  HWY_INLINE void PrefetchChild(uint32_t child, uint32_t leaf_bit) const {
    if (HWY_LIKELY(!is_compact_)) {
      PrefetchEither<Node, Leaf>(child, leaf_bit);
    } else {
      PrefetchEither<CompactNode, CompactLeaf>(child, leaf_bit);
    }
  }

 private:
  static constexpr size_t kCacheLine = 64;

  static const uint8_t* BytesOf(const void* p) {
    return static_cast<const uint8_t*>(p);
  }
  HWY_INLINE const Node& wide_node(uint32_t i) const {
    return reinterpret_cast<const Node*>(nodes_)[i];
  }
  HWY_INLINE const CompactNode& compact_node(uint32_t i) const {
    return reinterpret_cast<const CompactNode*>(nodes_)[i];
  }
  HWY_INLINE const Leaf& wide_leaf(uint32_t i) const {
    return reinterpret_cast<const Leaf*>(leaves_)[i];
  }
  HWY_INLINE const CompactLeaf& compact_leaf(uint32_t i) const {
    return reinterpret_cast<const CompactLeaf*>(leaves_)[i];
  }

  template <size_t kBytes>
  HWY_INLINE static void PrefetchLines(const void* p) {
    for (size_t i = 0; i < kBytes; i += kCacheLine) {
      hwy::Prefetch(static_cast<const uint8_t*>(p) + i);
    }
  }
  template <typename NodeType, typename LeafType>
  HWY_INLINE void PrefetchEither(uint32_t child, uint32_t leaf_bit) const {
    // Has no branch. Always prefetches the number of cache lines of the larger
    // one of node and leaf.
    const uintptr_t is_leaf = (child & leaf_bit) / leaf_bit;
    const auto first_node = reinterpret_cast<uintptr_t>(nodes_);
    const auto first_leaf = reinterpret_cast<uintptr_t>(leaves_);
    const uintptr_t size =
        sizeof(NodeType) + is_leaf * (sizeof(LeafType) - sizeof(NodeType));
    PrefetchLines<sizeof(LeafType)>(reinterpret_cast<const void*>(
        first_node + is_leaf * (first_leaf - first_node) +
        (child & ~leaf_bit) * size));
  }

  bool is_compact_;
  const uint8_t* nodes_;
  const uint8_t* leaves_;
  const Triangle* corners_;
  const Mesh& mesh_;
  const DetailTrees* detail_trees_;
};

// A range of consecutive leaves: all leaves below a child.
struct LeafRange {
  uint32_t first;
  uint32_t count;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_TREE_MEMORY_INL_H_
