// SPDX-License-Identifier: Apache-2.0

// The tree of a mesh whose shape changes from frame to frame. It is refitted in
// place, and rebuilt when a rebuild saves more time than it costs.
//
//   absl::StatusOr<DeformingTree> cloth = DeformingTree::Create(mesh);
//   for (...) {
//     absl::Status s = cloth->Move(vertices);      // all of them, each frame
//     AllSelfWithin(cloth->tree(), 0.01);        // any query of a tree
//   }
//
// Each tree is an ordinary Tree: its queries are exact for the vertices of the
// last Move. A move keeps the grouping of triangles, and the kinds and frames
// of volumes. When the expected cost of queries is most_growth times that of
// the tree that was built, kinds and frames are chosen again. If the cost is
// still too high, the tree is rebuilt.
//
// Memory: two trees, used in turns. A move overwrites the tree before the
// current one. If a copy of that tree still exists, the move allocates new
// memory. A move must not run at the same time as another move or as a read of
// tree(). Threads may read copies of the tree at any time.
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
  // Options of the first tree and of rebuilds. Compact trees cannot be refitted
  // in place: kInvalidArgument.
  BuildOptions build = {};

  // The factor by which growth() may rise, at least 1. A build takes as long as
  // about ten moves. So queries that are up to a third slower for some frames
  // cost less than a build.
  double most_growth = 1.3;
};

class ORBOX_EXPORT DeformingTree {
 public:
  // Builds the first tree. Errors are those of Build, and kInvalidArgument for
  // bad options.
  static absl::StatusOr<DeformingTree> Create(
      const Mesh& mesh, const DeformingOptions& options = {});

  // Moves all vertices of the mesh. kInvalidArgument unless `vertices` has as
  // many vertices as the mesh, with coordinates that are finite and at most
  // 2^200 in magnitude (overlap/shapes/range.h). Coordinates below 2^-200 are
  // read as 0. kResourceExhausted if memory runs out. After an error, tree and
  // mesh are unchanged. O(n log n), where the logarithm is the depth of the
  // tree.
  absl::Status Move(std::span<const Vec3> vertices);

  // Returns the tree over the mesh of the last move. The next move changes it.
  const Tree& tree() const { return tree_; }

  // Returns the growth of the expected cost of queries since the tree was
  // built. The cost is the volume of all nodes divided by the volume of the
  // triangles, each dilated by a ball of a hundredth of the mesh's size. So it
  // does not grow with the triangles themselves.
  double growth() const { return cost_ / built_cost_; }

  // Number of moves that chose kinds and frames again, and number of rebuilds.
  // All other moves kept kinds and frames.
  size_t frame_choices() const { return frame_choices_; }
  size_t builds() const { return builds_; }

 private:
  struct Room;

  DeformingTree(Tree tree, const DeformingOptions& options);

  // Returns memory for the next tree: that of the tree before last, or new
  // memory.
  std::shared_ptr<Room> FreeRoom();
  // Fills `room`, which contains the nodes of tree_, for the moved mesh.
  Tree Refitted(const Mesh& mesh, std::shared_ptr<Room> room,
                bool keep_frames) const;
  void Accept(Tree tree, std::shared_ptr<Room> room, double cost);

  DeformingOptions options_;
  Tree tree_;
  std::array<std::shared_ptr<Room>, 2> rooms_;  // of tree_ and its predecessor
  double built_cost_;
  double cost_;
  size_t frame_choices_ = 0;
  size_t builds_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_DEFORMING_TREE_H_
