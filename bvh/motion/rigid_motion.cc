// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/motion/rigid_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "orbox/bvh/mesh/internal/coordinate_check.h"
#include "orbox/overlap/base/roundoff.h"
#include "orbox/overlap/shapes/range.h"

namespace orbox {
namespace {

using MatrixRows = std::array<Vec3, 3>;

Vec3 Times(const MatrixRows& r, const Vec3& v) {
  return {Dot(r[0], v), Dot(r[1], v), Dot(r[2], v)};
}

MatrixRows Transposed(const MatrixRows& r) {
  return {{{r[0].x, r[1].x, r[2].x},
           {r[0].y, r[1].y, r[2].y},
           {r[0].z, r[1].z, r[2].z}}};
}

MatrixRows Times(const MatrixRows& a, const MatrixRows& b) {
  const MatrixRows columns = Transposed(b);
  return {Times(columns, a[0]), Times(columns, a[1]), Times(columns, a[2])};
}

// Returns cos I + (1 - cos) k k^T + sin [k]. 1 - cos is computed as twice the
// squared sine of the half angle, which is accurate for small angles.
MatrixRows Rotation(const Vec3& axis, double angle) {
  const Vec3 k = DirectionOf(axis);
  const double half = std::sin(angle / 2);
  const double versine = 2 * half * half;
  const double c = 1 - versine;
  const double s = std::sin(angle);
  const Vec3 v = k * versine;
  return {{{c + v.x * k.x, v.x * k.y - s * k.z, v.x * k.z + s * k.y},
           {v.y * k.x + s * k.z, c + v.y * k.y, v.y * k.z - s * k.x},
           {v.z * k.x - s * k.y, v.z * k.y + s * k.x, c + v.z * k.z}}};
}

// Sets the axis and the angle, from 0 to pi, from a matrix that is almost a
// rotation.
void SetTurn(const MatrixRows& r, RigidMotion* motion) {
  const Vec3 v{r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y};
  const double sine = Norm(v) / 2;
  const double cosine = (r[0].x + r[1].y + r[2].z - 1) / 2;
  motion->angle = std::atan2(sine, cosine);
  motion->axis = {0, 0, 1};
  if (motion->angle == 0) return;
  if (sine > 0.25 || cosine > 0) {
    motion->axis = v;
    return;
  }
  // Near half a turn: r + r^T is 2 (1 - cos) k k^T and 2 cos on the diagonal.
  size_t largest = 0;
  for (size_t i = 1; i < 3; ++i) {
    if (r[i][i] > r[largest][largest]) largest = i;
  }
  Vec3 k;
  for (size_t i = 0; i < 3; ++i) k[i] = (r[largest][i] + r[i][largest]) / 2;
  k[largest] -= cosine;
  motion->axis = Dot(k, v) < 0 ? -k : k;
}

// Returns an upper bound of the largest coordinate of the box, moved by the
// rows.
double ReachOf(const MatrixRows& rows, const Aabb& box) {
  const Vec3 reach = Max(Abs(box.lo), Abs(box.hi));
  double largest = 0;
  for (const Vec3& row : rows) {
    largest = std::max(largest, Dot(Abs(row), reach));
  }
  return largest;
}

// Returns the largest coordinate of any term in the sum that moves a vertex.
double SizeOf(const Tree& tree, const RigidMotion& motion) {
  return ReachOf(motion.start.rows, tree.mesh().bounds()) +
         MaxCoordinate(Abs(motion.start.translation)) +
         2 * MaxCoordinate(Abs(motion.center)) +
         MaxCoordinate(Abs(motion.translation));
}

constexpr double kAbove = 1 + 0x1p-40;

}  // namespace

RigidMotion RigidMotion::Between(const Pose& from, const Pose& to,
                                 const Vec3& center) {
  RigidMotion motion{.start = from, .center = from.Apply(center)};
  motion.translation = to.Apply(center) - motion.center;
  if (from.rows != to.rows) {
    // from^-1 is its transpose over the square of its scale.
    const MatrixRows& start = from.rows;
    MatrixRows turn = Times(to.rows, Transposed(start));
    const double squared = (SquaredNorm(start[0]) + SquaredNorm(start[1]) +
                            SquaredNorm(start[2])) /
                           3;
    for (Vec3& row : turn) row = row * (1 / squared);
    SetTurn(turn, &motion);
  }
  return motion;
}

Pose RigidMotion::PoseAt(double t) const {
  if (t == 0) return start;
  if (angle == 0) {
    return {.rows = start.rows,
            .translation = start.translation + translation * t};
  }
  const MatrixRows turned = Rotation(axis, angle * t);
  return {.rows = Times(turned, start.rows),
          .translation = center + translation * t +
                         Times(turned, start.translation - center)};
}

// Let M be SizeOf and u half an ulp of 1. The angle is rounded once, sines are
// within an ulp, and the axis is within 3 u per coordinate. So the entries of R
// are within (24 + 4 angle) u. A coordinate, with nine such products and as
// many roundings, is within (100 + 12 angle) u M. A distance has less than
// twice that error. Without a turn, a coordinate rounds three times. Each
// underflow adds half the least number above 0.
MovingTree::MovingTree(const Tree& tree, const RigidMotion& motion)
    : tree_(tree), motion_(motion) {
  const double angle = std::abs(motion.angle);
  error_ =
      (angle == 0 ? 16 : 256 + 32 * angle) * kRoundoff * SizeOf(tree, motion) +
      512 * std::numeric_limits<double>::denorm_min();
  const Vec3 axis = DirectionOf(motion.axis);
  turn_ = axis * (motion.angle * kAbove);
  double farthest = 0;
  const Aabb& bounds = tree.mesh().bounds();
  for (size_t i = 0; i < 8; ++i) {
    box_[i] = {(i & 1) != 0 ? bounds.hi.x : bounds.lo.x,
               (i & 2) != 0 ? bounds.hi.y : bounds.lo.y,
               (i & 4) != 0 ? bounds.hi.z : bounds.lo.z};
    const Vec3 p = Times(motion.start.rows, box_[i]) +
                   (motion.start.translation - motion.center);
    farthest = std::max(farthest, SafeNorm(Cross(axis, p)));
  }
  radius_ = farthest * kAbove + error_;
}

absl::StatusOr<MovingTree> MovingTree::Create(const Tree& tree,
                                              const RigidMotion& given) {
  RigidMotion motion = given;
  motion.start = TinyAsZero(motion.start);
  if (!IsFinite(motion.translation) || !IsFinite(motion.axis) ||
      !std::isfinite(motion.angle) || !IsFinite(motion.center)) {
    return absl::InvalidArgumentError(
        "the motion holds a value that is NaN or infinite; give a finite "
        "translation, axis, angle and center");
  }
  if (motion.axis == Vec3()) {
    return absl::InvalidArgumentError(
        "the motion's axis has no length; give its direction, whatever the "
        "angle");
  }
  const absl::StatusOr<PosedTree> start = PosedTree::Create(tree, motion.start);
  if (!start.ok()) return start.status();
  // If the pose stretches a lot, the posed tree has its own tree, in place.
  if (start->stretch() != 1 || start->is_moved() == motion.start.IsIdentity()) {
    return absl::InvalidArgumentError(
        "the motion's start stretches the mesh in some directions more than "
        "in others; move the vertices of the mesh instead");
  }
  const double size = SizeOf(tree, motion);
  double scale = 0;
  for (const Vec3& row : motion.start.rows) {
    scale = std::max(scale, MaxCoordinate(Abs(row)));
  }
  // A turn makes coordinates at most sqrt(3) times as large, so each pose of
  // the motion is within the range.
  const double largest = std::max(size, scale);
  if (!(largest <= kLargestCoordinate / 4)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the motion goes too far, to ", largest, ": ",
                     mesh_internal::RangeAdvice(4 * largest)));
  }
  if (std::abs(motion.angle) > 0x1p30) {
    return absl::InvalidArgumentError(
        absl::StrCat("the motion turns by ", motion.angle,
                     " radians; turn by at most 2^30"));
  }
  return MovingTree(tree, motion);
}

PosedTree MovingTree::At(double t) const {
  // Create has checked the requirements.
  return *PosedTree::Create(tree_, motion_.PoseAt(t));
}

}  // namespace orbox
