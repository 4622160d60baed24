// SPDX-License-Identifier: Apache-2.0

// One step of what ranks do together: local work, with all of its allocation,
// and then an agreement on whether it went well everywhere. Only after that
// messages are posted, so that no rank waits for one that has failed. Private.
//
//   absl::Status all = RunPhase(ranks, "for the answers", [&] {
//     replies.resize(count);            // may throw std::bad_alloc
//     return absl::OkStatus();
//   });
//   if (!all.ok()) return all;          // the same on all ranks
#ifndef ORBOX_BVH_MPI_INTERNAL_PHASE_H_
#define ORBOX_BVH_MPI_INTERNAL_PHASE_H_

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/mpi/communicator.h"
#include "orbox/bvh/mpi/distributed_tree.h"

namespace orbox {

// A status, or its code alone where memory does not suffice for the text.
absl::Status StatusOrCode(absl::StatusCode code, std::string_view text,
                          std::string_view more);

// Calls `work`, which returns a status, and turns all that it throws into one:
// a rank that left by an exception would let the others wait for ever.
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
  } catch (const std::exception& e) {
    return StatusOrCode(absl::StatusCode::kUnknown,
                        "an exception was thrown: ", e.what());
  } catch (...) {
    return StatusOrCode(absl::StatusCode::kUnknown, "an exception was thrown ",
                        what);
  }
}

// kCancelled where somebody wants the query to end.
inline absl::Status CheckCancelled(const DistributedOptions& options) {
  if (options.cancelled == nullptr || !*options.cancelled) {
    return absl::OkStatus();
  }
  return StatusOrCode(absl::StatusCode::kCancelled, "cancelled", "");
}

// kInvalidArgument for options that nobody can use.
inline absl::Status CheckOptions(const DistributedOptions& options) {
  if (options.max_distance >= 0) return absl::OkStatus();
  return StatusOrCode(absl::StatusCode::kInvalidArgument,
                      "max_distance is negative or not a number", "");
}

template <typename Work>
absl::Status RunPhase(Communicator& ranks, const char* what, Work work) {
  return ranks.Agree(CatchAll(what, work));
}

}  // namespace orbox

#endif  // ORBOX_BVH_MPI_INTERNAL_PHASE_H_
