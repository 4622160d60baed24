// SPDX-License-Identifier: Apache-2.0

// A point in a tree's space, and the tests of a node's volumes against a ball
// around it. Queries of closest points, of k nearest triangles and of balls use
// it.
//
//   PointInTree point(tree.space(), p);
//   point.SetRadius(best_distance);                    // model units
//   LaneTest test =
//       point.Test<AnswerKind::kConservative, AnswerKind::kExact>(node);
//
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_POINT_IN_TREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_POINT_IN_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_POINT_IN_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_POINT_IN_TREE_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/traverse/internal/step.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/boxes/internal/sphere_box_lanes-inl.h"
#include "orbox/overlap/internal/lanes/box_lanes-inl.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class PointInTree {
 public:
  // `error`, in model units, bounds the distance of the tree's contents from
  // their true positions, in addition to rounding. From a point too far away
  // (is_far), all triangles may be equally near.
  PointInTree(const TreeSpace& space, const Vec3& p, double error = 0)
      : scale_(space.scale) {
    const Vec3 t = space.FromModel(p);
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      // Beyond this distance, floats do not distinguish points of the tree. So
      // nothing is pruned, and double decides everything.
      constexpr double kFar = 0x1p30;
      is_far_ |= !(std::abs(t[k]) <= kFar);
      p_[k] = static_cast<float>(std::clamp(t[k], -kFar, kFar));
      reach = std::max(reach, std::abs(static_cast<double>(p_[k])));
    }
    // With u = 2^-24: rounding p to float moves it by 1.8 u reach, and rotating
    // it into a frame by 9 u reach. The frame stretches distances of at most 2
    // reach + 4 by 6 u, and spheres add 6 u (reach + 4). 32 u (reach + 4)
    // covers the sum.
    const double in_tree = error * space.scale;
    slack_ = RoundUp(0x1p-19 * (reach + 4) + in_tree * 0x1.1p0);
    error_ =
        RoundUp(reach * 0x1.1p-24 + (space.leaf_error + in_tree) * 0x1.1p0);
    reach_ = RoundUp(reach + 1.01);
  }

  // Prunes everything farther than `radius` (model units; may be infinite).
  void SetRadius(double radius) {
    const double in_tree = radius * scale_;
    // If the radius is too large for float, nothing is pruned.
    SetTreeRadius(!is_far_ && in_tree < 0x1p60
                      ? RoundUp(in_tree)
                      : std::numeric_limits<float>::infinity());
  }

  // Lowers the radius to an upper bound of the distance, in tree units. Returns
  // true if it became lower.
  bool ShrinkTo(float upper) {
    if (!(upper < radius_)) return false;
    SetTreeRadius(upper);
    return true;
  }

  // Like ShrinkTo, without a branch.
  HWY_INLINE void ShrinkToLowest(float upper) {
    SetTreeRadius(std::min(radius_, upper));
  }

  // Like ShrinkTo, for a distance in model units.
  void ShrinkToDistance(double distance) {
    const double in_tree = distance * scale_;
    if (!is_far_ && in_tree < radius_) ShrinkTo(RoundUp(in_tree));
  }

  // Volumes with certified lower bounds above this radius are pruned.
  float radius() const { return radius_; }
  // Limit of the keys. Keys do not include their error.
  float squared_limit() const { return squared_limit_; }
  float error() const { return error_; }
  // No coordinate of the tree differs from that of the point by more than this.
  float reach() const { return reach_; }
  bool is_far() const { return is_far_; }
  V8 lanes() const { return Set8x3(p_); }

  // The paper's tests of one sphere and eight boxes. kInner is used for
  // children that are nodes, kLeaf for children that are leaves. Keys are
  // squared distances; infinite if the exact test rejects.
  template <AnswerKind kInner, AnswerKind kLeaf>
  HWY_INLINE LaneTest Test(const Node& node) const {
    const F8 none = Set8(std::numeric_limits<float>::infinity());
    if (node.kind == VolumeKind::kSphere) {
      const F8 d = Max(DistanceToSpheres(lanes(), node.rows), Zero8());
      const M8 is_near = d <= Set8(limit_);
      return {Bits(is_near), Bits(is_near), Select(is_near, d * d, none)};
    }
    const SphereLanes<F8> ball = {InBlock(node), Set8(limit_),
                                  Set8(squared_limit_)};
    const AabbLanes<F8> boxes = LoadAabbs(node.rows);
    const M8 is_near = OverlapsExact(ball, boxes);
    const uint32_t exact = Bits(is_near);
    const F8 key = Select(is_near, SquaredDistance(ball.center, boxes), none);
    if constexpr (kInner == AnswerKind::kExact && kLeaf == AnswerKind::kExact) {
      return {exact, exact, key};
    }
    const uint32_t quick = Bits(OverlapsConservative(ball, boxes));
    const uint32_t inner = LanesBelow(node.inner_count);
    return {(inner & (kInner == AnswerKind::kExact ? exact : quick)) |
                (~inner & (kLeaf == AnswerKind::kExact ? exact : quick)),
            exact, key};
  }

  // Returns the children whose volumes are completely inside the ball of
  // `radius` (tree units).
  HWY_INLINE uint32_t Inside(const Node& node, float radius) const {
    const float certain = radius - slack_ * (1 + 0x1p-10f);
    if (is_far_ || !(certain > 0)) return 0;
    const V8 p = InBlock(node);
    if (node.kind == VolumeKind::kSphere) {
      const V8 v = Load8x3(node.rows) - p;
      return Bits(Sqrt(Dot(v, v)) + Load8(node.rows[3]) <= Set8(certain));
    }
    return Bits(SquaredReach(p, LoadAabbs(node.rows)) <=
                Set8(certain * certain * (1 - 0x1p-20f)));
  }

 private:
  // Returns the point in the frame of the node's block.
  HWY_INLINE V8 InBlock(const Node& node) const {
    // A branch on the kind of the block would be mispredicted about half of the
    // time. The frame of an aligned block is the identity, which does not
    // change the point.
    float q[3];
    Multiply(node.frame, p_, q);
    return Set8x3(q);
  }

  void SetTreeRadius(float radius) {
    radius_ = radius;
    // Two roundings here and three below. The sum of squares that is compared
    // with the square also has a relative error of 4 u.
    limit_ = (radius + slack_) * (1 + 0x1p-21f);
    squared_limit_ = limit_ * limit_ * (1 + 0x1p-19f);
  }

  double scale_;
  float slack_;
  float p_[3];
  float error_;
  float reach_;
  float radius_ = std::numeric_limits<float>::infinity();
  float limit_ = std::numeric_limits<float>::infinity();
  float squared_limit_ = std::numeric_limits<float>::infinity();
  bool is_far_ = false;
};

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_POINT_IN_TREE_INL_H_
