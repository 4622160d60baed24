// SPDX-License-Identifier: Apache-2.0

// A ray in a tree's space, and its tests against a node's volumes and a leaf's
// triangles. Base of all ray queries.
//
//   RayInTree ray(tree.space(), Ray{p, q - p}, /*max_t=*/1);
//   LaneTest test = ray.Test(node);
//   RayHits8 hits = ray.Against(leaf);
//   ray.ShrinkTo(hits' lowest upper bound);
//
// The ray is P(s) = start + s * direction. The largest coordinate of the
// direction is in [1, 2). The start is in or near the tree, so that floats are
// precise enough for any origin. Private; compiled once per instruction set.
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_RAY_IN_TREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_RAY_IN_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_RAY_IN_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_RAY_IN_TREE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/internal/lanes/point_lanes-inl.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/internal/ray_lanes-inl.h"
#include "orbox/overlap/triangles/internal/sweep_lanes-inl.h"
#include "orbox/overlap/triangles/swept_sphere.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class RayInTree {
 public:
  // Requires a finite origin, a direction that is not zero, and max_t >= 0,
  // which may be infinite. Hits before ray.min_t are out of range. For a ball,
  // Test and TestBoxes bound the time at which it may first touch. `error`, in
  // model units, bounds the error of each coordinate of the tree's contents, in
  // addition to rounding. From an origin too far away (is_far), everything may
  // be hit.
  HWY_INLINE RayInTree(const TreeSpace& space, const Ray& ray, double max_t,
                       double error = 0)
      : RayInTree(space, ray, max_t, 0, kFarthest, error) {}
  // The direction is a rounded difference. For a ball from beyond kFar, its
  // error is larger than the distances between points of the tree.
  HWY_INLINE RayInTree(const TreeSpace& space, const SweptSphere& ball,
                       double max_t)
      : RayInTree(space, {ball.from, ball.to - ball.from}, max_t, ball.radius,
                  kFar, 0) {}

  // Keys are lower bounds of s at the volumes' hits; infinite if there is none.
  LaneTest Test(const Node& node) const;

  // Hits that are out of range are neither `sure` nor `maybe`. Hits in `sure`
  // are certainly in range.
  RayHits8 Against(const Leaf& leaf) const;

  // Tests the boxes of a leaf's triangles. `accepted` and `key` are as for
  // volumes.
  LaneTest TestBoxes(const Leaf& leaf) const;

  // Like TestBoxes, for a ball and the triangles themselves.
  LaneTest TestTriangles(const Leaf& leaf) const;

  // Keys and lower bounds of hits above this limit are ignored.
  float limit() const { return limit_; }

  // Lowers the limit to an upper bound of s. Returns true if it became lower.
  bool ShrinkTo(float s) {
    if (!(s < limit_)) return false;
    limit_ = s;
    return true;
  }

  // Like ShrinkTo, for a correctly rounded t.
  void ShrinkToT(double t) {
    if (!is_far_) ShrinkTo(AboveT(t));
  }

  // True if nothing is known of the ray in this tree. Then everything is
  // accepted.
  bool is_far() const { return is_far_; }

  // For a ball: its centre at s = 0, its motion until s = 1, and the error of
  // each coordinate of these and of a leaf's corner.
  Vec3 CenterAtStart(const TreeSpace& space, const SweptSphere& ball) const {
    return space.FromModel(ball.from) + start_.hi * Direction();
  }
  Vec3 Direction() const {
    return {exact_direction_[0], exact_direction_[1], exact_direction_[2]};
  }
  double ErrorAtStart(const TreeSpace& space) const {
    return start_error() + space.leaf_error;
  }

  // The ray's parameter at s, up to rounding.
  double TAt(float s) const {
    return (start_.hi + (start_.lo + s)) * inverse_unit_;
  }

 private:
  double start_error() const { return origin_error_ + 0x1p-51 * start_size_; }

  // Upper bound of all s whose parameter rounds to t, including the error of a
  // computed s.
  float AboveT(double t) const {
    const double at = t * unit_;
    const double s = (at - start_.hi) - start_.lo;
    return static_cast<float>(s + std::abs(s) * 0x1p-19 +
                              std::abs(at) * 0x1p-48 + 0x1p-60);
  }

  // Sets the least s of hits in range.
  void SetFirst(double min_t);

  // Does not use origins beyond `farthest_origin`: then everything is accepted.
  RayInTree(const TreeSpace& space, const Ray& ray, double max_t, double radius,
            double farthest_origin, double error);

  // Returns the start of a ray from outside, moved to the tree.
  D4 NearStart(const D4& origin, double radius);
  // Like NearStart, for an origin so far away that doubles do not distinguish
  // points of the tree.
  D4 FarStart(const TreeSpace& space, const Vec3& model_origin, double radius);

  // Returns the parameter at which a ray of direction `d`, now at `p`, or a
  // ball on it, may first touch the tree. The tree is in the ball of radius
  // sqrt(3) around 0. Roundings, a few 2^-53 of at most 2^44, are far below the
  // difference between sqrt(3) and 1.8.
  static double WayTo(const Vec3& p, const Vec3& d, double radius) {
    const double way = -Dot(p, d) / SquaredNorm(d);
    if (radius < 1) return way - (1.8 + 1.01 * radius);
    // The start of a large ball is not farther away than that of a ray, so that
    // floats are precise enough.
    const double aside = Norm(p + way * d);
    const double reach = 1.8 + radius * (1 + 0x1p-40);
    return way - std::sqrt(std::max(0.0, (reach - aside) * (reach + aside)) /
                           SquaredNorm(d));
  }

  LaneTest SelectLanes(const RaySpanLanes& span) const;

  // From farther away, even pairs of doubles do not distinguish points of the
  // tree well enough. Directions and units beyond these limits, far beyond
  // differences of points of models, get no special treatment.
  static constexpr double kFar = 0x1p44;
  static constexpr double kFarthest = 0x1p90;
  static constexpr double kExtreme = 0x1p1000;
  // The whole tree is before this limit of t, in units of s, also from
  // kFarthest.
  static constexpr double kAll = 0x1p100;
  static_assert(kAll > 256 * kFarthest);

  RaySlabs slabs_;
  RayView view_;
  alignas(16) float origin_[4];
  alignas(16) float direction_[4];
  float limit_ = std::numeric_limits<float>::infinity();
  float certain_limit_ = std::numeric_limits<float>::infinity();
  // Nothing before first_ is in range; hits after certain_first_ certainly are.
  float first_ = 0;
  float certain_first_ = 0;
  float turned_error_ = 0;
  float error_ = 0;
  float radius_ = 0;
  float reach_ = 0;  // bound of a coordinate's difference to the start
  bool is_far_ = false;

  // The relation is s = t * unit_ - start_.
  double unit_ = 1;
  double inverse_unit_ = 1;
  DoubleDouble start_;

  // The largest coordinate of the start, and the error of its coordinates: the
  // error of the origin plus 2^-51 of the largest coordinate.
  double start_size_ = 0;
  double origin_error_ = 0;
  alignas(32) double exact_direction_[4];
};

// Implementation.

// Returns the largest power of two that is not above x. Requires a normal x.
// InverseOfPower returns the inverse of the power. Requires that it is normal.
HWY_INLINE double PowerBelow(double x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) &
                               (uint64_t{0x7ff} << 52));
}

HWY_INLINE double InverseOfPower(double power) {
  // The exponents of a power and its inverse add up to twice the exponent of 1.
  constexpr uint64_t kTwiceOne = uint64_t{2 * 1023} << 52;
  return std::bit_cast<double>(kTwiceOne - std::bit_cast<uint64_t>(power));
}

// Returns an upper bound of x: RoundUp without its branches. Requires x >= 0.
HWY_INLINE float Above(double x) {
  return static_cast<float>(x * (1 + 0x1p-22));
}

HWY_INLINE RayInTree::RayInTree(const TreeSpace& space, const Ray& ray,
                                double max_t, double model_radius,
                                double farthest_origin, double error) {
  const D4 origin =
      (LoadPoint(ray.origin) - LoadPoint(space.origin)) * D4(space.scale);
  const D4 direction = LoadPoint(ray.direction);
  const double largest = LargestLane(Abs(direction));
  const double power = PowerBelow(largest);
  unit_ = space.scale * power;
  const double farthest = LargestLane(Abs(origin));
  const double radius = model_radius * space.scale;
  is_far_ = !(farthest <= farthest_origin && radius <= kFar / 16 &&
              largest >= 1 / kExtreme && largest <= kExtreme &&
              unit_ >= 1 / kExtreme && unit_ <= kExtreme);
  if (is_far_) return;
  const double inverse = InverseOfPower(power);
  inverse_unit_ = space.unscale * inverse;
  const D4 exact_direction = direction * D4(inverse);
  exact_direction.Store(exact_direction_);
  const F4 rounded = ToFloat(exact_direction);
  const F4 least = kLeastDirection;
  const F4 slab_direction = Select(Abs(rounded) >= least, rounded,
                                   Select(rounded < F4(0.0f), -least, least));
  slab_direction.Store(direction_);
  F4 start_point = ToFloat(origin);
  // The origin, the product and the sum each have a relative error of 2^-53.
  origin_error_ = 0x1p-51 * farthest + 0x1p-60;
  start_size_ = farthest;
  if (HWY_UNLIKELY(farthest > 2)) {
    const D4 start = farthest <= kFar ? NearStart(origin, radius)
                                      : FarStart(space, ray.origin, radius);
    start_size_ = LargestLane(Abs(start));
    start_point = ToFloat(start);
  }
  start_point.Store(origin_);
  reach_ = Above(1 + start_size_ + radius);

  // Among the volumes, which extend to 1 + radius, s is at most `reach`, 1 +
  // start + radius. The rounding of the direction by u, and its least value,
  // give 1.02 u of reach. The rounding of the start gives 0.52 u of start +
  // radius, that of a leaf's vertices u or more, and that of the slab origins
  // 1.05 u of start, error and twice the radius. Terms that do not depend on
  // the start are added first. Each number is rounded up by more than the
  // rounding of a float.
  const double start = start_size_;
  const double leaf_error = space.leaf_error + error * space.scale;
  const double error_apart = 1.01 * origin_error_ + 1.03 * leaf_error +
                             kFloatRoundoff * (1.03 + 3.65 * radius);
  error_ = static_cast<float>(error_apart + 2.6 * kFloatRoundoff * start);
  slabs_.Set(start_point, slab_direction,
             static_cast<float>((error_apart + radius * (1 + 0x1p-22)) +
                                2.6 * kFloatRoundoff * start));
  radius_ = Above(radius);
  const double reach = reach_;
  // A frame multiplies errors by sqrt(3). Each rotated coordinate of the start
  // has an error of 5.2 u of it, and that of the direction one of 5.2 u over
  // `reach`. The slab origins, now up to 1.75 |start|, have an error of u. The
  // ball does not change.
  turned_error_ = Above(1.75 * (error_apart + 2.6 * kFloatRoundoff * start) +
                        radius * (1 + 0x1p-20) +
                        kFloatRoundoff * (5.5 * start + 5.5 * reach +
                                          1.8 * start + 1 + 1.05 * radius));
  view_.Set(
      origin_, exact_direction_,
      Above(start_error() + kFloatRoundoff * 0.52 * start + 1.02 * leaf_error),
      reach_);

  // The bits of positive numbers are positive.
  if (HWY_UNLIKELY(std::bit_cast<int64_t>(ray.min_t) > 0)) SetFirst(ray.min_t);
  if (max_t * unit_ < kAll) {
    limit_ = AboveT(max_t);
    const double at = max_t * unit_;
    certain_limit_ = RoundDown(((at - start_.hi) - start_.lo) * (1 - 0x1p-50) -
                               std::abs(at) * 0x1p-48);
  }
}

HWY_NOINLINE inline void RayInTree::SetFirst(double min_t) {
  const double at = std::min(min_t * unit_, kAll);
  const double s = (at - start_.hi) - start_.lo;
  // Covers what AboveT covers, on both sides.
  const double error = std::abs(s) * 0x1p-19 + at * 0x1p-48 + 0x1p-60;
  first_ = static_cast<float>(std::max(0.0, s - error));
  certain_first_ = static_cast<float>(std::max(0.0, s + error));
}

// A ray from outside the tree may start next to the tree.
HWY_INLINE D4 RayInTree::NearStart(const D4& origin, double radius) {
  alignas(32) double from[4];
  origin.Store(from);
  start_.hi =
      std::max(0.0, WayTo({from[0], from[1], from[2]}, Direction(), radius));
  return origin + D4(start_.hi) * D4::Load(exact_direction_);
}

// Computed in pairs of doubles. Each step has a relative error of about 2^-50.
// So the second step is short, and the third one corrects the rest.
HWY_NOINLINE inline D4 RayInTree::FarStart(const TreeSpace& space,
                                           const Vec3& model_origin,
                                           double radius) {
  const Vec3 d = Direction();
  DoubleDouble origin[3];
  double farthest = 0;
  for (size_t k = 0; k < 3; ++k) {
    origin[k] = orbox::TwoDifference(model_origin[k], space.origin[k]);
    origin[k].hi *= space.scale;
    origin[k].lo *= space.scale;
    farthest = std::max(farthest, std::abs(origin[k].hi));
  }
  Vec3 start{origin[0].hi, origin[1].hi, origin[2].hi};
  for (int step = 0; step < 3; ++step) {
    const double way = WayTo(start, d, radius);
    start_ = orbox::Sum(start_, {way, 0});
    // Nothing behind the origin is tested.
    if (start_.hi < 0) start_ = {};
    for (size_t k = 0; k < 3; ++k) {
      const DoubleDouble at =
          orbox::Sum(origin[k], orbox::Product(start_, {d[k], 0}));
      start[k] = at.hi;
    }
  }
  // Products and sums have errors of 2^-104 of their operands, which are at
  // most twice that far away. The result is rounded.
  origin_error_ = 0x1p-100 * farthest + 0x1p-60;
  return LoadPoint(start);
}

HWY_INLINE LaneTest RayInTree::Test(const Node& node) const {
  if (is_far_) return {0xff, 0xff, Zero8()};
  RaySpanLanes span;
  if (node.kind == VolumeKind::kAabb) {
    span = SpanInBoxes(slabs_, node.rows);
  } else if (node.kind == VolumeKind::kObb) {
    span = SpanInTurnedBoxes(node.frame, origin_, direction_, turned_error_,
                             node.rows);
  } else {
    RayAxis axis;
    axis.Set(origin_, direction_, error_, reach_);
    axis.slack += radius_;
    span = SpanInSpheres(axis, node.rows);
  }
  return SelectLanes(span);
}

HWY_INLINE LaneTest RayInTree::SelectLanes(const RaySpanLanes& span) const {
  const F8 from = Max(span.near, Set8(first_));
  const M8 meets = from <= Min(span.far, Set8(limit_));
  const uint32_t bits = Bits(meets);
  return {bits, bits,
          Select(meets, from, Set8(std::numeric_limits<float>::infinity()))};
}

HWY_INLINE LaneTest RayInTree::TestBoxes(const Leaf& leaf) const {
  if (is_far_) return {0xff, 0xff, Zero8()};
  alignas(32) float boxes[6][kLanes];
  for (int k = 0; k < 3; ++k) {
    const F8 a = Load8(leaf.rows[k]);
    const F8 b = Load8(leaf.rows[3 + k]);
    const F8 c = Load8(leaf.rows[6 + k]);
    Store8(Min(Min(a, b), c), boxes[k]);
    Store8(Max(Max(a, b), c), boxes[3 + k]);
  }
  return SelectLanes(SpanInBoxes(slabs_, boxes));
}

HWY_INLINE LaneTest RayInTree::TestTriangles(const Leaf& leaf) const {
  LaneTest test = TestBoxes(leaf);
  if (is_far_ || test.accepted == 0) return test;
  const BallSpan span = SpanOfBall(view_, radius_, leaf.rows);
  test.key = Max(test.key, span.near);
  const uint32_t meets =
      Bits(test.key <= Min(span.far, Set8(limit_))) & ~Bits(span.misses);
  test.accepted &= meets;
  test.exact &= meets;
  return test;
}

HWY_INLINE RayHits8 RayInTree::Against(const Leaf& leaf) const {
  const auto used = [&] { return UsedLanes(leaf); };
  if (is_far_) {
    const F8 zero = Zero8();
    return {0, used(), zero, zero, zero, zero, zero};
  }
  RayHits8 hits = RayAgainstTriangles(view_, leaf.rows, used);
  if ((hits.sure | hits.maybe) == 0) return hits;
  const uint32_t in_range =
      Bits((hits.high >= Set8(first_)) & (hits.low <= Set8(limit_)));
  const uint32_t surely = Bits((hits.low > Set8(certain_first_)) &
                               (hits.high <= Set8(certain_limit_)));
  const uint32_t sure = hits.sure & surely;
  hits.maybe = (hits.maybe | (hits.sure & ~sure)) & in_range;
  hits.sure = sure & in_range;
  hits.along &= hits.sure;
  return hits;
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_RAY_IN_TREE_INL_H_
