// SPDX-License-Identifier: Apache-2.0

// Queries of one mesh, which --pose may move: `range`, `nearest` and `ray`.
//
//   class RangeQuery : public OneMeshQuery { ... RunOn(TreeAtPose, ...) ... };
//   absl::StatusOr<Poses> pose = ReadMeshPose(arguments);
//   return std::make_unique<RangeQuery>(*std::move(pose), ...);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_

#include <span>
#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/tree/tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/poses.h"
#include "tools/orbox/commands/query.h"
#include "tools/orbox/commands/query_context.h"

namespace orbox::cli {

inline constexpr Option kMeshPoseOption = {
    "--pose", "P",
    "moves the mesh before the query: the 12 numbers of [R | t], row by row, "
    "or 16 with a last row of 0,0,0,1, separated by commas or spaces; or @FILE "
    "with one such row"};

inline constexpr Option kMeshFlattenOption = {
    "--flatten", "",
    "accept a pose that flattens the mesh to a plane, a line or a point"};

// Reads --pose and --flatten: one pose, or the identity.
absl::StatusOr<Poses> ReadMeshPose(const Arguments& arguments);

class OneMeshQuery : public Query {
 public:
  // Requires one pose.
  explicit OneMeshQuery(Poses pose) : pose_(std::move(pose)) {}

  absl::StatusOr<Answered> Run(std::span<const Tree> trees,
                               const QueryContext& context) final;
  // A usage error if a pose is given: chunks are queried where they are.
  absl::StatusOr<Answered> RunOnChunks(std::span<const ChunkedTarget> trees,
                                       const QueryContext& context) final;

 protected:
  virtual absl::StatusOr<Answered> RunOn(TreeAtPose tree,
                                         const QueryContext& context) = 0;
  virtual absl::StatusOr<Answered> RunOn(const ChunkedTarget& tree,
                                         const QueryContext& context) = 0;

  // The pose that JSON repeats; null if none is given.
  const Pose* given_pose() const {
    return pose_.is_given ? &pose_.poses[0] : nullptr;
  }

 private:
  const Poses pose_;
};

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_ONE_MESH_QUERY_H_
