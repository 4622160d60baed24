// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace orbox {
namespace {

std::string Reason(int error) { return std::system_category().message(error); }

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

bool Descriptor::Close() { return close(std::exchange(fd_, -1)) == 0; }

absl::Status CannotRead(const std::string& path, int error) {
  const std::string what =
      absl::StrCat(path, ": cannot be read: ", Reason(error));
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(absl::StrCat(what, "; check the path"));
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(
          absl::StrCat(what, "; check the permissions"));
    case EISDIR:
      return absl::InvalidArgumentError(
          absl::StrCat(what, "; name a file in it"));
    default:
      return absl::UnavailableError(what);
  }
}

absl::Status CannotWrite(const std::string& path, int error) {
  const std::string what =
      absl::StrCat(path, ": cannot be written: ", Reason(error));
  if (error == EISDIR) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, "; name a file in it"));
  }
  return absl::UnavailableError(what);
}

int OpenRetrying(const char* path, int flags, mode_t mode) {
  int fd = 0;
  do {
    fd = open(path, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

}  // namespace orbox
