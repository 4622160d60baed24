// SPDX-License-Identifier: Apache-2.0

// The queries of large/queries.h, for trees that ranks share.
#include "orbox/bvh/large/queries.h"

#include <optional>

#include "orbox/bvh/large/internal/queries-inl.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/rank_answers.h"

namespace orbox {

// Ranks compute it together if a rank needs it and a rank does not have it.
inline absl::StatusOr<bool> DoFacesAgreeIfNeeded(
    const DistributedTree& tree, bool is_needed,
    const DistributedOptions& options) {
  const std::optional<bool> known = tree.chunks().known_agreement();
  uint64_t needs[2] = {is_needed, !known.has_value()};
  absl::Status status = tree.ranks().Max(needs);
  if (!status.ok()) return status;
  if (needs[0] == 0 || needs[1] == 0) return known.value_or(false);
  UnpairedEdges edges;
  status = EdgeExchange(tree, options).Find(&edges);
  if (!status.ok()) return status;
  const bool agree = edges.open + edges.unequal == 0;
  tree.chunks().Remember(agree);
  return agree;
}

ORBOX_INSTANTIATE_QUERIES(DistributedTree)

}  // namespace orbox
