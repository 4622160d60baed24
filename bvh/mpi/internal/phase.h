// SPDX-License-Identifier: Apache-2.0

// One step of the work of ranks together. It is local work, with all of its
// allocation, and then an agreement that it succeeded on all ranks. Messages
// are posted only after that, so that no rank waits for one that has failed.
// Private.
//
//   absl::Status all = RunPhase(ranks, "for the answers", [&] {
//     replies.resize(count);            // may throw std::bad_alloc
//     return absl::OkStatus();
//   });
//   if (!all.ok()) return all;          // the same on all ranks
#ifndef ORBOX_BVH_MPI_INTERNAL_PHASE_H_
#define ORBOX_BVH_MPI_INTERNAL_PHASE_H_

#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/progress.h"
#include "orbox/bvh/base/query_cancelled.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"
#include "orbox/bvh/traverse/internal/watch.h"
#include "orbox/bvh/traverse/statistics.h"

namespace orbox {

// Returns a status, or only its code if memory does not suffice for the text.
absl::Status StatusOrCode(absl::StatusCode code, std::string_view text,
                          std::string_view more);

// Calls `work`, which returns a status, and converts exceptions to statuses. A
// rank that left by an exception would let the others wait for ever.
template <typename Work>
absl::Status CatchAll(const char* what, Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return StatusOrCode(absl::StatusCode::kResourceExhausted,
                        "not enough memory ", what);
  } catch (const std::length_error&) {
    return StatusOrCode(absl::StatusCode::kResourceExhausted,
                        "more than a list can hold ", what);
  } catch (const QueryCancelled&) {
    return StatusOrCode(absl::StatusCode::kCancelled, "cancelled", "");
  } catch (const std::exception& e) {
    return StatusOrCode(absl::StatusCode::kUnknown,
                        "an exception was thrown: ", e.what());
  } catch (...) {
    return StatusOrCode(absl::StatusCode::kUnknown, "an exception was thrown ",
                        what);
  }
}

// Returns kCancelled if the caller has cancelled the query.
inline absl::Status CheckCancelled(const DistributedOptions& options) {
  if (options.cancelled == nullptr || !*options.cancelled) {
    return absl::OkStatus();
  }
  return StatusOrCode(absl::StatusCode::kCancelled, "cancelled", "");
}

// Returns the watch of a query's searches on this rank. `progress` reports from
// inside of them; it may be empty, and outlives the watch.
inline Watch WatchOf(const DistributedOptions& options,
                     const std::function<void(double)>& progress,
                     TraversalStatistics* statistics = nullptr) {
  return {statistics, options.cancelled, progress ? &progress : nullptr};
}

// Returns the options of a query that is a part of another one, which reports
// its progress to `whole`.
inline DistributedOptions PartOf(const DistributedOptions& options,
                                 Progress* whole) {
  DistributedOptions part = options;
  if (part.progress) part.progress = Heartbeat(whole);
  return part;
}

// Returns kInvalidArgument for options that are not valid.
inline absl::Status CheckOptions(const DistributedOptions& options) {
  if (options.max_distance >= 0) return absl::OkStatus();
  return StatusOrCode(absl::StatusCode::kInvalidArgument,
                      "max_distance is negative or not a number", "");
}

template <typename Work>
absl::Status RunPhase(Communicator& ranks, const char* what, Work work) {
  return ranks.Agree(CatchAll(what, work));
}

// The counterpart of the InStep of chunks (large/internal/chunk_loop.h).
template <typename Work>
absl::Status InStep(const DistributedTree& tree, const char* what, Work work) {
  return RunPhase(tree.ranks(), what, work);
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_PHASE_H_
