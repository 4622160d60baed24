// SPDX-License-Identifier: Apache-2.0

// Triangles, of a tree that ranks share, that balls hit on their way along
// segments.
//
//   auto hits = ClosestHit(*scan, balls);       // of this rank's own balls
//   if (!hits.ok()) return hits.status();
//
// Results are those of large/chunked_sweep_hit.h, to the bit, for any number
// of ranks. Each rank passes its own balls, some or none. Collective;
// distributed_tree.h explains this and lists the errors.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_SWEEP_HIT_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_SWEEP_HIT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/lists.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/triangles/swept_sphere.h"

namespace orbox {

ORBOX_EXPORT absl::StatusOr<std::vector<uint8_t>> AnyHit(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<uint64_t>> CountHits(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<std::optional<GlobalSweepHit>>>
ClosestHit(const DistributedTree& tree, std::span<const SweptSphere> own_balls,
           const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<Lists<GlobalSweepHit>> AllHits(
    const DistributedTree& tree, std::span<const SweptSphere> own_balls,
    const DistributedOptions& options = {});

// For lists that would be too large: calls `own_visitor` on the rank that owns
// the triangles. Its arguments are the rank of the query, the index of the ball
// on that rank, and the hit. In no particular order.
using SweepVisitor =
    absl::FunctionRef<void(int rank, uint64_t ball, const GlobalSweepHit& hit)>;
ORBOX_EXPORT absl::Status VisitHits(const DistributedTree& tree,
                                    std::span<const SweptSphere> own_balls,
                                    SweepVisitor own_visitor,
                                    const DistributedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_SWEEP_HIT_H_
