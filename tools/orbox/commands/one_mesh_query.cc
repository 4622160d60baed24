// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/commands/one_mesh_query.h"

#include "tools/orbox/base/exit_code.h"

namespace orbox::cli {

absl::StatusOr<Poses> ReadMeshPose(const Arguments& arguments) {
  return ReadOnePose(arguments, "the mesh", "the mesh has");
}

absl::StatusOr<Answered> OneMeshQuery::Run(std::span<const Tree> trees,
                                           const QueryContext& context) {
  const absl::StatusOr<PosedTree> posed = AtOnePose(pose_, trees[0]);
  if (!posed.ok()) return posed.status();
  return RunOn(*posed, context);
}

absl::StatusOr<Answered> OneMeshQuery::RunOnChunks(
    std::span<const ChunkedTarget> trees, const QueryContext& context) {
  if (pose_.is_given) {
    return UsageError(
        "--pose is not for a chunked tree; give a mesh or a tree file");
  }
  return RunOn(trees[0], context);
}

}  // namespace orbox::cli
