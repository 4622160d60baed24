// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/mpi/distributed_tree.h"

#include <optional>

#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

std::pair<size_t, size_t> OwnedChunks(size_t chunks, int ranks, int r) {
  const auto begin = [chunks, ranks](int rank) {
    return chunks * static_cast<size_t>(rank) / static_cast<size_t>(ranks);
  };
  return {begin(r), begin(r + 1)};
}

// Returns the lowest rank whose run ends after the chunk.
int DistributedTree::owner(size_t chunk) const {
  const auto ranks = static_cast<size_t>(ranks_->size());
  return static_cast<int>(((chunk + 1) * ranks - 1) / chunks_.table().size());
}

absl::StatusOr<DistributedTree> DistributedTree::Open(
    Communicator& ranks, const std::string& path,
    const OpenChunkedOptions& options) {
  std::optional<ChunkedTree> tree;
  const absl::Status status = RunPhase(ranks, "for the table of chunks", [&] {
    absl::StatusOr<ChunkedTree> opened = ChunkedTree::Open(path, options);
    if (opened.ok()) tree.emplace(*std::move(opened));
    return opened.status();
  });
  if (!status.ok()) return status;
  return Replicate(ranks, *tree);
}

absl::StatusOr<DistributedTree> DistributedTree::Replicate(
    Communicator& ranks, const ChunkedTree& tree) {
  const absl::Status status = ranks.AgreeOn(
      Fingerprint("tree").Add(tree).value(), "the table of chunks");
  if (!status.ok()) return status;
  return DistributedTree(ranks, tree);
}

}  // namespace orbox
