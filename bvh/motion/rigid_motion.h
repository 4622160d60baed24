// How a rigid body moves from one pose to another, t from 0 to 1: it turns at
// constant speed about an axis that is carried along a straight line.
//
//   RigidMotion motion = RigidMotion::Between(pose_a, pose_b, center_of_mass);
//   RigidMotion fall{.start = pose, .translation = {0, 0, -9}};
//   absl::StatusOr<MovingTree> body = MovingTree::Create(tree, motion);
//
// What is at p at the start is, exactly,
//   center + t translation + R(t) (p - center)
// at time t, where R(t) is the rotation by t angle radians about axis / |axis|,
// counter-clockwise as seen from its tip; p is start's R v + t for a vertex v,
// without rounding. A screw motion is one whose center is on the screw's axis
// and whose translation goes along it.
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
  Vec3 axis{0, 0, 1};  // of any length but 0
  double angle = 0;    // in radians; more than a turn is legal
  Vec3 center;         // where it is at the start

  // The motion that takes `from` to `to` (to within rounding) by the smallest
  // angle, about what is at `center` in the body's own coordinates. Requires
  // poses with the same uniform scale and finite entries; where `to` is not
  // `from` and a rotation, the motion ends elsewhere.
  static RigidMotion Between(const Pose& from, const Pose& to,
                             const Vec3& center = {});

  // Where it is at time t, rounded: MovingTree::error() says by how much. The
  // last bits of a turn are those of the C library's sine.
  Pose PoseAt(double t) const;
};

// A mesh that moves. Immutable and cheap to copy; thread-safe.
class ORBOX_EXPORT MovingTree {
 public:
  // O(1). kInvalidArgument where the motion holds a value that is not finite or
  // an axis of no length, where `start` stretches some directions more than
  // others, or where the mesh leaves 2^+-500 (its size) or 2^500 (its place).
  static absl::StatusOr<MovingTree> Create(const Tree& tree,
                                           const RigidMotion& motion);

  const Tree& tree() const { return tree_; }
  const RigidMotion& motion() const { return motion_; }

  // The mesh at motion().PoseAt(t); for t from 0 to 1.
  PosedTree At(double t) const;

  // How far any vertex of At(t) is from where it is exactly, at most: a few
  // hundred ulp of the largest coordinate met.
  double error() const { return error_; }

  // The turn as a vector along the axis, and how far from the axis any vertex
  // is, at most: the corners of the mesh's box are no further. Both are at
  // least what they are exactly, in length.
  const Vec3& turn() const { return turn_; }
  double radius() const { return radius_; }

  // The corners of a box around the mesh, before it is moved.
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
