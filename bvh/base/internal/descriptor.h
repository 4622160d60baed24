// SPDX-License-Identifier: Apache-2.0

// A file descriptor that closes itself, and the system's errors about files as
// statuses.
#ifndef ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_
#define ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_

#include <sys/types.h>

#include <string>

#include "absl/status/status.h"

namespace orbox {

class Descriptor {
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

// open(2), repeated if a signal interrupts it.
int OpenRetrying(const char* path, int flags, mode_t mode = 0);

// kNotFound, kPermissionDenied, kInvalidArgument for a directory, kUnavailable
// for other failures.
absl::Status CannotRead(const std::string& path, int error);
// kInvalidArgument for a directory, kUnavailable for other failures.
absl::Status CannotWrite(const std::string& path, int error);

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_DESCRIPTOR_H_
