// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"

namespace orbox {

absl::StatusOr<InputFile> InputFile::Open(const std::string& path) {
  // Opened without waiting, because only the mode reveals a pipe.
  auto file = std::make_unique<Descriptor>(
      OpenRetrying(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (file->get() < 0) return CannotRead(path, errno);
  struct stat info {};
  if (fstat(file->get(), &info) != 0) return CannotRead(path, errno);
  if (S_ISDIR(info.st_mode)) return CannotRead(path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is no regular file; copy it to one"));
  }
  return InputFile(path, std::move(file), static_cast<size_t>(info.st_size));
}

absl::Status InputFile::ReadAt(size_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t n =
        pread(file_->get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return CannotRead(path_, errno);
    if (n == 0) {
      return absl::UnavailableError(
          absl::StrCat(path_, ": ends at byte ", offset, ", and had ", size_,
                       " bytes when it was opened; do not write to a file "
                       "that is being read"));
    }
    out = out.subspan(static_cast<size_t>(n));
    offset += static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const std::byte>> InputFile::Map(
    bool load) const {
  void* const memory =
      mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_->get(), /*offset=*/0);
  if (memory == MAP_FAILED) return CannotRead(path_, errno);
  // Only reads the pages from the disk. Threads that read a page map it,
  // several at a time.
  if (load) posix_madvise(memory, size_, POSIX_MADV_WILLNEED);
  const size_t size = size_;
  // If there is no memory for the pointer, this also unmaps.
  return std::shared_ptr<const std::byte>(
      static_cast<const std::byte*>(memory),
      [size](const std::byte* p) { munmap(const_cast<std::byte*>(p), size); });
}

bool IsRegularFile(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

uint64_t SizeOfFile(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  return static_cast<uint64_t>(info.st_size);
}

}  // namespace orbox
