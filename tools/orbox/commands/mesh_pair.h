// SPDX-License-Identifier: Apache-2.0

// Two meshes and the poses of the first: the operands of `intersect`,
// `clearance` and `hausdorff`.
#ifndef ORBOX_TOOLS_ORBOX_COMMANDS_MESH_PAIR_H_
#define ORBOX_TOOLS_ORBOX_COMMANDS_MESH_PAIR_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "orbox/bvh/tree/tree.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/commands/chunked_target.h"
#include "tools/orbox/commands/poses.h"

namespace orbox::cli {

inline constexpr std::string_view kPairOperands[] = {"A", "B"};

// The two operands, as typed on the command line.
struct PairArguments {
  Poses poses;
  std::string title;  // "A (knot.ply) and B (ring.ply)"
};

template <typename AnyTree>
struct PairOfTrees {
  AnyTree a;
  AnyTree b;
  Poses poses;
  std::string title;
};
using MeshPair = PairOfTrees<Tree>;
using ChunkedPair = PairOfTrees<ChunkedTarget>;

// Reads --pose and --flatten, and names the operands A and B.
absl::StatusOr<PairArguments> ReadPair(const Arguments& arguments);

// Returns the meshes. Returns an error if a pose moves A out of the range of
// models. Requires two trees.
absl::StatusOr<MeshPair> PairOf(const PairArguments& arguments,
                                std::span<const Tree> trees);
ChunkedPair PairOf(const PairArguments& arguments,
                   std::span<const ChunkedTarget> trees);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_COMMANDS_MESH_PAIR_H_
