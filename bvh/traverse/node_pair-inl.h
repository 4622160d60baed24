// Two nodes, one of each tree: how far is each child of one from each child of
// the other?
//
//   NodePair pair(node_a, node_b, a_in_b);
//   for (i in pair.RowsNear(limit))            // children of a, as bits
//     F8 keys = pair.Keys(i);                  // one for each child of b
//
// For nodes of boxes, aligned or oriented. A block's boxes share their frame,
// so one turn serves all sixty-four pairs, and both nodes' boxes are taken to
// the other's frame eight at a time. All numbers are in b's units. Where the
// map between the trees is skewed, a's boxes look like parallelepipeds from b:
// their hulls are along b's axes, and along their own, distances are those in
// a's space, which are not longer (relative_space.h). Private; compiled once
// per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_NODE_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_NODE_PAIR_INL_H_
#undef ORBOX_BVH_TRAVERSE_NODE_PAIR_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_NODE_PAIR_INL_H_
#endif

#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/one_tree-inl.h"
#include "orbox/bvh/traverse/relative_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/overlap/box_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class NodePair {
 public:
  // Requires nodes of boxes that live as long as this, and a map whose slack is
  // finite.
  NodePair(const Node& a, const Node& b, const RelativeSpace& a_in_b);

  // The children of a that may be within `limit` of any child of b.
  uint32_t RowsNear(float limit) const;

  // What DistanceToBoxes would say of child i of a and each of b's: a lower
  // bound of their distance; or, where the boxes overlap along all six of their
  // axes, how deep along the least one, negated.
  F8 Keys(int i) const;

  // Child i of a in the frame of b's block.
  TurnedBox BoxOfA(int i) const;

 private:
  // Boxes along the three axes of a frame.
  struct Boxes {
    alignas(32) float center[3][8];
    alignas(32) float half[3][8];
  };
  static Boxes Load(const Node& node, float scale);

  // Sets b_along_a_ for maps that are skewed.
  void LookBack(const Node& a, const Node& b, const RelativeSpace& a_in_b);

  // The 3 x 3 turn from the frame of a's block to that of b's: turn_[j] is a's
  // axis j as seen from b. Rows of four, so that a row is a register.
  alignas(16) float turn_[3][4];
  Boxes a_;          // along a's axes
  Boxes b_;          // along b's axes
  Boxes a_along_b_;  // their hulls there
  Boxes b_along_a_;
};

// Implementation.

HWY_INLINE NodePair::Boxes NodePair::Load(const Node& node, float scale) {
  Boxes boxes;
  const F8 half = Set8(0.5f * scale);
  for (int k = 0; k < 3; ++k) {
    const F8 lo = Load8(node.rows[k]);
    const F8 hi = Load8(node.rows[k + 3]);
    Store8((lo + hi) * half, boxes.center[k]);
    Store8((hi - lo) * half, boxes.half[k]);
  }
  return boxes;
}

HWY_INLINE NodePair::NodePair(const Node& a, const Node& b,
                              const RelativeSpace& a_in_b)
    : a_(Load(a, a_in_b.scale)), b_(Load(b, 1)) {
  // Columns, so that each sum of three products is a row of four at once.
  alignas(16) float map[3][4];
  alignas(16) float b_frame[3][4];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      map[k][i] = a_in_b.turn[3 * i + k];
      b_frame[k][i] = b.frame[3 * i + k];
    }
    map[i][3] = b_frame[i][3] = 0;
  }
  for (int j = 0; j < 3; ++j) {
    const float* const axis = a.frame + 3 * j;
    alignas(16) float mapped[4];
    for (int i = 0; i < 4; ++i) {
      mapped[i] =
          axis[0] * map[0][i] + axis[1] * map[1][i] + axis[2] * map[2][i];
    }
    for (int i = 0; i < 4; ++i) {
      turn_[j][i] = mapped[0] * b_frame[0][i] + mapped[1] * b_frame[1][i] +
                    mapped[2] * b_frame[2][i];
    }
  }
  alignas(16) float shift[4];
  for (int i = 0; i < 4; ++i) {
    shift[i] = a_in_b.shift[0] * b_frame[0][i] +
               a_in_b.shift[1] * b_frame[1][i] +
               a_in_b.shift[2] * b_frame[2][i];
  }

  const V8 a_center = Load8x3(a_.center);
  const V8 a_half = Load8x3(a_.half);
  const V8 b_center = Load8x3(b_.center) - Set8x3(shift);
  const V8 b_half = Load8x3(b_.half);
  for (int k = 0; k < 3; ++k) {
    const V8 row = {Set8(turn_[0][k]), Set8(turn_[1][k]), Set8(turn_[2][k])};
    const V8 column = {Set8(turn_[k][0]), Set8(turn_[k][1]), Set8(turn_[k][2])};
    Store8(Dot(row, a_center) + Set8(shift[k]), a_along_b_.center[k]);
    Store8(Dot({Abs(row.x), Abs(row.y), Abs(row.z)}, a_half),
           a_along_b_.half[k]);
    Store8(Dot(column, b_center), b_along_a_.center[k]);
    Store8(Dot({Abs(column.x), Abs(column.y), Abs(column.z)}, b_half),
           b_along_a_.half[k]);
  }
  if (HWY_UNLIKELY(a_in_b.is_skewed)) LookBack(a, b, a_in_b);
}

HWY_NOINLINE inline void NodePair::LookBack(const Node& a, const Node& b,
                                            const RelativeSpace& a_in_b) {
  float shift[3];
  MultiplyRows(b.frame, a_in_b.shift, shift);
  const V8 center = Load8x3(b_.center) - Set8x3(shift);
  const V8 half = Load8x3(b_.half);
  for (int j = 0; j < 3; ++j) {
    // What a vector of b's space is multiplied by to come to a's axis j.
    float normal[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        normal[k] += a.frame[3 * j + i] * a_in_b.back[3 * i + k];
      }
    }
    float row[3];
    MultiplyRows(b.frame, normal, row);
    Store8(Dot(Set8x3(row), center), b_along_a_.center[j]);
    for (float& x : row) x = std::abs(x);
    Store8(Dot(Set8x3(row), half), b_along_a_.half[j]);
  }
}

HWY_INLINE uint32_t NodePair::RowsNear(float limit) const {
  // The box of all of b's along a's axes.
  F8 squared = Zero8();
  for (int k = 0; k < 3; ++k) {
    const F8 center = Load8(b_along_a_.center[k]);
    const F8 half = Load8(b_along_a_.half[k]);
    const F8 lo = Set8(LowestValue(center - half));
    const F8 hi = Set8(-LowestValue(Zero8() - center - half));
    const F8 c = Load8(a_.center[k]);
    const F8 gap = Max(Max(lo - c, c - hi) - Load8(a_.half[k]), Zero8());
    squared = squared + gap * gap;
  }
  return Bits(Sqrt(squared) <= Set8(limit));
}

HWY_INLINE F8 NodePair::Keys(int i) const {
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

HWY_INLINE TurnedBox NodePair::BoxOfA(int i) const {
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

#endif  // ORBOX_BVH_TRAVERSE_NODE_PAIR_INL_H_
