// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/signed_distance.h"

#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/guard_memory.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/signed_distance-inl.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

inline absl::StatusOr<UnpairedEdges> UnpairedEdgesOf(
    const ChunkedTree& tree, const QueryOptions& options) {
  const Execution run(options);
  if (absl::Status s = run.Check(); !s.ok()) return s;
  return GuardMemory("for the edges between chunks; build larger ones",
                     [&] { return FindUnpairedEdges(tree, run); });
}

template class LargeSignedDistanceField<ChunkedTree>;

}  // namespace orbox
