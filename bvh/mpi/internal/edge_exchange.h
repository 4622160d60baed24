// SPDX-License-Identifier: Apache-2.0

// Edges at which a mesh that ranks share is open or its triangles disagree on a
// front. FindUnpairedEdges (large/internal/chunk_edges.h), by all ranks: each
// rank reads the chunks that it owns, and sends edges that are unpaired in them
// to the rank given by a hash of their ends. Private.
//
//   UnpairedEdges edges;
//   absl::Status all = EdgeExchange(tree, options).Find(&edges);
#ifndef ORBOX_BVH_MPI_INTERNAL_EDGE_EXCHANGE_H_
#define ORBOX_BVH_MPI_INTERNAL_EDGE_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_tree.h"
#include "orbox/bvh/large/internal/chunk_edges.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/mail.h"

namespace orbox {

class EdgeExchange {
 public:
  EdgeExchange(const DistributedTree& tree, const DistributedOptions& options)
      : tree_(tree), ranks_(tree.ranks()), options_(options) {}

  // Finds the edges. Collective; the result is equal on all ranks.
  absl::Status Find(UnpairedEdges* edges);

 private:
  // Sends the unpaired edges of this rank's chunks.
  absl::Status Send();
  // Receives edges and pairs them.
  absl::Status Receive();
  // Finds the lowest id at the edges of all ranks, some edges at a time.
  absl::Status FindFirst(uint64_t* first);

  const DistributedTree& tree_;
  Communicator& ranks_;
  const DistributedOptions& options_;
  std::optional<Mail> mail_;
  std::vector<EdgeBalance> edges_;
  ByteJoin join_;
};

// The counterparts of these functions for chunks
// (large/internal/chunk_edges.h). Collective; the results are equal on all
// ranks.
absl::StatusOr<UnpairedEdges> UnpairedEdgesOf(
    const DistributedTree& tree, const DistributedOptions& options);
absl::StatusOr<ChunkedTree::Faces> FacesOf(const DistributedTree& tree,
                                           const DistributedOptions& options);

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_EDGE_EXCHANGE_H_
