// SPDX-License-Identifier: Apache-2.0

// Writes the corners and the volumes of a tree, from the leaves up: the last
// step of a build, and all of a refit.
//
//   FillTree(mesh, space, {.volumes = Volumes::kMixed}, nodes, leaves,
//            corners, workers);
//
// Each volume is fitted to the corners of all triangles below it, at any level:
// O(n log n), eight corners at a time. Private.
#ifndef ORBOX_BVH_BUILD_INTERNAL_FILL_H_
#define ORBOX_BVH_BUILD_INTERNAL_FILL_H_

#include <span>

#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/internal/workers.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/tree/node.h"
#include "orbox/bvh/tree/tree.h"

namespace orbox {

struct FillOptions {
  Volumes volumes = Volumes::kMixed;
  bool refine_frames = false;  // takes several times as long
  // Fits a node's boxes to one frame only, that of its normals, and fits balls
  // only if `volumes` prescribes them. Boxes are 1 % larger, and a build takes
  // a tenth less time.
  bool few_candidates = false;
  // Keeps the kinds and frames of nodes, and ignores `volumes`. Takes two
  // thirds of the time.
  bool keep_frames = false;
  Progress* progress = nullptr;  // counts triangles whose leaf is written
};

// Writes the corners (tree.h) and rows of all leaves. Writes the kinds, frames
// and rows of all nodes, including unused lanes. Requires nodes and leaves from
// layout.h, and kLanes `corners` per leaf.
void FillTree(const Mesh& mesh, const TreeSpace& space,
              const FillOptions& options, std::span<Node> nodes,
              std::span<Leaf> leaves, std::span<Triangle> corners,
              const Workers& workers);

}  // namespace orbox

#endif  // ORBOX_BVH_BUILD_INTERNAL_FILL_H_
