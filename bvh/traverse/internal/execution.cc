// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/execution.h"

#include "absl/strings/str_cat.h"

namespace orbox {

absl::Status Execution::Check() const {
  if (finds_nothing()) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_distance is ", max_distance_,
                     "; give a distance of 0 or more, or infinity"));
  }
  if (threads_ < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("threads is ", threads_,
                     "; give 0 for all cores, or a number of threads"));
  }
  return absl::OkStatus();
}

absl::Status Execution::Cancelled() {
  return absl::CancelledError("the query was cancelled by its caller");
}

}  // namespace orbox
