// SPDX-License-Identifier: Apache-2.0

// A leaf's triangles, moved by the pose. Each is moved at its first use.
//
//   PosedLeaf posed(tree);
//   posed.Load(index);
//   const Triangle& t = posed.triangle(lane);
//   const PlaneRow& planes = posed.planes();     // of all, in double
//
// Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_POSED_LEAF_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_POSED_LEAF_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_POSED_LEAF_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_POSED_LEAF_INL_H_
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "hwy/highway.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/posed/triangle_pair.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/tree_memory-inl.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/pose_lanes-inl.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/triangles/internal/plane_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// A leaf's triangles moved by its pose.
class PosedLeaf {
 public:
  // Requires a tree that outlives this object. Triangles are not initialised,
  // because most queries use few.
  explicit PosedLeaf(const PosedTree& tree)
      : pose_(tree.pose()), is_moved_(tree.is_moved()), memory_(tree.tree()) {}

  // Loads a leaf. Returns true if it differs from the previous one.
  bool Load(uint32_t index) {
    if (index == index_) return false;
    index_ = index;
    leaf_ = &memory_.ReadLeaf(index, room_);
    moved_ = 0;
    return true;
  }
  const Leaf& leaf() const { return *leaf_; }
  uint32_t index() const { return index_; }
  // Sets lanes(). Must be called once per leaf. Separate from Load, because the
  // ids are in a cache line that is not needed for leaves that a plane
  // separates.
  void ReadLanes() { lanes_ = UsedLanes(*leaf_); }
  uint32_t lanes() const { return lanes_; }
  uint32_t id(int lane) const { return leaf_->ids[lane]; }
  // Returns the number of a lane's triangle, counted in the order of the
  // leaves.
  uint32_t slot(int lane) const {
    return index_ * kLanes + static_cast<uint32_t>(lane);
  }
  HWY_INLINE void Prefetch(int lane) const {
    memory_.PrefetchTriangle(slot(lane));
  }
  // Returns a triangle of any leaf, moved by the pose, without storing it.
  Triangle TriangleOf(uint32_t slot) const {
    // Corners in the order of the leaves need one access to memory, not two.
    const Triangle t = memory_.TriangleOf(slot);
    if (!is_moved_) return t;
    if (!lanes_of_pose_) lanes_of_pose_.emplace(pose_);
    return lanes_of_pose_->Apply(t);
  }
  const Triangle& triangle(int lane) {
    if ((moved_ >> lane & 1) == 0) {
      triangles_[lane] = TriangleOf(slot(lane));
      moved_ |= 1u << lane;
    }
    return triangles_[lane];
  }

  void PrefetchAll() const { memory_.PrefetchTriangles(index_); }
  // Returns all triangles with their planes. Stores the planes of some leaves.
  // Requires ReadLanes of this leaf.
  HWY_INLINE const PlaneRow& planes() {
    const uint32_t place = index_ % kKept;
    if (!has_kept_ || kept_[place] != index_) FillPlanes(place);
    return planes_[place];
  }

 private:
  // Leaves are used again soon, because each is near a few leaves of the other
  // tree.
  static constexpr uint32_t kKept = 32;

  HWY_NOINLINE void FillPlanes(uint32_t place) {
    if (!has_kept_) kept_.fill(kNoTriangle);
    has_kept_ = true;
    kept_[place] = index_;
    PlaneRow& planes = planes_[place];
    const int first = std::countr_zero(lanes_);
    for (int i = 0; i < kLanes; ++i) {
      const int lane = (lanes_ >> i & 1) != 0 ? i : first;
      Triangle room;
      planes.Set(
          static_cast<size_t>(i),
          is_moved_ ? triangle(lane) : memory_.ReadTriangle(slot(lane), room));
    }
    planes.Finish();
  }

  const Pose& pose_;
  const bool is_moved_;
  // Constructed at its first use, because floats decide most queries.
  mutable std::optional<PoseLanes> lanes_of_pose_;
  const TreeMemory memory_;
  Leaf room_;
  const Leaf* leaf_ = nullptr;
  uint32_t index_ = kNoTriangle;
  uint32_t lanes_ = 0;
  uint32_t moved_ = 0;  // lanes whose triangles have been moved
  union {
    Triangle triangles_[kLanes];
  };
  // Set at the first use of planes, because most queries use none.
  bool has_kept_ = false;
  std::array<uint32_t, kKept> kept_;  // leaves whose planes are stored
  std::array<PlaneRow, kKept> planes_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_POSED_LEAF_INL_H_
