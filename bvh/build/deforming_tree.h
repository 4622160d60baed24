// SPDX-License-Identifier: Apache-2.0

// The tree of a mesh that changes its shape from frame to frame: refitted in
// place, and rebuilt when that pays.
//
//   absl::StatusOr<DeformingTree> cloth = DeformingTree::Create(mesh);
//   for (...) {
//     absl::Status s = cloth->Move(vertices);      // all of them, each frame
//     AllSelfWithin(cloth->tree(), 0.01);        // any query of a tree
//   }
//
// Each tree is an ordinary Tree: its queries are exact for the vertices of the
// last Move. A move keeps the grouping of triangles, and the kinds and the
// frames of volumes. When queries are expected to visit most_growth times as
// many nodes as in the tree that was built, kinds and frames are chosen anew.
// If that does not suffice, the tree is rebuilt.
//
// Memory: two trees, used in turns. A move overwrites the tree before last,
// unless somebody keeps a copy of it, which costs an allocation. Moves come one
// at a time, and not while another thread reads tree(); threads may read copies
// of it at any time.
#ifndef ORBOX_BVH_BUILD_DEFORMING_TREE_H_
#define ORBOX_BVH_BUILD_DEFORMING_TREE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/build/build.h"
#include "orbox/bvh/mesh/array.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

struct DeformingOptions {
  // For the first tree and for rebuilds. Compact trees cannot be refitted in
  // place: kInvalidArgument.
  BuildOptions build;

  // The factor by which growth() may rise, at least 1. A build takes as long as
  // some ten moves, so a tree that is a third worse for a while costs less.
  double most_growth = 1.3;
};

class ORBOX_EXPORT DeformingTree {
 public:
  // Errors of Build, and bad options (kInvalidArgument).
  static absl::StatusOr<DeformingTree> Create(
      const Mesh& mesh, const DeformingOptions& options = {});

  // Moves all vertices of the mesh. kInvalidArgument unless there are as many
  // as in the mesh and all are finite; kResourceExhausted. After an error
  // nothing has changed. O(n log n), where the logarithm is the depth of the
  // tree.
  absl::Status Move(std::span<const Vec3> vertices);

  // The tree over the mesh of the last move; the next move changes it.
  const Tree& tree() const { return tree_; }

  // The growth of the cost of queries since the tree was built, apart from that
  // of the triangles themselves: the volumes of all nodes over those of the
  // triangles, each dilated by a ball of a hundredth of the mesh's size.
  double growth() const { return cost_ / built_cost_; }

  // How many moves chose frames anew, or rebuilt; the others kept kinds and
  // frames.
  size_t frame_choices() const { return frame_choices_; }
  size_t builds() const { return builds_; }

 private:
  struct Room;

  DeformingTree(Tree tree, const DeformingOptions& options);

  // Memory for the next tree: the tree before last's, or new.
  std::shared_ptr<Room> FreeRoom();
  // Fills `room`, which holds the nodes of tree_, for the moved mesh.
  Tree Refitted(const Mesh& mesh, std::shared_ptr<Room> room,
                bool keep_frames) const;
  void Accept(Tree tree, std::shared_ptr<Room> room, double cost);

  DeformingOptions options_;
  Tree tree_;
  std::array<std::shared_ptr<Room>, 2> rooms_;  // tree_'s, and the one before
  double built_cost_;
  double cost_;
  size_t frame_choices_ = 0;
  size_t builds_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_DEFORMING_TREE_H_
