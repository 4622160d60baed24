// SPDX-License-Identifier: Apache-2.0

// Two nodes, one of each tree, and the distances between their children.
//
//   NodeBoxPairs pair(node_a, node_b, a_in_b);
//   uint32_t rows = pair.RowsNear(limit);      // children of a, as bits
//   if (rows != 0) pair.TurnB();
//   for (i in rows) F8 keys = pair.Keys(i);    // one for each child of b
//
// For nodes of boxes, aligned or oriented. The boxes of a block share their
// frame, so one rotation serves all sixty-four pairs, and both nodes' boxes are
// mapped to the other's frame eight at a time. All numbers are in b's units. If
// the map between the trees is skewed, a's boxes are parallelepipeds in b's
// space. Along b's axes, their bounding boxes are used. Along the axes of a's
// boxes, distances are those in a's space, which are not longer
// (relative_space.h). Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_NODE_BOX_PAIRS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_NODE_BOX_PAIRS_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_NODE_BOX_PAIRS_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_NODE_BOX_PAIRS_INL_H_
#endif

#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/relative_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/internal/lanes/box_lanes-inl.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class NodeBoxPairs {
 public:
  // Requires nodes of boxes and a map that outlive this object, and a finite
  // slack of the map.
  NodeBoxPairs(const Node& a, const Node& b, const RelativeSpace& a_in_b);

  // Returns the children of a that may be within `limit` of any child of b.
  uint32_t RowsNear(float limit) const;

  // Returns the children of a whose largest gap to b along an axis is within
  // `limit`.
  uint32_t RowsTouching(float limit) const;

  // Computes the values that only Keys and Separations need. For most pairs, no
  // child of a is near, so they are not needed.
  void TurnB();

  // Returns DistanceToBoxes of child i of a and each child of b, a lower bound
  // of their distance. If the boxes overlap along all six axes, returns the
  // smallest overlap along one of them, negated.
  F8 Keys(int i) const;

  // Returns the largest gap along one of the six axes. For queries of boxes
  // that touch.
  F8 Separations(int i) const;

  // Returns child i of a in the frame of b's block.
  TurnedBox BoxOfA(int i) const;

 private:
  // Boxes, each given along the three axes of a frame.
  struct Boxes {
    alignas(32) float center[3][8];
    alignas(32) float half[3][8];
  };
  // Writes directly to *boxes. A returned copy would be written and read in
  // pieces of different sizes, which stalls.
  static void Load(const Node& node, float scale, Boxes* boxes);

  // Sets b_along_a_, which skewed maps need.
  void SetBAlongA();

  // Returns the gaps between each child of a and the box of all of b, along b's
  // axes.
  V8 Gaps() const;

  // The 3 x 3 rotation from the frame of a's block to the frame of b's block:
  // turn_[j] is a's axis j in b's frame. A row has four entries, so that it
  // fills a register.
  alignas(16) float turn_[3][4];
  alignas(16) float shift_[4];  // a's origin, along b's axes
  const Node& a_node_;
  const Node& b_node_;
  const RelativeSpace& a_in_b_;
  Boxes a_;          // along a's axes
  Boxes b_;          // along b's axes; set by TurnB
  Boxes a_along_b_;  // boxes around a's boxes, along b's axes
  Boxes b_along_a_;
};

// Implementation.

HWY_INLINE void NodeBoxPairs::Load(const Node& node, float scale,
                                   Boxes* boxes) {
  const F8 half = Set8(0.5f * scale);
  for (int k = 0; k < 3; ++k) {
    const F8 lo = Load8(node.rows[k]);
    const F8 hi = Load8(node.rows[k + 3]);
    Store8((lo + hi) * half, boxes->center[k]);
    Store8((hi - lo) * half, boxes->half[k]);
  }
}

// Sets turn[j] to axis j of a_frame, mapped by `map`, in b_frame. Sets
// turned_shift to `shift` in b_frame. The fourth lanes are finite and not used.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void TurnBetween(const Matrix3<float>& a_frame,
                            const Matrix3<float>& map, const float* shift,
                            const Matrix3<float>& b_frame, float (&turn)[3][4],
                            float (&turned_shift)[4]) {
  for (int i = 0; i < 3; ++i) {
    const float* const axis = b_frame[i];
    float mapped[3];  // in a's space
    MultiplyTransposed(map, axis, mapped);
    float column[3];
    Multiply(a_frame, mapped, column);
    for (int j = 0; j < 3; ++j) turn[j][i] = column[j];
    turned_shift[i] =
        axis[0] * shift[0] + axis[1] * shift[1] + axis[2] * shift[2];
  }
  turn[0][3] = turn[1][3] = turn[2][3] = turned_shift[3] = 0;
}
#else
HWY_INLINE void TurnBetween(const Matrix3<float>& a_frame,
                            const Matrix3<float>& map, const float* shift,
                            const Matrix3<float>& b_frame, float (&turn)[3][4],
                            float (&turned_shift)[4]) {
  const hn::FixedTag<float, 4> d;
  const auto dot = [d](auto x, auto y, auto z, const float* s,
                       int stride) HWY_ATTR {
    return hn::Add(hn::Add(hn::Mul(x, hn::Set(d, s[0])),
                           hn::Mul(y, hn::Set(d, s[stride]))),
                   hn::Mul(z, hn::Set(d, s[2 * stride])));
  };
  // The columns of b_frame: lane i is the entry of axis i. The entries in
  // memory are 00 01 02 10 11 ... 22.
  const float* const b_entries = b_frame.entries;
  const auto first = hn::LoadU(d, b_entries);                // 00 01 02 10
  const auto second = hn::LoadU(d, b_entries + 3);           // 10 11 12 20
  const auto last = hn::LoadU(d, b_entries + 5);             // 12 20 21 22
  const auto lower = hn::InterleaveLower(d, first, second);  // 00 10 01 11
  const auto upper = hn::InterleaveUpper(d, first, second);  // 02 12 10 20
  const auto x =
      hn::ConcatLowerLower(d, hn::ShiftRightLanes<1>(d, last), lower);
  const auto y = hn::ConcatUpperUpper(d, last, lower);
  const auto z =
      hn::ConcatLowerLower(d, hn::ShiftRightLanes<3>(d, last), upper);
  const auto u = dot(x, y, z, map[0], 3);  // mapped back to a's space
  const auto v = dot(x, y, z, map[0] + 1, 3);
  const auto w = dot(x, y, z, map[0] + 2, 3);
  for (int j = 0; j < 3; ++j) {
    hn::Store(dot(u, v, w, a_frame[j], 1), d, turn[j]);
  }
  hn::Store(dot(x, y, z, shift, 1), d, turned_shift);
}
#endif

HWY_INLINE NodeBoxPairs::NodeBoxPairs(const Node& a, const Node& b,
                                      const RelativeSpace& a_in_b)
    : a_node_(a), b_node_(b), a_in_b_(a_in_b) {
  Load(a, a_in_b.scale, &a_);
  TurnBetween(a.frame, a_in_b.turn, a_in_b.shift, b.frame, turn_, shift_);
  const V8 center = Load8x3(a_.center);
  const V8 half = Load8x3(a_.half);
  for (int k = 0; k < 3; ++k) {
    const V8 row = {Set8(turn_[0][k]), Set8(turn_[1][k]), Set8(turn_[2][k])};
    Store8(Dot(row, center) + Set8(shift_[k]), a_along_b_.center[k]);
    Store8(Dot({Abs(row.x), Abs(row.y), Abs(row.z)}, half), a_along_b_.half[k]);
  }
}

HWY_NOINLINE inline void NodeBoxPairs::SetBAlongA() {
  const V8 center = Load8x3(b_.center) - Set8x3(shift_);
  const V8 half = Load8x3(b_.half);
  for (int j = 0; j < 3; ++j) {
    // The product of this row and a vector of b's space is the component of the
    // vector along a's axis j.
    float normal[3];
    MultiplyTransposed(a_in_b_.back, a_node_.frame[j], normal);
    float row[3];
    Multiply(b_node_.frame, normal, row);
    Store8(Dot(Set8x3(row), center), b_along_a_.center[j]);
    for (float& x : row) x = std::abs(x);
    Store8(Dot(Set8x3(row), half), b_along_a_.half[j]);
  }
}

HWY_INLINE void NodeBoxPairs::TurnB() {
  Load(b_node_, 1, &b_);
  if (HWY_UNLIKELY(a_in_b_.is_skewed)) {
    SetBAlongA();
    return;
  }
  const V8 center = Load8x3(b_.center) - Set8x3(shift_);
  const V8 half = Load8x3(b_.half);
  for (int k = 0; k < 3; ++k) {
    const V8 row = Set8x3(turn_[k]);
    Store8(Dot(row, center), b_along_a_.center[k]);
    Store8(Dot({Abs(row.x), Abs(row.y), Abs(row.z)}, half), b_along_a_.half[k]);
  }
}

HWY_INLINE V8 NodeBoxPairs::Gaps() const {
  const V8 lo = LowestValues(Load8x3(b_node_.rows));
  const V8 hi = Load8x3(b_node_.rows + 3);
  const V8 minus_hi = LowestValues({-hi.x, -hi.y, -hi.z});
  const V8 center = Load8x3(a_along_b_.center);
  const V8 half = Load8x3(a_along_b_.half);
  return {Max(lo.x - center.x, center.x + minus_hi.x) - half.x,
          Max(lo.y - center.y, center.y + minus_hi.y) - half.y,
          Max(lo.z - center.z, center.z + minus_hi.z) - half.z};
}

HWY_INLINE uint32_t NodeBoxPairs::RowsNear(float limit) const {
  const V8 gaps = Gaps();
  const F8 zero = Zero8();
  const V8 g = {Max(gaps.x, zero), Max(gaps.y, zero), Max(gaps.z, zero)};
  return Bits(Sqrt(Dot(g, g)) <= Set8(limit));
}

HWY_INLINE uint32_t NodeBoxPairs::RowsTouching(float limit) const {
  const V8 gaps = Gaps();
  return Bits(Largest(gaps.x, gaps.y, gaps.z) <= Set8(limit));
}

HWY_INLINE F8 NodeBoxPairs::Keys(int i) const {
  F8 separation = Set8(std::numeric_limits<float>::lowest());
  const auto squared_gap = [&](const Boxes& row, const Boxes& lanes) HWY_ATTR {
    F8 squared = Zero8();
    for (int k = 0; k < 3; ++k) {
      const F8 along = Abs(Load8(lanes.center[k]) - Set8(row.center[k][i])) -
                       (Load8(lanes.half[k]) + Set8(row.half[k][i]));
      separation = Max(separation, along);
      const F8 gap = Max(along, Zero8());
      squared = squared + gap * gap;
    }
    return squared;
  };
  const F8 in_b = squared_gap(a_along_b_, b_);
  const F8 squared = Max(in_b, squared_gap(a_, b_along_a_));
  return Select(squared > Zero8(), Sqrt(squared), separation);
}

HWY_INLINE F8 NodeBoxPairs::Separations(int i) const {
  F8 separation = Set8(std::numeric_limits<float>::lowest());
  const auto separate = [&](const Boxes& row, const Boxes& lanes) HWY_ATTR {
    for (int k = 0; k < 3; ++k) {
      const F8 along = Abs(Load8(lanes.center[k]) - Set8(row.center[k][i])) -
                       (Load8(lanes.half[k]) + Set8(row.half[k][i]));
      separation = Max(separation, along);
    }
  };
  separate(a_along_b_, b_);
  separate(a_, b_along_a_);
  return separation;
}

HWY_INLINE TurnedBox NodeBoxPairs::BoxOfA(int i) const {
  TurnedBox box;
  for (int k = 0; k < 3; ++k) {
    box.center[k] = a_along_b_.center[k][i];
    box.hull[k] = a_along_b_.half[k][i];
    box.half[k] = a_.half[k][i];
    for (int j = 0; j < 3; ++j) box.axes[j][k] = turn_[j][k];
  }
  return box;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_NODE_BOX_PAIRS_INL_H_
