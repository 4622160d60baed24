// Two leaves, one of each tree: which of their triangles are near each other?
//
//   leaves.Load(a_leaf, b_leaf);
//   uint32_t near = leaves.Near(i, limit);     // lanes of b, as bits
//   Distance(leaves.a_triangle(i), leaves.b_triangle(j));
//
// Near works on floats in b's space and errs on the side of yes; the triangles
// are the posed ones, in double, moved when first asked for and kept while the
// leaf stays. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_
#undef ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"
#include "orbox/bvh/query/posed_tree.h"
#include "orbox/bvh/traverse/one_tree-inl.h"
#include "orbox/bvh/traverse/relative_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// One leaf's triangles as its pose moves them.
class PosedLeaf {
 public:
  explicit PosedLeaf(const PosedTree& tree)
      : tree_(tree), leaves_(tree.tree().leaves().data()) {}

  // Whether the leaf is another one than before.
  bool Load(uint32_t index) {
    if (index == index_) return false;
    index_ = index;
    leaf_ = &leaves_[index];
    lanes_ = UsedLanes(*leaf_);
    moved_ = 0;
    return true;
  }
  const Leaf& leaf() const { return *leaf_; }
  uint32_t lanes() const { return lanes_; }
  uint32_t id(int lane) const { return leaf_->ids[lane]; }
  const Triangle& triangle(int lane) {
    if ((moved_ >> lane & 1) == 0) {
      triangles_[lane] = tree_.triangle(leaf_->ids[lane]);
      moved_ |= 1u << lane;
    }
    return triangles_[lane];
  }

 private:
  const PosedTree& tree_;
  const Leaf* leaves_;
  const Leaf* leaf_ = nullptr;
  uint32_t index_ = kNoTriangle;
  uint32_t lanes_ = 0;
  uint32_t moved_ = 0;
  Triangle triangles_[kLanes];
};

class LeafPairs {
 public:
  // `a_in_b` takes a's space to b's; it is copied.
  LeafPairs(const PosedTree& a, const PosedTree& b, const RelativeSpace& a_in_b)
      : a_(a), b_(b), a_in_b_(a_in_b) {}

  void Load(uint32_t a_leaf, uint32_t b_leaf) {
    if (a_.Load(a_leaf)) MoveRows();
    b_.Load(b_leaf);
  }

  uint32_t a_lanes() const { return a_.lanes(); }
  uint32_t b_lanes() const { return b_.lanes(); }
  uint32_t a_id(int lane) const { return a_.id(lane); }
  uint32_t b_id(int lane) const { return b_.id(lane); }
  const Triangle& a_triangle(int lane) { return a_.triangle(lane); }
  const Triangle& b_triangle(int lane) { return b_.triangle(lane); }

  // The triangles of b's leaf that may be within `limit` (in b's units) of
  // a's triangle in `lane`.
  uint32_t Near(int lane, float limit) const {
    if (a_in_b_.is_far()) return b_.lanes();
    float v[9];
    for (int row = 0; row < 9; ++row) v[row] = rows_[row][lane];
    const F8 lower = TrianglesLowerBound(
        SpreadTriangle(v), LoadTriangles(b_.leaf().rows), a_in_b_.vertex_error);
    return b_.lanes() & ~Bits(lower > Set8(limit));
  }

 private:
  // Takes a's rows to b's space.
  void MoveRows() {
    const T8 t = LoadTriangles(a_.leaf().rows);
    const V8* const corners[3] = {&t.a, &t.b, &t.c};
    const F8 scale = Set8(a_in_b_.scale);
    for (int corner = 0; corner < 3; ++corner) {
      for (int i = 0; i < 3; ++i) {
        const F8 turned = Dot(*corners[corner], Set8x3(a_in_b_.turn + 3 * i));
        Store8(turned * scale + Set8(a_in_b_.shift[i]), rows_[3 * corner + i]);
      }
    }
  }

  PosedLeaf a_;
  PosedLeaf b_;
  RelativeSpace a_in_b_;
  alignas(32) float rows_[9][kLanes];
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_
