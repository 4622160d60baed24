// SPDX-License-Identifier: Apache-2.0

// A box in a tree's space, aligned or oriented, and its tests against a node's
// volumes and a leaf's triangles. Box queries are built on these tests.
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_BOX_IN_TREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_BOX_IN_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_BOX_IN_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_BOX_IN_TREE_INL_H_
#endif

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/box_lanes-inl.h"
#include "orbox/overlap/shapes/matrix3.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

// Returns the box, rotated into the frame of a block.
HWY_INLINE TurnedBox TurnInto(const Matrix3<float>& frame,
                              const TurnedBox& box) {
  TurnedBox r;
  for (int k = 0; k < 3; ++k) {
    const float* const f = frame[k];
    r.half[k] = box.half[k];
    r.hull[k] = 0;
    r.center[k] =
        f[0] * box.center[0] + f[1] * box.center[1] + f[2] * box.center[2];
    for (int j = 0; j < 3; ++j) {
      const float* const a = box.axes[j];
      r.axes[j][k] = f[0] * a[0] + f[1] * a[1] + f[2] * a[2];
      r.hull[k] += box.half[j] * std::abs(r.axes[j][k]);
    }
  }
  return r;
}

// Returns those of `lanes` that the cross-product axes do not separate from the
// box by more than `limit`.
HWY_INLINE uint32_t NotSeparatedByCrossAxes(const TurnedBox& box,
                                            const Node& node, uint32_t lanes,
                                            float limit) {
  uint32_t kept = lanes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const float lo[3] = {node.rows[0][i], node.rows[1][i], node.rows[2][i]};
    const float hi[3] = {node.rows[3][i], node.rows[4][i], node.rows[5][i]};
    if (LargestCrossAxisGap(box, lo, hi) > limit) kept &= ~(1u << i);
  }
  return kept;
}

// Box is Aabb or Obb. The axes of an Obb are orthonormal to within 2^-22.
template <typename Box>
class BoxInTree {
 public:
  BoxInTree(const TreeSpace& space, const Box& box);

  // If `counting` is false, `exact` is not computed and equals `accepted`.
  LaneTest Test(const Node& node, bool counting) const;
  BoxMasks Against(const Leaf& leaf) const;

 private:
  static constexpr bool kIsAligned = std::is_same_v<Box, Aabb>;

  TurnedBox box_;
  float limit_;  // smaller gaps may be rounding errors
  float error_;  // of a coordinate: box's plus triangle's
};

// Implementation.

template <typename Box>
BoxInTree<Box>::BoxInTree(const TreeSpace& space, const Box& box) {
  Vec3 center;
  double reach = 0;
  if constexpr (kIsAligned) {
    // Clips the box to a cube around the tree, which changes no result. The
    // error of a box that extends far away would be proportional to its size.
    constexpr Vec3 kBeyond = {2, 2, 2};
    const Vec3 lo = Max(Min(space.FromModel(box.lo), kBeyond), -kBeyond);
    const Vec3 hi = Max(Min(space.FromModel(box.hi), kBeyond), -kBeyond);
    center = (lo + hi) * 0.5;
    for (int k = 0; k < 3; ++k) {
      box_.half[k] = box_.hull[k] = static_cast<float>((hi[k] - lo[k]) * 0.5);
      for (int j = 0; j < 3; ++j) box_.axes[j][k] = j == k;
    }
  } else {
    center = space.FromModel(box.center);
    for (int k = 0; k < 3; ++k) box_.hull[k] = 0;
    for (int j = 0; j < 3; ++j) {
      box_.half[j] = static_cast<float>(box.half_extents[j] * space.scale);
      reach = std::max(reach, box.half_extents[j] * space.scale);
      for (int k = 0; k < 3; ++k) {
        box_.axes[j][k] = static_cast<float>(box.axes[j][k]);
        box_.hull[k] += box_.half[j] * std::abs(box_.axes[j][k]);
      }
    }
  }
  for (int k = 0; k < 3; ++k) {
    reach = std::max(reach, std::abs(center[k]));
    box_.center[k] = static_cast<float>(center[k]);
  }
  // Twice the bound for a point (point_in_tree-inl.h), because the box also has
  // a rotation, and four times the bound for axes with an error of 2^-22. If
  // floats cannot distinguish the points of the tree, nothing is pruned.
  const bool is_far = !(reach <= 0x1p30);
  limit_ = is_far ? std::numeric_limits<float>::infinity()
                  : RoundUp(0x1p-17 * (reach + 4));
  // For an aligned box, the error consists of the roundings of center, half and
  // vertex. For other boxes, a rotation adds 9 u (reach + 4). The error of the
  // vertex is that of the leaf, multiplied by sqrt(3) by a rotation.
  error_ = RoundUp((kIsAligned ? 0x1p-22 : 0x1p-20 * (reach + 4)) +
                   1.75 * (space.leaf_error - 0x1p-24));
  if (is_far) error_ = std::numeric_limits<float>::infinity();
}

template <typename Box>
HWY_INLINE LaneTest BoxInTree<Box>::Test(const Node& node,
                                         bool counting) const {
  if (std::isinf(limit_)) return {0xff, 0xff, Zero8()};
  constexpr Orientation kOwn =
      kIsAligned ? Orientation::kAligned : Orientation::kOriented;
  if (node.kind == VolumeKind::kSphere) {
    const uint32_t bits =
        Bits(BoxDistanceToSpheres<kOwn>(box_, node.rows) <= Set8(limit_));
    return {bits, bits, Zero8()};
  }
  const bool turned = node.kind == VolumeKind::kObb;
  if (kIsAligned && !turned) {
    const uint32_t bits = Bits(DistanceToBoxes<Orientation::kAligned>(
                                   box_, node.rows) <= Set8(limit_));
    return {bits, bits, Zero8()};
  }
  const TurnedBox box = turned ? TurnInto(node.frame, box_) : box_;
  const uint32_t bits = Bits(
      DistanceToBoxes<Orientation::kOriented>(box, node.rows) <= Set8(limit_));
  if (!counting) return {bits, bits, Zero8()};
  const uint32_t lanes = bits & LanesBelow(node.count);
  return {bits, NotSeparatedByCrossAxes(box, node, lanes, limit_), Zero8()};
}

template <typename Box>
HWY_INLINE BoxMasks BoxInTree<Box>::Against(const Leaf& leaf) const {
  const T8 t = LoadTriangles(leaf.rows);
  if constexpr (kIsAligned) {
    return BoxAgainstTriangles(box_.center, box_.half, t, error_);
  } else {
    const V8 c = Set8x3(box_.center);
    const auto into = [&](const V8& v) HWY_ATTR {
      const V8 d = v - c;
      return V8{Dot(d, Set8x3(box_.axes[0])), Dot(d, Set8x3(box_.axes[1])),
                Dot(d, Set8x3(box_.axes[2]))};
    };
    const float origin[3] = {0, 0, 0};
    return BoxAgainstTriangles(origin, box_.half,
                               {into(t.a), into(t.b), into(t.c)}, error_);
  }
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_BOX_IN_TREE_INL_H_
