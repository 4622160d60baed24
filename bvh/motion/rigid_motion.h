// SPDX-License-Identifier: Apache-2.0

// Motion of a rigid body from one pose to another, for t from 0 to 1. The body
// turns at constant speed about an axis that moves along a straight line.
//
//   RigidMotion motion = RigidMotion::Between(pose_a, pose_b, center_of_mass);
//   RigidMotion fall{.start = pose, .translation = {0, 0, -9}};
//   absl::StatusOr<MovingTree> body = MovingTree::Create(tree, motion);
//
// A point that starts at p is, exactly, at
//   center + t translation + R(t) (p - center)
// at time t. R(t) is the rotation by t angle radians about axis / |axis|,
// counter-clockwise as seen from its tip. For a vertex v, p is R v + t of
// `start`, without rounding. For a screw motion, center is on the axis of the
// screw and translation is along the axis.
#ifndef ORBOX_BVH_MOTION_RIGID_MOTION_H_
#define ORBOX_BVH_MOTION_RIGID_MOTION_H_

#include <array>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct ORBOX_EXPORT RigidMotion {
  Pose start;
  Vec3 translation;
  Vec3 axis{0, 0, 1};  // any length except 0
  double angle = 0;    // in radians; more than a turn is legal
  Vec3 center;         // position at the start

  // Returns the motion that takes `from` to `to`, except for rounding, by the
  // smallest angle. The body turns about the point `center`, given in model
  // space. Requires poses with equal uniform scales and finite entries. If `to`
  // is not `from` followed by a rotation and a translation, the motion ends at
  // another pose than `to`.
  static RigidMotion Between(const Pose& from, const Pose& to,
                             const Vec3& center = {});

  // Returns the rounded pose at time t. MovingTree::error() bounds the
  // rounding. The last bits of a turn depend on the C library's sine.
  Pose PoseAt(double t) const;
};

// A mesh that moves. Immutable and cheap to copy; thread-safe.
class ORBOX_EXPORT MovingTree {
 public:
  // Returns kInvalidArgument in these cases: a value of the motion is not
  // finite, the axis has no length, `start` stretches some directions more than
  // others, the motion turns by more than 2^30, or coordinates reach 2^198,
  // near the end of the range of models (overlap/shapes/range.h). O(1).
  static absl::StatusOr<MovingTree> Create(const Tree& tree,
                                           const RigidMotion& motion);

  const Tree& tree() const { return tree_; }
  const RigidMotion& motion() const { return motion_; }

  // Returns the mesh at motion().PoseAt(t), for t from 0 to 1.
  PosedTree At(double t) const;

  // Upper bound of the distance of a vertex of At(t) from its exact position.
  // It is a few hundred ulp of the largest coordinate that occurs.
  double error() const { return error_; }

  // The rotation as a vector along the axis, and an upper bound of the distance
  // of any vertex from the axis. The bound also holds for the corners of the
  // mesh's box. Both are rounded up in length.
  const Vec3& turn() const { return turn_; }
  double radius() const { return radius_; }

  // Corners of the bounding box of the mesh, before it is moved.
  const std::array<Vec3, 8>& box() const { return box_; }

 private:
  MovingTree(const Tree& tree, const RigidMotion& motion);

  Tree tree_;
  RigidMotion motion_;
  double error_ = 0;
  Vec3 turn_;
  double radius_ = 0;
  std::array<Vec3, 8> box_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MOTION_RIGID_MOTION_H_
