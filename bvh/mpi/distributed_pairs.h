// SPDX-License-Identifier: Apache-2.0

// Pairs of triangles that overlap, are within a distance, or are closest, in
// trees that ranks share: of two meshes, or of one with itself.
//
//   absl::StatusOr<DistributedTree> plan =
//       DistributedTree::Open(ranks, "plan.orboxd");
//   if (!plan.ok()) return plan.status();
//   auto pairs = AllWithin(*scan, *plan, 0.5);     // this rank's part
//   if (!pairs.ok()) return pairs.status();
//   for (const GlobalPairDistance& p : *pairs) use(p);
//   auto gap = ClosestPair(*scan, PosedDistributedTree{*plan, pose});
//
// The work is a list of pairs of chunks (large/chunk_tasks.h). Every rank
// computes the list, and each does its share of the tasks. Lists of pairs are
// divided by the ids of `a`: each rank gets a slice, ascending, and the slices
// in the order of ranks are the list of large/chunked_pairs.h, to the bit,
// for any number of ranks. Counts, closest pairs and yes or no are equal on all
// ranks. Collective; distributed_tree.h explains this and lists the errors.
// kInvalidArgument also if trees have different communicators.
//
// Costs the tasks, about equally many on each rank; then 16 or 24 bytes per
// pair, once.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_PAIRS_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_PAIRS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/large/chunked_pairs.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/overlap/base/export.h"
#include "orbox/overlap/shapes/pose.h"

namespace orbox {

// A tree at a pose, as PosedTree (posed/posed_tree.h). Queries return
// kInvalidArgument for poses that PosedTree::Create refuses.
struct PosedDistributedTree {
  DistributedTree tree;
  Pose pose;

  // Implicit, so that queries accept a DistributedTree.
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
// Calls `own_visitor` with the pairs that this rank finds, each on one rank, in
// no particular order. A visitor that returns kStop ends the search of all
// ranks soon.
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
// AllWithin with the point of each triangle that is nearest to the other.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalWitness>> AllWitnessesWithin(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    double distance, const DistributedOptions& options = {});
ORBOX_EXPORT absl::Status VisitWithin(const PosedDistributedTree& a,
                                      const PosedDistributedTree& b,
                                      double distance,
                                      GlobalPairDistanceVisitor own_visitor,
                                      const DistributedOptions& options = {});

// Returns the result of ClosestPair of large/chunked_pairs.h, equal on all
// ranks; nothing if the meshes are farther apart than max_distance. Each rank
// queries pairs of chunks, the nearest first, and the ranks regularly share the
// bound.
ORBOX_EXPORT absl::StatusOr<std::optional<GlobalWitness>> ClosestPair(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const DistributedOptions& options = {});

// Queries of a tree with itself.
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
