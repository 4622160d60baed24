// SPDX-License-Identifier: Apache-2.0

// Sum of the statistics of all ranks. Private.
#ifndef ORBOX_BVH_MPI_INTERNAL_SHARED_STATISTICS_H_
#define ORBOX_BVH_MPI_INTERNAL_SHARED_STATISTICS_H_

#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Adds this rank's counts to own_statistics, and the sum of all ranks to
// statistics, if the options contain them.
inline absl::Status ShareStatistics(Communicator& ranks,
                                    TraversalStatistics own,
                                    const DistributedOptions& options) {
  // All of its members are counts.
  static_assert(std::is_trivially_copyable_v<TraversalStatistics> &&
                sizeof own % sizeof(uint64_t) == 0);
  if (options.own_statistics != nullptr) *options.own_statistics += own;
  if (options.statistics == nullptr) return absl::OkStatus();
  auto* const counts = reinterpret_cast<uint64_t*>(&own);
  const absl::Status status =
      ranks.Sum(std::span(counts, sizeof own / sizeof(uint64_t)));
  if (status.ok()) *options.statistics += own;
  return status;
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_SHARED_STATISTICS_H_
