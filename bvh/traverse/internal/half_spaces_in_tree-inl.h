// SPDX-License-Identifier: Apache-2.0

// A convex set, the intersection of half-spaces, in a tree's space. Tests a
// node's volumes and a leaf's triangles against it. Queries of half-spaces are
// built on these tests.
//
//   HalfSpacesInTree set(tree.space(), half_spaces);
//   LaneTest test = set.Test(node);
//
// A ball whose center is far away is also treated as a half-space, because its
// surface is almost flat at the tree. Points near the surface remain undecided.
//
// A volume is rejected if it is completely outside one of the half-spaces. A
// volume near an edge of the set may be accepted although it is outside. The
// statistics still count this test as exact, because there is no better test.
// Private; compiled once per instruction set
// (overlap/internal/lanes/lanes-inl.h).
#if defined(ORBOX_BVH_TRAVERSE_INTERNAL_HALF_SPACES_IN_TREE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ORBOX_BVH_TRAVERSE_INTERNAL_HALF_SPACES_IN_TREE_INL_H_
#undef ORBOX_BVH_TRAVERSE_INTERNAL_HALF_SPACES_IN_TREE_INL_H_
#else
#define ORBOX_BVH_TRAVERSE_INTERNAL_HALF_SPACES_IN_TREE_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "hwy/highway.h"
#include "orbox/bvh/traverse/internal/one_tree-inl.h"
#include "orbox/bvh/tree/internal/rounding.h"
#include "orbox/bvh/tree/internal/tree_space.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/internal/lanes/lanes-inl.h"
#include "orbox/overlap/internal/numbers/error_free.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/triangles/half_spaces.h"
#include "orbox/overlap/triangles/internal/triangle_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orbox::HWY_NAMESPACE {

class HalfSpacesInTree {
 public:
  // Requires finite half-spaces with normals that are not zero. If `errors` is
  // given, it bounds the errors of the offsets. The bounds may be infinite.
  HalfSpacesInTree(const TreeSpace& space, HalfSpaces set,
                   std::span<const double> errors = {});
  // Requires IsFar(space, ball). `error` bounds the sum of the errors of center
  // and radius, in model units.
  HalfSpacesInTree(const TreeSpace& space, const Sphere& ball,
                   double error = 0);

  // Returns true if the ball is better treated as a half-space. This is the
  // case if the distance from its center is too imprecise in float, and pairs
  // of doubles are precise enough.
  static bool IsFar(const TreeSpace& space, const Sphere& ball);

  LaneTest Test(const Node& node) const;

  // The lanes of a leaf whose triangles are certainly inside the set or overlap
  // it, and the lanes whose triangles are certainly outside.
  struct DecidedLanes {
    uint32_t inside;
    uint32_t outside;
  };
  DecidedLanes Against(const Leaf& leaf) const;

 private:
  // Limits of the dot product of a point with a unit normal. Above `outside`,
  // the point is certainly outside. Up to `inside`, it is certainly inside.
  struct Limits {
    float outside;
    float inside;
  };
  struct Plane {
    float normal[3];
    Limits volumes;
    Limits triangles;
  };

  // With u = 2^-24: each coordinate of a corner has the error of the leaf. The
  // normal has a relative error of u, and products and sums have 3 u of at most
  // 3. Together with one error of the leaf, this is less than 16 u.
  static double TriangleSlack(const TreeSpace& space) {
    return 0x1p-20 + 2 * space.leaf_error;
  }
  // For a volume, rotating the normal into a frame adds 6 u per coordinate, and
  // frames with errors of 2^-22 add three times that. Both are multiplied by up
  // to 6, the sum of the coordinates of a far corner. The result is less than
  // 128 u.
  static constexpr double kVolumeSlack = 0x1p-17;

  // Returns limits for values with errors of `slack`. Between the two limits,
  // nothing is certain.
  static Limits LimitsAbout(double inside, double outside, double slack);

  std::vector<Plane> planes_;
};

// Implementation.

inline HalfSpacesInTree::Limits HalfSpacesInTree::LimitsAbout(double inside,
                                                              double outside,
                                                              double slack) {
  // After an overflow, nothing is certain.
  if (!(slack < std::numeric_limits<double>::infinity())) {
    return {std::numeric_limits<float>::infinity(),
            -std::numeric_limits<float>::infinity()};
  }
  return {RoundUp(outside + slack), RoundDown(inside - slack)};
}

inline HalfSpacesInTree::HalfSpacesInTree(const TreeSpace& space,
                                          HalfSpaces set,
                                          std::span<const double> errors) {
  planes_.reserve(set.size());
  for (size_t i = 0; i < set.size(); ++i) {
    const HalfSpace& h = set[i];
    // First scales the largest coordinate to 1, so that squares neither
    // overflow nor underflow.
    const double largest = MaxCoordinate(Abs(h.normal));
    const Vec3 n{h.normal.x / largest, h.normal.y / largest,
                 h.normal.z / largest};
    const double length = Norm(n);
    const double offset = h.offset / largest;
    const double shift = Dot(n, space.origin);
    const double magnitude = std::abs(offset) + Dot(Abs(n), Abs(space.origin));
    // Converts to tree units. The error from rounding n, products and sums is
    // less than 2^-50 of their magnitude.
    const double to_tree = space.scale / length;
    const double in_tree = (offset - shift) * to_tree;
    const double given = errors.empty() ? 0 : errors[i] / largest;
    const double error =
        (magnitude * 0x1p-49 + given * (1 + 0x1p-40)) * to_tree;
    Plane plane;
    for (size_t k = 0; k < 3; ++k) {
      plane.normal[k] = static_cast<float>(n[k] / length);
    }
    plane.triangles =
        LimitsAbout(in_tree, in_tree, error + TriangleSlack(space));
    plane.volumes = LimitsAbout(in_tree, in_tree, error + kVolumeSlack);
    planes_.push_back(plane);
  }
}

inline bool HalfSpacesInTree::IsFar(const TreeSpace& space,
                                    const Sphere& ball) {
  const Vec3 center = space.FromModel(ball.center);
  const double away = MaxCoordinate(Abs(center));
  return away >= 512 && away <= 0x1p60 && ball.radius * space.scale <= 0x1p62;
}

// With v for the center and L for its distance from the origin, x is in the
// ball where |x - v|^2 <= r^2, which is
//   u x >= s + |x|^2 / (2 L),  u = v / L,  s = (L - r) (L + r) / (2 L).
inline HalfSpacesInTree::HalfSpacesInTree(const TreeSpace& space,
                                          const Sphere& ball,
                                          double given_error) {
  Vec3 center;
  DoubleDouble square;
  for (size_t k = 0; k < 3; ++k) {
    const DoubleDouble d = TwoDifference(ball.center[k], space.origin[k]);
    const DoubleDouble scaled = {d.hi * space.scale, d.lo * space.scale};
    center[k] = scaled.hi;
    square = Sum(square, Product(scaled, scaled));
  }
  // One step of Newton's method. The relative error is less than 2^-98.
  const double root = std::sqrt(square.hi);
  const DoubleDouble rest = Sum(square, Negated(TwoProduct(root, root)));
  const DoubleDouble length = FastTwoSum(root, rest.hi / (2 * root));
  const double radius = ball.radius * space.scale;
  const DoubleDouble gap = Sum(length, {-radius, 0});
  const double offset = gap.hi * ((root + radius) / (2 * root));
  // An error of the radius changes s by radius / L times as much. An error of
  // the center changes s by at most half of it and half of (radius / L)^2 times
  // it. The rotation of u adds a hundredth.
  const double share = 1 + radius / root;
  const double given = given_error * space.scale;
  const double moved = given <= 1 ? given * share * share * 1.02
                                  : std::numeric_limits<double>::infinity();
  const double error =
      0x1p-48 * std::abs(offset) + 0x1p-97 * (root + radius) + moved;
  // Coordinates are at most 1, up to rounding.
  const double bulge = 1.55 / root;
  Plane plane;
  for (size_t k = 0; k < 3; ++k) {
    plane.normal[k] = static_cast<float>(-center[k] / root);
  }
  plane.triangles =
      LimitsAbout(-offset - bulge, -offset, error + TriangleSlack(space));
  plane.volumes = LimitsAbout(-offset - bulge, -offset, error + kVolumeSlack);
  planes_.push_back(plane);
}

HWY_INLINE LaneTest HalfSpacesInTree::Test(const Node& node) const {
  uint32_t accepted = 0xff;
  uint32_t inside = 0xff;
  for (const Plane& plane : planes_) {
    const float* const n = plane.normal;
    F8 low;
    F8 high;
    if (node.kind == VolumeKind::kSphere) {
      const F8 middle = Dot(Load8x3(node.rows), Set8x3(n));
      low = middle - Load8(node.rows[3]);
      high = middle + Load8(node.rows[3]);
    } else {
      float turned[3] = {n[0], n[1], n[2]};
      if (node.kind == VolumeKind::kObb) {
        Multiply(node.frame, n, turned);
      }
      low = Zero8();
      high = Zero8();
      for (int k = 0; k < 3; ++k) {
        const int near = turned[k] > 0 ? k : k + 3;
        const int far = turned[k] > 0 ? k + 3 : k;
        const F8 slope = Set8(turned[k]);
        low = low + Load8(node.rows[near]) * slope;
        high = high + Load8(node.rows[far]) * slope;
      }
    }
    accepted &= Bits(low <= Set8(plane.volumes.outside));
    inside &= Bits(high <= Set8(plane.volumes.inside));
    if (accepted == 0) break;
  }
  return {accepted, accepted, Zero8(), inside};
}

HWY_INLINE HalfSpacesInTree::DecidedLanes HalfSpacesInTree::Against(
    const Leaf& leaf) const {
  const T8 t = LoadTriangles(leaf.rows);
  uint32_t outside = 0;
  uint32_t a_inside = 0xff;
  uint32_t b_inside = 0xff;
  uint32_t c_inside = 0xff;
  for (const Plane& plane : planes_) {
    const V8 n = Set8x3(plane.normal);
    const F8 a = Dot(n, t.a);
    const F8 b = Dot(n, t.b);
    const F8 c = Dot(n, t.c);
    outside |= Bits(Min(Min(a, b), c) > Set8(plane.triangles.outside));
    const F8 limit = Set8(plane.triangles.inside);
    a_inside &= Bits(a <= limit);
    b_inside &= Bits(b <= limit);
    c_inside &= Bits(c <= limit);
  }
  return {a_inside | b_inside | c_inside, outside};
}

}  // namespace orbox::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ORBOX_BVH_TRAVERSE_INTERNAL_HALF_SPACES_IN_TREE_INL_H_
