// SPDX-License-Identifier: Apache-2.0

// A tree and its pose: the argument of queries of one mesh and of two.
//
//   absl::StatusOr<PosedTree> arm = PosedTree::Create(tree, pose);
//   bool clash = AnyOverlap(*arm, wall);            // wall: a plain Tree
//   std::optional<RayHit> hit = ClosestHit(*arm, ray);
//
// The posed mesh has the vertices pose.Apply(vertex): moved in exact arithmetic
// and rounded once (overlap/shapes/pose.h). All results are exact for these
// vertices. Numbers of a pose are in the range of models, like coordinates
// (overlap/shapes/range.h). Immutable and cheap to copy; thread-safe.
#ifndef ORBOX_BVH_POSED_POSED_TREE_H_
#define ORBOX_BVH_POSED_POSED_TREE_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

namespace posed_internal {
struct PosedAccess;
}  // namespace posed_internal

class ORBOX_EXPORT PosedTree {
 public:
  // Poses the tree at the identity. Implicit, so that a Tree can be passed as a
  // PosedTree.
  PosedTree(const Tree& tree) : tree_(tree) {}  // NOLINT

  // Not trees. The comments are part of the compiler's message.
  PosedTree(const Mesh&) = delete;  // NOLINT: call Build(mesh) first
  PosedTree(const Tree&, const Pose&) = delete;  // call PosedTree::Create
  template <typename T>
  PosedTree(const absl::StatusOr<T>&) = delete;  // NOLINT: check ok(), pass *x

  // Poses a tree. O(1), unless the pose stretches some directions at least
  // kMostStretch times as much as others. In that case, a separate tree over
  // the moved mesh is built, O(n log n). With less stretch, building one would
  // take milliseconds (for 50,000 triangles, 5 to refit and 10 to build) and
  // would save only microseconds per query (overlap 2 of 3; distance from far
  // away up to 350 of 550). kInvalidArgument for a pose with a number that is
  // not finite or above 2^200 in magnitude (1.6e60), or that moves a vertex of
  // a triangle beyond this limit. The message says how to scale the model.
  // Numbers of the pose below 2^-200 in magnitude are read as 0, also in
  // pose(). kResourceExhausted if memory runs out.
  static absl::StatusOr<PosedTree> Create(const Tree& tree, const Pose& pose);

  const Tree& tree() const { return tree_; }
  const Pose& pose() const { return pose_; }
  bool is_moved() const { return is_moved_; }

  // If stretch() is 1, the pose's linear part is scale() times a rotation or
  // reflection. The error is at most skew() in each entry of its Gram matrix,
  // divided by scale() squared. Otherwise the pose multiplies lengths by at
  // least scale() and at most scale() * stretch(), and skew() is 0.
  double scale() const { return scale_; }
  double skew() const { return skew_; }
  double stretch() const { return stretch_; }

  static constexpr double kMostStretch = 8;

  // Returns the moved mesh with a separate tree and no pose. It speeds up
  // queries of two trees that are both skewed. The first call builds the tree.
  // Returns this object if stretch() is 1, and if memory runs out.
  const PosedTree& InWorld() const;

  // Returns `detail`, a detail tree of this tree (tree/tree.h), at this pose.
  PosedTree OfDetail(const Tree& detail) const {
    return {detail, pose_, scale_, skew_, stretch_};
  }

  // Returns the moved triangle. Requires id < tree().mesh().triangle_count();
  // otherwise ends the program with a message.
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
  std::shared_ptr<Place> place_;  // null if stretch_ is 1
};

// A tree, or a tree at a pose: the parameter type of queries of one mesh.
// Refers to its argument without a copy, so it must not be stored.
class TreeAtPose {
 public:
  // Implicit conversions are intended: queries take trees directly.
  TreeAtPose(const Tree& tree) : tree_(tree) {}  // NOLINT
  TreeAtPose(const PosedTree& posed)             // NOLINT
      : tree_(posed.tree()), moved_(posed.is_moved() ? &posed : nullptr) {}
  // Not trees. The comments are part of the compiler's message.
  TreeAtPose(const Mesh&) = delete;  // NOLINT: call Build(mesh) first
  template <typename T>
  TreeAtPose(const absl::StatusOr<T>&) = delete;  // NOLINT: check ok(), pass *x

  const Tree& tree() const { return tree_; }
  // Returns null if the tree is not moved.
  const PosedTree* moved() const { return moved_; }

  // Moves a triangle of the tree's mesh.
  Triangle Move(const Triangle& t) const {
    return moved_ == nullptr ? t : moved_->pose().Apply(t);
  }
  // Returns the moved triangle. Requires id < tree().mesh().triangle_count();
  // otherwise ends the program with a message.
  Triangle triangle(uint32_t id) const {
    return Move(tree_.mesh().triangle(id));
  }

  // Returns `call` for a detail tree of this tree (tree/tree.h), at this pose.
  template <typename Call>
  auto AtDetail(const Tree& detail, Call call) const {
    if (moved_ == nullptr) return call(TreeAtPose(detail));
    const PosedTree posed = moved_->OfDetail(detail);
    return call(TreeAtPose(posed));
  }

 private:
  const Tree& tree_;
  const PosedTree* moved_ = nullptr;
};

}  // namespace orbox

#endif  // ORBOX_BVH_POSED_POSED_TREE_H_
