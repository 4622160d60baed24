// SPDX-License-Identifier: Apache-2.0

// A mesh whose vertices are moved by a pose, and its tree, for queries of
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

// Returns the moved mesh, or the given mesh if the pose is the identity.
// Returns kInvalidArgument if a moved coordinate is beyond the range of models
// (overlap/shapes/range.h).
absl::StatusOr<Mesh> StandingMesh(const Mesh& mesh, const Pose& pose);

// Returns a tree of the moved mesh, or the given tree if it is not moved.
// Errors are those of Build (build.h).
absl::StatusOr<Tree> StandingTree(const PosedTree& posed, int threads);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_STANDING_TREE_H_
