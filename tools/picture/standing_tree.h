// SPDX-License-Identifier: Apache-2.0

// A mesh where its pose puts it, and its tree, for questions about points.
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

// The mesh itself where nothing is moved. kInvalidArgument beyond the range of
// double.
absl::StatusOr<Mesh> StandingMesh(const Mesh& mesh, const Pose& pose);

// The tree itself where nothing is moved. Errors as Build (build.h).
absl::StatusOr<Tree> StandingTree(const PosedTree& posed, int threads);

}  // namespace orbox::picture

#endif  // ORBOX_TOOLS_PICTURE_STANDING_TREE_H_
