// SPDX-License-Identifier: Apache-2.0

// Is a mesh that ranks share closed, and do its triangles agree on a front?
// FindUnpairedEdges (chunked/internal/chunk_edges.h), by all ranks: each looks
// at the chunks that it owns, and edges that those leave open meet at the rank
// that their ends are hashed to. Private.
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
#include "orbox/bvh/chunked/internal/chunk_edges.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/byte_join.h"
#include "orbox/bvh/mpi/internal/mail.h"

namespace orbox {

class EdgeExchange {
 public:
  EdgeExchange(const DistributedTree& tree, const DistributedOptions& options)
      : tree_(tree), ranks_(tree.ranks()), options_(options) {}

  // Collective; the same on all ranks.
  absl::Status Find(UnpairedEdges* edges);

 private:
  // The edges of this rank's chunks, to those that they are hashed to.
  absl::Status Send();
  // What has come, paired up.
  absl::Status Receive();
  // The lowest id at the edges of all ranks, some edges at a time.
  absl::Status FindFirst(uint64_t* first);

  const DistributedTree& tree_;
  Communicator& ranks_;
  const DistributedOptions& options_;
  std::optional<Mail> mail_;
  std::vector<EdgeBalance> edges_;
  ByteJoin join_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_EDGE_EXCHANGE_H_
