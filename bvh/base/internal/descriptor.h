// SPDX-License-Identifier: Apache-2.0

// A file descriptor that closes itself, and the system's errors about files
// converted to statuses.
#ifndef ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_
#define ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"

#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return fd_; }
  // Closes now; false, with errno, if the system reports a late error.
  bool Close();

 private:
  int fd_;
};

// Calls open(2), again if a signal interrupts it.
ORBOX_EXPORT int OpenRetrying(const char* path, int flags, mode_t mode = 0);

// Returns kNotFound, kPermissionDenied, kInvalidArgument for a directory, or
// kUnavailable for other failures.
ORBOX_EXPORT absl::Status CannotRead(const std::string& path, int error);
// Returns kInvalidArgument for a directory, or kUnavailable for other failures.
ORBOX_EXPORT absl::Status CannotWrite(const std::string& path, int error);

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_
