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

#include <cmath>
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
      : a_(a),
        b_(b),
        a_in_b_(a_in_b),
        // Both triangles' vertices, each off by sqrt(3) of what its coordinates
        // are; and the bound's own 24 u, where the error holds 9.
        slack_(7 * a_in_b.vertex_error) {}

  void Load(uint32_t a_leaf, uint32_t b_leaf) {
    if (a_.Load(a_leaf)) FillA();
    if (b_.Load(b_leaf)) b_row_.Fill(LoadTriangles(b_.leaf().rows));
  }

  uint32_t a_lanes() const { return a_.lanes(); }
  uint32_t b_lanes() const { return b_.lanes(); }
  uint32_t a_id(int lane) const { return a_.id(lane); }
  uint32_t b_id(int lane) const { return b_.id(lane); }
  const Triangle& a_triangle(int lane) { return a_.triangle(lane); }
  const Triangle& b_triangle(int lane) { return b_.triangle(lane); }

  // The triangles of b's leaf that may be within `limit` (in b's units) of
  // a's triangle in `lane`.
  HWY_INLINE uint32_t Near(int lane, float limit) const {
    const float widened = limit + slack_;
    if (std::isinf(widened)) return b_.lanes();
    const F8 lower = TrianglesLowerBound(a_row_, lane, b_row_, widened);
    return b_.lanes() & ~Bits(lower > Set8(widened));
  }

 private:
  // Takes a's rows to b's space.
  void FillA() {
    const T8 t = LoadTriangles(a_.leaf().rows);
    const F8 scale = Set8(a_in_b_.scale);
    const auto move = [&](const V8& v) HWY_ATTR {
      const float* const turn = a_in_b_.turn;
      const float* const shift = a_in_b_.shift;
      return V8{Dot(v, Set8x3(turn)) * scale + Set8(shift[0]),
                Dot(v, Set8x3(turn + 3)) * scale + Set8(shift[1]),
                Dot(v, Set8x3(turn + 6)) * scale + Set8(shift[2])};
    };
    a_row_.Fill({move(t.a), move(t.b), move(t.c)});
  }

  PosedLeaf a_;
  PosedLeaf b_;
  RelativeSpace a_in_b_;
  float slack_;
  TriangleRow a_row_;
  TriangleRow b_row_;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_LEAF_PAIR_INL_H_
