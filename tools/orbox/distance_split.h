// SPDX-License-Identifier: Apache-2.0

// Splits faces on which the distance from another mesh changes much: of a long
// sliver, one colour would tell little.
//
//   absl::StatusOr<PosedTree> fine =
//       SplitByDistance(a, b, {.end = 0.5, .nearest = of_faces}, options);
#ifndef ORBOX_TOOLS_ORBOX_DISTANCE_SPLIT_H_
#define ORBOX_TOOLS_ORBOX_DISTANCE_SPLIT_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/bvh/traverse/query_options.h"

namespace orbox::cli {

struct SplitOptions {
  // The distance at which colours end: beyond it nothing is split. Edges are
  // split until it changes by no more than a 32nd of that along each.
  double end = 0;
  // The distance of each face, as far as known: those beyond `end` stay whole.
  std::span<const double> nearest = {};
  // So many triangles may be added. The edges with the largest changes are
  // split first.
  size_t most_added = 200'000;
};

// `a` with more vertices, behind its own, which stay as they are, and its
// triangles in parts; neighbours keep their edges in common. `a` itself where
// nothing is split. The options `threads`, `statistics` and `progress` count.
// Errors as Build.
absl::StatusOr<PosedTree> SplitByDistance(const PosedTree& a,
                                          const PosedTree& b,
                                          const SplitOptions& split,
                                          const QueryOptions& options);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_DISTANCE_SPLIT_H_
