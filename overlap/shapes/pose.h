// SPDX-License-Identifier: Apache-2.0

// A pose: the affine map p -> R p + t that moves a mesh at query time.
//
//   Pose pose = Pose::Translation({0, 0, 2});
//   Vec3 moved = pose.Apply(vertex);
//   Pose tool = robot * Pose::FromQuaternion({.w = w, .x = x, .y = y, .z = z});
//   std::optional<Pose> to_robot = robot.Inverse();
//
// The exact meaning of "a mesh moved by a pose" is that each coordinate of each
// vertex is R p + t evaluated exactly and then rounded once, to the nearest
// double (ties to even). Apply does just that: its result depends on neither
// the compiler, nor fused multiply-add, nor the instruction set. Answers of
// queries are exact for those moved vertices. A coordinate that is zero is +0.
// One beyond the range of double is infinite; the caller has to check.
#ifndef ORBOX_OVERLAP_SHAPES_POSE_H_
#define ORBOX_OVERLAP_SHAPES_POSE_H_

#include <array>
#include <optional>
#include <span>

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/text.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

// w + x i + y j + z k, the scalar part first.
struct Quaternion {
  double w = 1;
  double x = 0;
  double y = 0;
  double z = 0;
};

struct ORBOX_EXPORT Pose {
  // The rows of R: any finite matrix, unless a function requires more. IsRigid
  // checks that it is a rotation.
  std::array<Vec3, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Vec3 translation;

  static Pose Identity() { return {}; }
  static Pose Translation(const Vec3& t) { return {.translation = t}; }

  // The rotation by `angle` radians about the unit vector `axis`, counter-
  // clockwise as seen from its tip (Rodrigues' formula), followed by `t`.
  static Pose Rotation(const Vec3& axis, double angle, const Vec3& t = {});

  // The rotation that q stands for, q p q^-1, followed by `t`. q may have any
  // length but 0: it is divided by it. As q and -q are the same rotation, so
  // they give the same pose. Where q is 0 or not finite, neither is R (IsFinite
  // is false).
  static Pose FromQuaternion(const Quaternion& q, const Vec3& t = {});

  // The affine part of a 4 x 4 matrix that is given row by row and multiplies
  // columns: R and t are the first three rows. None unless all entries are
  // finite and the last row is 0 0 0 1. For a matrix that multiplies rows, or
  // that is stored column by column, as OpenGL has it, give its transpose.
  static std::optional<Pose> FromRowMajor(std::span<const double, 16> matrix);

  // `b`, followed by `a`: (a * b).Apply(p) is a.Apply(b.Apply(p)) but for
  // roundings. Each of the twelve numbers is computed exactly, then rounded
  // once; one beyond the range of double is infinite. So a * Identity() is a,
  // but (a * b) * c and a * (b * c) may differ in the last bits.
  friend ORBOX_EXPORT Pose operator*(const Pose& a, const Pose& b);

  // The map back, p -> R^-1 p - R^-1 t. Each of its twelve numbers is computed
  // exactly for R and t as they are, then rounded once, whether R is a rotation
  // or not. None where R has no inverse, decided exactly, or where R, t or the
  // inverse is not finite. Costs some microseconds.
  std::optional<Pose> Inverse() const;

  bool IsIdentity() const;
  bool IsFinite() const;

  // Whether R is a rotation up to `tolerance`: each entry of R^T R differs from
  // the identity by at most that much, and the determinant is positive.
  bool IsRigid(double tolerance = 1e-9) const;

  // R p + t, each coordinate correctly rounded, for finite R, p and t. A
  // coordinate costs about a hundred operations in double, or one if its row of
  // R is that of the identity; more if exact arithmetic has to decide.
  Vec3 Apply(const Vec3& p) const;
  Triangle Apply(const Triangle& t) const;

  friend bool operator==(const Pose&, const Pose&) = default;
};

// Pose{{(1, 0, 0), (0, 1, 0), (0, 0, 1)}, (0, 0, 0)}; text.h says what one can
// do with it.
ORBOX_EXPORT ShapeText TextOf(const Pose& p);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_POSE_H_
