// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/open_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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

absl::StatusOr<InputFile> InputFile::Open(const std::string& path) {
  // Opened without waiting, because only the mode shows that the file is a
  // pipe.
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
  // This reads the pages from the disk, but does not map them. Threads map
  // pages when they access them, several at a time.
  if (load) posix_madvise(memory, size_, POSIX_MADV_WILLNEED);
  const size_t size = size_;
  // If the shared pointer cannot be allocated, this also unmaps the file.
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

namespace {

constexpr mode_t kModeOfScratch = 0666;  // narrowed by the umask

}  // namespace

ScratchFile::ScratchFile(ScratchFile&& other) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept = default;
ScratchFile::~ScratchFile() = default;

absl::StatusOr<ScratchFile> ScratchFile::Create(const std::string& path) {
  auto file = std::make_unique<Descriptor>(
      OpenRetrying(path.c_str(), O_RDWR | O_CREAT | O_EXCL, kModeOfScratch));
  if (file->get() < 0) return CannotWrite(path, errno);
  return ScratchFile(path, std::move(file));
}

absl::StatusOr<ScratchFile> ScratchFile::Open(const std::string& path) {
  auto file = std::make_unique<Descriptor>(OpenRetrying(path.c_str(), O_RDWR));
  if (file->get() < 0) return CannotWrite(path, errno);
  return ScratchFile(path, std::move(file));
}

absl::StatusOr<ScratchFile> ScratchFile::Unnamed(const std::string& folder) {
  const std::string path = absl::StrCat(folder, "/scratch");
  absl::StatusOr<ScratchFile> file = Create(path);
  if (file.ok()) unlink(path.c_str());
  return file;
}

absl::Status ScratchFile::WriteAt(uint64_t offset,
                                  std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = pwrite(file_->get(), bytes.data(), bytes.size(),
                             static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return CannotWrite(path_, errno);
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

absl::Status ScratchFile::ReadAt(uint64_t offset,
                                 std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = pread(file_->get(), bytes.data(), bytes.size(),
                            static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    // All bytes before the end of the written part must exist.
    if (n <= 0) return CannotRead(path_, n < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

absl::Status ScratchFile::Finish() {
  int result = 0;
  do {
    result = fsync(file_->get());
  } while (result != 0 && errno == EINTR);
  if (result != 0 || !file_->Close()) return CannotWrite(path_, errno);
  return absl::OkStatus();
}

}  // namespace orbox
