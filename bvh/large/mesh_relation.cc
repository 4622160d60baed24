// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/large/mesh_relation.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/large/internal/chunk_loop.h"
#include "orbox/bvh/large/internal/mesh_relation-inl.h"
#include "orbox/bvh/traverse/internal/execution.h"

namespace orbox {

// Functions that mesh_relation-inl.h calls.

inline absl::Status CheckSides(const PairSides<ChunkedTree>&,
                               const QueryOptions& options) {
  return Execution(options).Check();
}
inline absl::StatusOr<PosedChunkedTree> PosedChunks(
    const PosedChunkedTree& side) {
  return side;
}
inline const ChunkedTree& TargetAt(const PosedChunkedTree& side) {
  return side.tree();
}
inline absl::StatusOr<ChunkedTree> MovedTarget(const PosedChunkedTree& side) {
  return side.tree().MovedBy(side.pose());
}
inline std::pair<size_t, size_t> OwnedOf(const ChunkedTree& tree) {
  return {0, tree.table().size()};
}
inline absl::Status AnyOfAll(const ChunkedTree&, const SharedFlags&) {
  return absl::OkStatus();
}

template absl::StatusOr<MeshRelation> RelationOfApartSides(
    const PairSides<ChunkedTree>&, const QueryOptions&);

}  // namespace orbox
