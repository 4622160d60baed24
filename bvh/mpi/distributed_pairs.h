// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles of trees that ranks share: which overlap, which are within
// a distance, which are closest; of two meshes, or of one and itself.
//
//   absl::StatusOr<DistributedTree> plan =
//       DistributedTree::Open(ranks, "plan.orboxd");
//   if (!plan.ok()) return plan.status();
//   auto pairs = AllWithin(*scan, *plan, 0.5);     // this rank's part
//   if (!pairs.ok()) return pairs.status();
//   for (const GlobalPairDistance& p : *pairs) use(p);
//   auto gap = ClosestPair(*scan, PosedDistributedTree{*plan, pose});
//
// The work is a list of pairs of chunks (chunked/chunk_tasks.h), which every
// rank computes, and of which each does its part. Lists of pairs are divided by
// the ids of `a`: each rank gets a part, ascending, and the parts in the order
// of ranks are the list of chunked/chunked_pairs.h, to the bit, for any number
// of ranks. Counts, closest pairs and yes or no are the same on all ranks.
// Collective; distributed_tree.h says what that means, and which errors there
// are. kInvalidArgument also where trees have different communicators.
//
// Costs the tasks, about as much on each rank; then 16 or 24 bytes a pair,
// once.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_PAIRS_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/chunked_pairs.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// A tree and where it stands, as PosedTree (posed/posed_tree.h). Poses that
// PosedTree::Create refuses are kInvalidArgument of the query.
struct PosedDistributedTree {
  DistributedTree tree;
  Pose pose;

  // Implicit, so that a DistributedTree serves.
  PosedDistributedTree(const DistributedTree& of,  // NOLINT
                       const Pose& at = {})
      : tree(of), pose(at) {}
};

ORBOX_EXPORT absl::StatusOr<bool> AnyOverlap(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountOverlaps(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> AllOverlaps(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options = {});
// Calls `own_visitor` with the pairs that this rank finds, each once on one
// rank, in no particular order. A visitor that returns kStop ends the search of
// all ranks soon.
ORBOX_EXPORT absl::Status VisitOverlaps(const PosedDistributedTree& a,
                                        const PosedDistributedTree& b,
                                        GlobalPairVisitor own_visitor,
                                        const DistributedOptions& options = {});

ORBOX_EXPORT absl::StatusOr<bool> AnyWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> AllWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options = {});
// The same with the point of each triangle that is nearest to the other.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options = {});
ORBOX_EXPORT absl::Status VisitWithin(const PosedDistributedTree& a,
                                      const PosedDistributedTree& b,
                                      double distance,
                                      GlobalPairDistanceVisitor own_visitor,
                                      const DistributedOptions& options = {});

// As ClosestPair of chunked/chunked_pairs.h: the same pair on all ranks,
// nothing where the meshes are farther apart than max_distance. Each rank asks
// pairs of chunks, the nearest first, and they agree on the bound now and then.
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options = {});

// A tree and itself.
ORBOX_EXPORT absl::StatusOr<bool> AnySelfOverlap(
    const DistributedTree& tree, const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountSelfOverlaps(
    const DistributedTree& tree, const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPair>> AllSelfOverlaps(
    const DistributedTree& tree, const DistributedOptions& options = {});
ORBOX_EXPORT absl::Status VisitSelfOverlaps(
    const DistributedTree& tree, GlobalPairVisitor own_visitor,
    const DistributedOptions& options = {});

ORBOX_EXPORT absl::StatusOr<bool> AnySelfWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<uint64_t> CountSelfWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalPairDistance>> AllSelfWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllSelfWitnessesWithin(
    const DistributedTree& tree, double distance,
    const DistributedOptions& options = {});
ORBOX_EXPORT absl::Status VisitSelfWithin(
    const DistributedTree& tree, double distance,
    GlobalPairDistanceVisitor own_visitor,
    const DistributedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_PAIRS_H_
