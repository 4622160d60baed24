// SPDX-License-Identifier: Apache-2.0

// A tree and where it stands: what mesh-against-mesh queries take.
//
//   absl::StatusOr<PosedTree> arm = PosedTree::Create(tree, pose);
//   bool clash = AnyOverlap(*arm, wall);            // wall: a plain Tree
//
// The posed mesh is the one whose vertices are pose.Apply(vertex): moved in
// exact arithmetic and rounded once (overlap/shapes/pose.h). All answers are
// exact for those vertices. Numbers of a pose are in the range of models, as
// coordinates are (overlap/shapes/range.h). Immutable and cheap to copy;
// thread-safe.
#ifndef ORBOX_BVH_POSED_POSED_TREE_H_
#define ORBOX_BVH_POSED_POSED_TREE_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

namespace posed_internal {
struct PosedAccess;
}  // namespace posed_internal

class ORBOX_EXPORT PosedTree {
 public:
  // The tree as it stands. Implicit, so that a Tree serves where a PosedTree is
  // asked for.
  PosedTree(const Tree& tree) : tree_(tree) {}  // NOLINT

  // O(1), but where the pose stretches some directions kMostStretch times as
  // much as others, or more: then the moved mesh is given a tree of its own,
  // O(n log n). A skewed tree is as it is because one of its own takes
  // milliseconds (of 50,000 triangles 5 if refitted, 10 if built) and saves a
  // query microseconds (overlap 2 of 3; distance from afar up to 350 of 550).
  // kInvalidArgument for a pose with a number that is not finite or above 2^200
  // in size (1.6e60), or that moves a vertex of a triangle as far; the error
  // says how to scale the model. Numbers of the pose below 2^-200 in size are
  // read as 0, also in pose(). kResourceExhausted.
  static absl::StatusOr<PosedTree> Create(const Tree& tree, const Pose& pose);

  const Tree& tree() const { return tree_; }
  const Pose& pose() const { return pose_; }
  bool is_moved() const { return is_moved_; }

  // Where stretch() is 1, the pose's linear part is scale() times a rotation or
  // reflection, but for an error of skew() in each entry of its Gram matrix
  // (over scale() squared). Otherwise it makes lengths at least scale() times
  // as large, and at most scale() * stretch() times; skew() is 0.
  double scale() const { return scale_; }
  double skew() const { return skew_; }
  double stretch() const { return stretch_; }

  static constexpr double kMostStretch = 8;

  // The same mesh where it stands, for queries of two trees that are both
  // skewed, which pay for it: a tree built when it is first asked for. This one
  // where stretch() is 1, and where memory does not suffice.
  const PosedTree& InPlace() const;

  // The same place of a part of the tree (tree/tree.h).
  PosedTree OfPart(const Tree& part) const {
    return {part, pose_, scale_, skew_, stretch_};
  }

  // The moved triangle. Requires id < tree().mesh().triangle_count(); otherwise
  // ends the program with a message.
  Triangle triangle(uint32_t id) const {
    const Triangle t = tree_.mesh().triangle(id);
    return is_moved_ ? pose_.Apply(t) : t;
  }

 private:
  friend struct posed_internal::PosedAccess;

  PosedTree(const Tree& tree, const Pose& pose, double scale, double skew,
            double stretch)
      : tree_(tree),
        pose_(pose),
        is_moved_(!pose.IsIdentity()),
        scale_(scale),
        skew_(skew),
        stretch_(stretch) {}

  struct Place;

  Tree tree_;
  Pose pose_;
  bool is_moved_ = false;
  double scale_ = 1;
  double skew_ = 0;
  double stretch_ = 1;
  std::shared_ptr<Place> place_;  // where stretch_ is not 1
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_POSED_TREE_H_
