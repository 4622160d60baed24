// SPDX-License-Identifier: Apache-2.0

// Hausdorff distance of trees that ranks share, and the deviations of their
// triangles.
//
//   absl::StatusOr<GlobalHausdorffResult> h =
//       HausdorffDistance(*scan, *model, {.tolerance = 0.01});
//   if (!h.ok()) return h.status();
//   if (h->upper < 0.1) ...                  // the same on all ranks
//
// Results are those of large/chunked_hausdorff.h, to the bit, for any number
// of ranks; distances are equal on all ranks. Collective; distributed_tree.h
// explains this and lists the errors, to which those of hausdorff.h are added.
//
// Each rank measures the corners of its chunks of A, and a share of each round
// of halves of triangles. A round takes some ten exchanges; there are about 100
// rounds before they have 256 triangles each. `memory` is also for the
// triangles that edges and corners do not decide: 350 bytes each. If B is
// moved, each rank reads all of its chunks once.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/large/global_ids.h"
#include "orbox/bvh/large/pairs.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/deviation/hausdorff.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// The distance from A to B.
ORBOX_EXPORT absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffLimits& limits = {}, const DistributedOptions& options = {});

// The distances both ways.
ORBOX_EXPORT absl::StatusOr<GlobalSymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedDistributedTree& a,
                           const PosedDistributedTree& b,
                           const HausdorffLimits& limits = {},
                           const DistributedOptions& options = {});

// Returns the deviation of each triangle of A. Each rank gets a slice of the
// list, by ascending ids; the slices in the order of ranks are the whole list.
// Each rank computes the deviations of its chunks of A, and maps the chunks of
// B that may be near. Three times the results, 32 bytes each, have to fit into
// `memory`. Counts in the statistics.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalDeviation>> DeviationField(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffLimits& limits = {}, const DistributedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_
