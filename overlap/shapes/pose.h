// SPDX-License-Identifier: Apache-2.0

// A pose: the affine map p -> R p + t that moves a mesh at query time.
//
//   Pose pose = Pose::Translation({0, 0, 2});
//   Vec3 moved = pose.Apply(vertex);
//   Pose tool = robot * Pose::FromQuaternion({.w = w, .x = x, .y = y, .z = z});
//   std::optional<Pose> to_robot = robot.Inverse();
//
// The exact meaning of "a mesh moved by a pose": each coordinate of each vertex
// is R p + t evaluated exactly and then rounded once, to the nearest double
// (ties to even). Apply computes this. Its result does not depend on the
// compiler, on fused multiply-add or on the instruction set. Results of queries
// are exact for these moved vertices. A coordinate that is zero is +0. A
// coordinate outside the range of double is infinite; the caller must check for
// that.
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

// The quaternion w + x i + y j + z k, with the scalar part first.
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

  // Returns the rotation by `angle` radians about the unit vector `axis`,
  // counter-clockwise as seen from its tip (Rodrigues' formula), followed by
  // `t`.
  static Pose Rotation(const Vec3& axis, double angle, const Vec3& t = {});

  // Returns the rotation of the quaternion q, q p q^-1, followed by `t`. q may
  // have any length except 0, because it is normalised first. q and -q stand
  // for one rotation and give equal poses. If q is 0 or not finite, R is not
  // finite (IsFinite is false).
  static Pose FromQuaternion(const Quaternion& q, const Vec3& t = {});

  // Returns the affine part of a 4 x 4 matrix that is given row by row and
  // multiplies columns: R and t are the first three rows. Returns nullopt
  // unless all entries are finite and the last row is 0 0 0 1. For a matrix
  // that multiplies rows, or that is stored column by column as in OpenGL, pass
  // the transpose.
  static std::optional<Pose> FromRowMajor(std::span<const double, 16> matrix);

  // Returns `b` followed by `a`: (a * b).Apply(p) is a.Apply(b.Apply(p)) except
  // for roundings. Each of the twelve numbers is computed exactly, then rounded
  // once. A number outside the range of double is infinite. Therefore a *
  // Identity() is equal to a, but (a * b) * c and a * (b * c) may differ in the
  // last bits.
  friend ORBOX_EXPORT Pose operator*(const Pose& a, const Pose& b);

  // Returns the inverse map, p -> R^-1 p - R^-1 t. Each of its twelve numbers
  // is computed exactly for the given R and t, then rounded once; R need not be
  // a rotation. Returns nullopt if R has no inverse, decided exactly, or if R,
  // t or the inverse is not finite. Costs some microseconds.
  std::optional<Pose> Inverse() const;

  bool IsIdentity() const;
  bool IsFinite() const;

  // Returns true if R is a rotation within `tolerance`: each entry of R^T R
  // differs from the identity by at most `tolerance`, and the determinant is
  // positive.
  bool IsRigid(double tolerance = 1e-9) const;

  // Returns R p + t, each coordinate correctly rounded, for finite R, p and t.
  // A coordinate costs about a hundred operations in double. It costs one
  // operation if its row of R is equal to that row of the identity, and more if
  // exact arithmetic has to decide.
  Vec3 Apply(const Vec3& p) const;
  Triangle Apply(const Triangle& t) const;

  friend bool operator==(const Pose&, const Pose&) = default;
};

// Returns Pose{{(1, 0, 0), (0, 1, 0), (0, 0, 1)}, (0, 0, 0)}. See text.h for
// the uses of a text.
ORBOX_EXPORT ShapeText TextOf(const Pose& p);

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_POSE_H_
