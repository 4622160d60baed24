// SPDX-License-Identifier: Apache-2.0

// A few volumes that contain a mesh. They give a bounding box of the mesh at
// any pose, in constant time. Private.
//
//   const MeshOutline outline(tree);            // once per tree
//   Aabb box = outline.BoundsAt(posed);         // of that tree
//
// The volumes are those of the upper nodes of the tree; the node with the
// largest volume is expanded first. For a mesh with few vertices, the volumes
// are its vertices. Immutable; thread-safe.
#ifndef ORBOX_BVH_SCENE_INTERNAL_MESH_OUTLINE_H_
#define ORBOX_BVH_SCENE_INTERNAL_MESH_OUTLINE_H_

#include <vector>

#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/shapes.h"
#include "orbox/overlap/shapes/vec3.h"

namespace orbox {

class MeshOutline {
 public:
  // Keeps a copy of the tree.
  explicit MeshOutline(const Tree& tree);

  // Returns a finite bounding box of the moved vertices, rounded outward. The
  // box is exact if the pose is a translation. Otherwise it also contains the
  // empty regions of the volumes. Requires PosedTree::Create(tree, pose) of
  // this outline's tree. Takes about a microsecond.
  Aabb BoundsAt(const PosedTree& posed) const;

 private:
  // A box in model space, or a ball if the half axes are zero. A point is a
  // ball of radius 0.
  struct Volume {
    Vec3 center;
    Vec3 half_axes[3];
    double radius = 0;
    double size = 0;
  };

  bool AddVertices();  // returns false if there are too many
  void AddVolumes();
  static Volume VolumeOf(const TreeSpace& space, const Node& node, int lane);

  Tree tree_;
  std::vector<Volume> volumes_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_SCENE_INTERNAL_MESH_OUTLINE_H_
