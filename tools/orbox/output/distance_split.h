// SPDX-License-Identifier: Apache-2.0

// Splits faces on which the distance from another mesh changes much. A single
// colour would say little about a long sliver.
//
//   absl::StatusOr<PosedTree> fine =
//       SplitByDistance(a, b, {.end = 0.5, .nearest = of_faces}, options);
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_SPLIT_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_SPLIT_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox::cli {

struct SplitOptions {
  // The distance at which colours end. Nothing beyond it is split. Edges are
  // split until the distance changes along each by no more than a 32nd of
  // `end`.
  double end = 0;
  // The known distance of each face. Faces beyond `end` are not split.
  std::span<const double> nearest = {};
  // Largest number of additional triangles. The edges with the largest changes
  // are split first.
  size_t most_added = 200'000;
};

// Returns `a` with additional vertices after its own, which do not change, and
// with its triangles in parts. Neighbours keep their common edges. Returns `a`
// if nothing is split. Uses the options `threads`, `statistics` and `progress`.
// Errors are those of Build.
absl::StatusOr<PosedTree> SplitByDistance(const PosedTree& a,
                                          const PosedTree& b,
                                          const SplitOptions& split,
                                          const QueryOptions& options);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_SPLIT_H_
