// A pose: the affine map p -> R p + t that moves a mesh at query time.
//
//   Pose pose = Pose::Translation({0, 0, 2});
//   Vec3 moved = pose.Apply(vertex);
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

#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

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
};

}  // namespace orbox

#endif  // ORBOX_OVERLAP_SHAPES_POSE_H_
