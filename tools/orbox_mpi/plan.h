// SPDX-License-Identifier: Apache-2.0

// orbox-mpi plan: the work of each rank of a job, computed from the tables of
// chunked trees alone. Needs neither MPI nor a job.
#ifndef ORBOX_TOOLS_ORBOX_MPI_PLAN_H_
#define ORBOX_TOOLS_ORBOX_MPI_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orbox/bvh/large/chunk_tasks.h"
#include "tools/orbox/commands/command.h"

namespace orbox::cli {

// The cost of a query of pairs on a number of ranks.
struct RanksPlan {
  uint64_t ranks = 0;
  uint64_t tasks = 0;
  // In units of a triangle (ChunkTask::cost).
  double work = 0;       // of all
  double most_work = 0;  // of one
  // Chunks that a rank maps, and the bytes of their files.
  uint64_t most_chunks = 0;
  uint64_t most_bytes = 0;
  uint64_t mapped_bytes = 0;  // of all ranks together
  uint64_t tree_bytes = 0;    // of each chunk that is queried, once

  // Work of the busiest rank over the mean; 1 is even.
  double balance() const {
    return work > 0 ? most_work * static_cast<double>(ranks) / work : 1;
  }
};

// `b` is null for a mesh and itself. Requires ranks > 0.
RanksPlan PlanOf(const PosedChunkedTree& a, const PosedChunkedTree* b,
                 double distance, size_t ranks);

extern const Command kPlanCommand;

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_MPI_PLAN_H_
