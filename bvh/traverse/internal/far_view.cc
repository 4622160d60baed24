// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/far_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orbox {
namespace {

// At this distance, half of the error of a float volume near the end of the
// tree's space, or half of the slack of the loop over two trees, is 2^-14 of
// the meshes' sizes.
constexpr double kFarApart = 64;

// Within these limits, squares of lengths and their sums are far from overflow
// and underflow.
constexpr double kLeastSize = 0x1p-400;
constexpr double kMostAway = 0x1p400;

// Bound of the rounding error: keys and bounds take fewer than 64 operations on
// numbers of at most 4 units.
constexpr double kKeyError = 0x1p-44;

// Error bound, in tree space, of volumes that are mapped by the transpose of
// their frame. A child's volume is rounded outward so that it contains its
// triangles in float, but its frame is orthonormal only within kFrameError.
constexpr double kOutward = 0x1p-19;

// From this distance in units on, the component across the line of sight
// changes keys by less than the error of floats: 4^2 / 2^21 of a unit.
constexpr double kVeryFar = 0x1p20;

double LargestOf(const Vec3& v) { return MaxCoordinate(Abs(v)); }

Vec3 Linear(const Pose& pose, const Vec3& v) {
  return {Dot(pose.rows[0], v), Dot(pose.rows[1], v), Dot(pose.rows[2], v)};
}

Vec3 Transposed(const Pose& pose, const Vec3& v) {
  return pose.rows[0] * v.x + pose.rows[1] * v.y + pose.rows[2] * v.z;
}

}  // namespace

FarView::Side FarView::SideOf(const PosedTree& tree) {
  const Aabb& box = tree.tree().mesh().bounds();
  const Vec3 half = box.HalfExtents();
  Side side;
  side.tree = tree;
  side.center = tree.pose().Apply(tree.tree().space().origin);
  const double most = tree.scale() * tree.stretch() * (1 + 4 * tree.skew());
  side.most_stretch = most;
  // Twice the distance of the corners, which also covers the rounding of poses
  // and halves.
  side.radius = 2 * most * Norm(half);
  if (tree.is_moved()) {
    side.slack = 0x1p-48 * (most * (LargestOf(box.Center()) + LargestOf(half)) +
                            LargestOf(tree.pose().translation));
  }
  side.to_units = tree.tree().space().unscale;
  side.slack += kOutward * most * side.to_units;
  return side;
}

std::optional<FarView> FarView::Between(const PosedTree& a,
                                        const PosedTree& b) {
  Side of_a = SideOf(a);
  Side of_b = SideOf(b);
  const double sizes = of_a.radius + of_b.radius;
  const double away = LargestOf(of_a.center - of_b.center);
  if (!(away > kFarApart * sizes) || !(sizes > kLeastSize) ||
      !(away < kMostAway)) {
    return std::nullopt;
  }
  return FarView(std::move(of_a), std::move(of_b));
}

std::optional<FarView> FarView::Between(const PosedTree& a, const Vec3& p) {
  if (!IsFinite(p)) return std::nullopt;
  Side of_a = SideOf(a);
  const double away = LargestOf(of_a.center - p);
  if (!(away > kFarApart * of_a.radius) || !(of_a.radius > kLeastSize) ||
      !(away < kMostAway)) {
    return std::nullopt;
  }
  Side of_p;
  of_p.center = p;
  return FarView(std::move(of_a), std::move(of_p));
}

FarView::FarView(Side a, Side b) : a_(std::move(a)), b_(std::move(b)) {
  int exponent = 0;
  std::frexp(a_.radius + b_.radius, &exponent);
  unit_ = std::ldexp(1.0, exponent);
  inverse_unit_ = std::ldexp(1.0, -exponent);
  // D and L as pairs of doubles, from exact differences.
  DoubleDouble square;
  Vec3 difference;
  for (size_t k = 0; k < 3; ++k) {
    const DoubleDouble d = TwoDifference(a_.center[k], b_.center[k]);
    difference[k] = d.hi;
    square = Sum(square, Product(d, d));
  }
  const double root = std::sqrt(square.hi);
  // One step of Newton's method.
  const DoubleDouble rest = Sum(square, Negated(TwoProduct(root, root)));
  length_ = FastTwoSum(root, rest.hi / (2 * root));
  direction_ = difference * (1 / root);
  length_in_units_ = root * inverse_unit_;
  error_ = kKeyError;
  for (Side* side : {&a_, &b_}) {
    side->radius *= inverse_unit_;
    side->slack *= inverse_unit_;
    side->to_units *= inverse_unit_;
    side->most_stretch *= side->to_units;
    if (side->tree) {
      side->direction =
          Transposed(side->tree->pose(), direction_) * side->to_units;
    }
  }
}

FarView::FarVolume FarView::WholeOf(const Side& side) {
  FarVolume part;
  part.radius = part.high = side.radius;
  part.low = -side.radius;
  part.is_leaf = !side.tree;
  part.index = Tree::kRoot;
  return part;
}

double FarView::Aside(const FarVolume& a, const FarVolume& b) const {
  const Vec3 between = a.center - b.center;
  return Norm(between - direction_ * Dot(direction_, between));
}

// Uses that |D + d| + t is at most 2 t + g.
double FarView::LowerKey(const FarVolume& a, const FarVolume& b,
                         double limit) const {
  const double low = LowerAlong(a, b);
  if (low > limit || length_in_units_ >= kVeryFar) return low;
  const double gap = std::max(0.0, Aside(a, b) - a.radius - b.radius - error_);
  return low + gap * gap / (2 * (length_in_units_ + low) + gap);
}

// Uses that |D + d| + t is at least 2 t. The square of the component across the
// line of sight, divided by t, needs few digits.
double FarView::UpperKey(const Triangles& a, size_t i, const Triangles& b,
                         size_t j) const {
  double least = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < 3; ++k) {
    for (size_t l = 0; l < (is_of_point() ? 1 : 3); ++l) {
      const double along = a.along[i][k] - b.along[j][l];
      const double square = SquaredNorm(a.corners[i][k] - b.corners[j][l]);
      const double aside = std::max(0.0, square - along * along);
      least = std::min(least, along + aside / (2 * (length_in_units_ + along)));
    }
  }
  return least + error_;
}

double FarView::MiddleKey(const Triangles& a, size_t i) const {
  const FarVolume& part = a.around[i];
  double reach = 0;
  for (const Vec3& corner : a.corners[i]) {
    reach = std::max(reach, std::abs(Dot(direction_, corner - part.center)));
  }
  const double middle = Dot(direction_, part.center);
  const double aside = Norm(part.center - direction_ * middle);
  const double gap = std::max(0.0, aside - part.radius - error_);
  const double along = middle - reach;
  // The component across the line of sight is negligible, and its square would
  // overflow.
  if (length_in_units_ >= 0x1p500) return along - error_;
  const double total = length_in_units_ + along;
  return (2 * length_in_units_ * along + along * along + gap * gap) /
             (std::sqrt(total * total + gap * gap) + length_in_units_) -
         error_;
}

int FarView::Expand(const Side& side, const FarVolume& part,
                    FarVolume (&children)[kLanes]) const {
  const Tree& tree = side.tree->tree();
  const Node node = tree.node(part.index);
  const auto row = [&node](size_t k, size_t lane) {
    return static_cast<double>(node.rows[k][lane]);
  };
  // The block's axes in the tree's space, and their slopes along the direction.
  Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (node.kind == VolumeKind::kObb) {
    for (size_t k = 0; k < 3; ++k) {
      axes[k] = {node.frame[k][0], node.frame[k][1], node.frame[k][2]};
    }
  }
  const Vec3 slopes = {Dot(axes[0], side.direction),
                       Dot(axes[1], side.direction),
                       Dot(axes[2], side.direction)};
  const bool is_moved = side.tree->is_moved();
  for (size_t lane = 0; lane < node.count; ++lane) {
    FarVolume& child = children[lane];
    child.is_leaf = lane >= node.inner_count;
    child.depth = static_cast<int16_t>(part.depth + 1);
    const auto step = static_cast<uint32_t>(lane);
    child.index = child.is_leaf ? node.first_leaf + step - node.inner_count
                                : node.first_node + step;
    Vec3 middle{row(0, lane), row(1, lane), row(2, lane)};
    double reach = 0;
    if (node.kind == VolumeKind::kSphere) {
      child.radius = reach = row(3, lane) * side.most_stretch;
    } else {
      const Vec3 hi{row(3, lane), row(4, lane), row(5, lane)};
      const Vec3 half = (hi - middle) * 0.5;
      middle = (hi + middle) * 0.5;
      child.radius = Norm(half) * side.most_stretch;
      reach = std::abs(half.x * slopes.x) + std::abs(half.y * slopes.y) +
              std::abs(half.z * slopes.z);
    }
    Vec3 center = middle * side.to_units;
    if (node.kind == VolumeKind::kObb) {
      center = axes[0] * center.x + axes[1] * center.y + axes[2] * center.z;
    }
    child.center = is_moved ? Linear(side.tree->pose(), center) : center;
    const double along = Dot(direction_, child.center);
    child.radius += side.slack;
    child.low = along - reach - side.slack;
    child.high = along + reach + side.slack;
  }
  return static_cast<int>(node.count);
}

void FarView::TrianglesOf(const Side& side, const FarVolume& leaf,
                          Triangles* triangles) const {
  size_t& count = triangles->count;
  count = 0;
  if (!side.tree) {
    triangles->ids[count] = 0;
    triangles->around[count] = {};
    for (size_t k = 0; k < 3; ++k) {
      triangles->corners[count][k] = {};
      triangles->along[count][k] = 0;
    }
    count = 1;
    return;
  }
  for (const uint32_t id : side.tree->tree().leaf_ids(leaf.index)) {
    if (id == kNoTriangle) continue;
    const Triangle t = side.tree->triangle(id);
    Vec3(&corners)[3] = triangles->corners[count];
    double(&along)[3] = triangles->along[count];
    for (size_t k = 0; k < 3; ++k) {
      corners[k] = (t[k] - side.center) * inverse_unit_;
      along[k] = Dot(direction_, corners[k]);
    }
    FarVolume& part = triangles->around[count];
    part.center = (corners[0] + corners[1] + corners[2]) * (1.0 / 3);
    part.radius = std::sqrt(std::max({SquaredNorm(corners[0] - part.center),
                                      SquaredNorm(corners[1] - part.center),
                                      SquaredNorm(corners[2] - part.center)}));
    part.low = std::min({along[0], along[1], along[2]});
    part.high = std::max({along[0], along[1], along[2]});
    triangles->ids[count++] = id;
  }
}

// L + key as two doubles. The error of the pair for L is less than 2^-100 of L.
// The error of the sum is less than 2^-51 of its lower part, which has the
// magnitude of the meshes' sizes.
double FarView::RoundedDown(double key) const {
  const double low = length_.lo + (key - error_) * unit_;
  return length_.hi + (low - 0x1p-51 * std::abs(low) - 0x1p-98 * length_.hi);
}

double FarView::RoundedUp(double key) const {
  const double low = length_.lo + (key + error_) * unit_;
  return length_.hi + (low + 0x1p-51 * std::abs(low) + 0x1p-98 * length_.hi);
}

// The step above `distance` may be twice as large as that at L, if the two are
// so near that this matters. All larger distances exceed it by more than 2^-50
// of L.
double FarView::KeyAbove(double distance) const {
  const double above = distance - length_.hi;
  return (above - length_.lo) * inverse_unit_ + error_ +
         0x1p-51 * (length_in_units_ + std::abs(above) * inverse_unit_);
}

}  // namespace orbox
