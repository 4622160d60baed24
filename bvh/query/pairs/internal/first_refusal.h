// SPDX-License-Identifier: Apache-2.0

// Status of the first pose of a batch that is not valid. Private.
#ifndef ORBOX_BVH_QUERY_PAIRS_INTERNAL_FIRST_REFUSAL_H_
#define ORBOX_BVH_QUERY_PAIRS_INTERNAL_FIRST_REFUSAL_H_

#include <cstddef>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace orbox {

// Keeps the status of the lowest pose. Calls may come in any order, from any
// thread.
class FirstRefusal {
 public:
  void Note(size_t pose, const absl::Status& status) {
    const std::lock_guard lock(mutex_);
    if (!status_.ok() && pose_ < pose) return;
    pose_ = pose;
    status_ = absl::Status(
        status.code(),
        absl::StrCat("pose ", pose, ": ", std::string(status.message())));
  }

  const absl::Status& status() const { return status_; }

 private:
  std::mutex mutex_;
  size_t pose_ = 0;
  absl::Status status_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_QUERY_PAIRS_INTERNAL_FIRST_REFUSAL_H_
