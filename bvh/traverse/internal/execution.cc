// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/traverse/internal/execution.h"

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/query_cancelled.h"

namespace orbox {

absl::Status Execution::Check() const {
  if (absl::Status s = CheckDistance("max_distance", max_distance_); !s.ok()) {
    return s;
  }
  if (threads_ < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("threads is ", threads_,
                     "; give 0 for all cores, or a number of threads"));
  }
  return absl::OkStatus();
}

absl::Status Execution::Cancelled() {
  return absl::CancelledError(QueryCancelled().what());
}

}  // namespace orbox
