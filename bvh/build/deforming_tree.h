// A mesh that changes its shape from frame to frame, and its tree: refitted in
// place, and built anew when that has become worth it.
//
//   absl::StatusOr<DeformingTree> cloth = DeformingTree::Create(mesh);
//   for (...) {
//     absl::Status s = cloth->Move(vertices);      // all of them, each frame
//     SelfPairsWithin(cloth->tree(), 0.01);        // any query of a tree
//   }
//
// Each tree is a Tree like any other: its queries are exact for the vertices
// that were given last. A move keeps the parting of triangles, the kinds and
// the frames of volumes; when queries are expected to visit most_growth times
// as many nodes as when the tree was built, kinds and frames are chosen anew,
// and if that does not do, a tree is built.
//
// Memory is that of two trees, used in turns: the tree before last is
// overwritten, unless somebody has kept a copy of it, which stays as it is at
// the price of an allocation. Moves are explicit steps: one at a time, and none
// while another thread reads tree(); copies of it may be read at any time.
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
  // Of the first tree and of those built later. Compact trees cannot be
  // refitted in place: kInvalidArgument.
  BuildOptions build;

  // By which factor growth() may rise; at least 1. A build takes as
  // long as some ten moves, so a tree that is a third worse for a while is the
  // lesser evil.
  double most_growth = 1.3;
};

class ORBOX_EXPORT DeformingTree {
 public:
  // Errors of Build, and bad options (kInvalidArgument).
  static absl::StatusOr<DeformingTree> Create(
      const Mesh& mesh, const DeformingOptions& options = {});

  // Gives the mesh these vertices. kInvalidArgument unless there are as many as
  // the mesh has and all are finite; kResourceExhausted. After an error all is
  // as before. O(n log n), of which the logarithm is the tree's depth.
  absl::Status Move(std::span<const Vec3> vertices);

  // Over the mesh as it was moved last; changes with the next move.
  const Tree& tree() const { return tree_; }

  // What queries are expected to cost beyond the triangles themselves, over
  // what that was when the tree was built: the volumes of all nodes over those
  // of the triangles, each dilated by a ball of a hundredth of the mesh's size.
  double growth() const { return cost_ / built_cost_; }

  // What the moves so far have come to; the others kept kinds and frames.
  size_t frame_choices() const { return frame_choices_; }
  size_t builds() const { return builds_; }

 private:
  struct Room;

  DeformingTree(Tree tree, const DeformingOptions& options);

  // The tree before last's room, or one of its own.
  std::shared_ptr<Room> FreeRoom();
  // Fills the room, which holds tree_'s nodes, for the moved mesh.
  Tree Refitted(const Mesh& mesh, std::shared_ptr<Room> room,
                bool keep_frames) const;
  void Accept(Tree tree, std::shared_ptr<Room> room, double cost);

  DeformingOptions options_;
  Tree tree_;
  Array<TriangleIndices> triangles_;  // kept by the mesh that was given
  std::array<std::shared_ptr<Room>, 2> rooms_;  // tree_'s, and the one before
  double built_cost_;
  double cost_;
  size_t frame_choices_ = 0;
  size_t builds_ = 0;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_DEFORMING_TREE_H_
