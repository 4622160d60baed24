// SPDX-License-Identifier: Apache-2.0

// A mesh with its vertices moved by a pose, and its tree, for queries of
// points.
//
//   absl::StatusOr<Mesh> mesh = StandingMesh(body.mesh, body.pose);
//   absl::StatusOr<Tree> tree = StandingTree(posed, threads);
#ifndef ORBOX_TOOLS_PICTURE_STANDING_TREE_H_
#define ORBOX_TOOLS_PICTURE_STANDING_TREE_H_

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/mesh.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox::picture {

// Returns the moved mesh; the mesh itself if the pose is the identity.
// kInvalidArgument if a coordinate leaves the range of double.
absl::StatusOr<Mesh> StandingMesh(const Mesh& mesh, const Pose& pose);

// Returns the tree of the moved mesh; the tree itself if it is not moved.
// Errors are those of Build (build.h).
absl::StatusOr<Tree> StandingTree(const PosedTree& posed, int threads);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_STANDING_TREE_H_
