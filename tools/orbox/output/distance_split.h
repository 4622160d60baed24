// SPDX-License-Identifier: Apache-2.0

// Splits faces on which the distance from another mesh varies, because a single
// colour would not show this.
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
  // Distance at which colours end. Faces beyond it are not split. Edges are
  // split until the distance along each edge changes by at most a 32nd of
  // `end`.
  double end = 0;
  // Known distance of each face. Faces beyond `end` are not split.
  std::span<const double> nearest = {};
  // Maximum number of additional triangles. Edges with the largest changes are
  // split first.
  size_t most_added = 200'000;
};

// Returns `a` with its triangles split. New vertices come after the original
// ones, which do not change. Neighbouring triangles keep common edges. Returns
// `a` if nothing is split. Uses the options `threads`, `statistics` and
// `progress`. Errors are those of Build.
absl::StatusOr<PosedTree> SplitByDistance(const PosedTree& a,
                                          const PosedTree& b,
                                          const SplitOptions& split,
                                          const QueryOptions& options);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_DISTANCE_SPLIT_H_
