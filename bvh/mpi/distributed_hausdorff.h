// SPDX-License-Identifier: Apache-2.0

// The Hausdorff distance of trees that ranks share, and the deviations of their
// triangles.
//
//   absl::StatusOr<GlobalHausdorffResult> h =
//       HausdorffDistance(*scan, *model, {.tolerance = 0.01});
//   if (!h.ok()) return h.status();
//   if (h->upper < 0.1) ...                  // the same on all ranks
//
// Answers are those of chunked/chunked_hausdorff.h, to the bit, for any number
// of ranks; distances are the same on all. `goal` has the tolerances and
// max_parts; its other members have no effect. Collective; distributed_tree.h
// says what that means, and which errors there are: those of hausdorff.h, too.
//
// Each rank measures the corners of its chunks of A, and a part of each round
// of halves of triangles: some ten exchanges a round, of which there are about
// 100 before rounds have 256 triangles each. `memory` is for what edges and
// corners do not settle, too: 350 bytes a triangle. Where B is moved, each rank
// looks once at all of its chunks.
#ifndef ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_
#define ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/chunked/global_ids.h"
#include "orbox/bvh/mpi/distributed_pairs.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/query/hausdorff.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// From A to B.
ORBOX_EXPORT absl::StatusOr<GlobalHausdorffResult> HausdorffDistance(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffOptions& goal = {}, const DistributedOptions& options = {});

// Both ways.
ORBOX_EXPORT absl::StatusOr<GlobalSymmetricHausdorffResult>
SymmetricHausdorffDistance(const PosedDistributedTree& a,
                           const PosedDistributedTree& b,
                           const HausdorffOptions& goal = {},
                           const DistributedOptions& options = {});

// The deviation of each triangle of A: each rank gets a part, by ascending ids,
// and the parts in the order of ranks are the list of all. Each rank finds
// those of its chunks of A, and maps the chunks of B that concern it. Three
// times the answers, 32 bytes each, have to fit into `memory`. Counts what it
// does.
ORBOX_EXPORT absl::StatusOr<std::vector<GlobalDeviation>> DeviationField(
    const PosedDistributedTree& a, const PosedDistributedTree& b,
    const HausdorffOptions& goal = {}, const DistributedOptions& options = {});

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_DISTRIBUTED_HAUSDORFF_H_
