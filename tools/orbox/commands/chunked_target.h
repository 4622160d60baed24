// SPDX-License-Identifier: Apache-2.0

// A chunked tree and the ChunkExecutor that runs its queries. Query commands
// accept it in place of a Tree.
//
//   ChunkedTarget scan{chunked_tree, executor};
//   absl::StatusOr<Lists<GlobalRayHit>> hits =
//       Compute(kAllHits, scan, rays, options);
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_

#include <utility>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/overlap/shapes/pose.h"
#include "tools/orbox/commands/chunk_executor.h"

namespace orbox::cli {

struct ChunkedTarget {
  ChunkedTree tree;
  ChunkExecutor* executor;
};

// A ChunkedTarget at a pose; see PosedChunkedTree.
struct PosedChunkedTarget {
  PosedChunkedTree tree;
  ChunkExecutor* executor;

  PosedChunkedTarget(const ChunkedTarget& of)  // NOLINT
      : tree(of.tree), executor(of.executor) {}
  PosedChunkedTarget(PosedChunkedTree posed, ChunkExecutor* by)
      : tree(std::move(posed)), executor(by) {}

  static absl::StatusOr<PosedChunkedTarget> Create(const ChunkedTarget& of,
                                                   const Pose& pose) {
    absl::StatusOr<PosedChunkedTree> posed =
        PosedChunkedTree::Create(of.tree, pose);
    if (!posed.ok()) return posed.status();
    return PosedChunkedTarget(*std::move(posed), of.executor);
  }
};

// Runs a function of chunk_executor.h on one target or on two, or the function
// of that name on trees in memory.
template <typename Function, typename... Arguments>
auto Compute(const Function& function, const ChunkedTarget& tree,
             const Arguments&... arguments) {
  return tree.executor->Run(function, tree.tree, arguments...);
}
template <typename Function, typename... Arguments>
auto Compute(const Function& function, const PosedChunkedTarget& a,
             const PosedChunkedTarget& b, const Arguments&... arguments) {
  return a.executor->Run(function, a.tree, b.tree, arguments...);
}
template <typename Function, typename AnyTree, typename... Arguments>
auto Compute(const Function& function, const AnyTree& tree,
             const Arguments&... arguments) {
  return function(tree, arguments...);
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_CHUNKED_TARGET_H_
