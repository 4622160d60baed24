// SPDX-License-Identifier: Apache-2.0

// The relation of large/mesh_relation.h, for trees that ranks share.
#include "orbox/bvh/large/mesh_relation.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunk_tasks.h"
#include "orbox/bvh/large/internal/mesh_relation-inl.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/mpi/internal/edge_exchange.h"
#include "orbox/bvh/mpi/internal/fingerprint.h"
#include "orbox/bvh/mpi/internal/phase.h"

namespace orbox {

// Functions that mesh_relation-inl.h calls.

inline absl::Status CheckSides(const PairSides<DistributedTree>& sides,
                               const DistributedOptions& options) {
  Communicator& ranks = sides.a->tree.ranks();
  Fingerprint of("RelationOfApartMeshes");
  for (const PosedDistributedTree* side : {sides.a, sides.b}) {
    of.Add(side->tree.chunks()).Add(side->pose);
  }
  const absl::Status status =
      ranks.AgreeOn(of.Add(options).value(), "the arguments");
  if (!status.ok()) return status;
  return RunPhase(ranks, kNoMemoryForRelation, [&] {
    return &sides.b->tree.ranks() == &ranks
               ? CheckOptions(options)
               : absl::InvalidArgumentError(
                     "the trees have different communicators");
  });
}
inline absl::StatusOr<PosedChunkedTree> PosedChunks(
    const PosedDistributedTree& side) {
  return PosedChunkedTree::Create(side.tree.chunks(), side.pose);
}
inline const DistributedTree& TargetAt(const PosedDistributedTree& side) {
  return side.tree;
}
inline absl::StatusOr<DistributedTree> MovedTarget(
    const PosedDistributedTree& side) {
  // Optional, because even an empty tree takes memory.
  std::optional<ChunkedTree> moved;
  const absl::Status status =
      RunPhase(side.tree.ranks(), kNoMemoryForRelation, [&] {
        absl::StatusOr<ChunkedTree> own = side.tree.chunks().MovedBy(side.pose);
        if (own.ok()) moved.emplace(*std::move(own));
        return own.status();
      });
  if (!status.ok()) return status;
  return DistributedTree::Replicate(side.tree.ranks(), *moved);
}
inline std::pair<size_t, size_t> OwnedOf(const DistributedTree& tree) {
  return tree.owned();
}
inline absl::Status AnyOfAll(const DistributedTree& tree, SharedFlags& flags) {
  return tree.ranks().Max(flags);
}

template absl::StatusOr<MeshRelation> RelationOfApartSides(
    const PairSides<DistributedTree>&, const DistributedOptions&);

}  // namespace orbox
