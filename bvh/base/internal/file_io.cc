// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/file_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/open_file.h"

namespace orbox {
namespace {

// Returns false on failure, with the reason in errno.
bool WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool SyncRetrying(int fd) {
  int result = 0;
  do {
    result = fsync(fd);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// Returns the path with all links followed, if this is possible.
std::string FollowLinks(const std::string& path) {
  std::error_code error;
  const std::filesystem::path followed =
      std::filesystem::canonical(path, error);
  return error ? path : followed.string();
}

// Creates a file in the folder of `path`. Returns its descriptor, or -1 with
// the reason in errno.
int CreateBeside(const std::string& path, mode_t mode, std::string& name) {
  static std::atomic<unsigned> counter{0};
  // The name can exist only if an earlier process with the same id left it.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = absl::StrCat(path, ".", getpid(), "-", counter++, ".tmp");
    const int fd =
        OpenRetrying(name.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

bool WriteAll(int fd, std::span<const std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [fd](std::string_view part) {
    return WriteAll(fd, part);
  });
}

// Performs all steps up to the rename. Returns false on failure, with the
// reason in errno.
bool FillAndRename(Descriptor& file, std::span<const std::string_view> parts,
                   const std::string& temporary, const std::string& path) {
  return WriteAll(file.get(), parts) && SyncRetrying(file.get()) &&
         file.Close() && std::rename(temporary.c_str(), path.c_str()) == 0;
}

absl::Status WriteInPlace(const std::string& path,
                          std::span<const std::string_view> parts) {
  Descriptor file(OpenRetrying(path.c_str(), O_WRONLY));
  if (file.get() < 0 || !WriteAll(file.get(), parts) || !file.Close()) {
    return CannotWrite(path, errno);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileBytes> ReadFileBytes(const std::string& path) {
  const bool is_stdin = path == "-";
  Descriptor file(is_stdin ? dup(STDIN_FILENO)
                           : OpenRetrying(path.c_str(), O_RDONLY));
  const std::string name = is_stdin ? "standard input" : path;
  if (file.get() < 0) return CannotRead(name, errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return CannotRead(name, errno);
  if (S_ISDIR(info.st_mode)) return CannotRead(name, EISDIR);

  // The size is only a hint: pipes have none, and files grow. One extra byte
  // detects the end without growing the buffer.
  size_t capacity = std::max<size_t>(
      S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) + 1 : 0,
      size_t{1} << 16);
  FileBytes bytes;
  bytes.data_.reset(new char[capacity]);
  while (true) {
    if (bytes.size_ == capacity) {
      std::unique_ptr<char[]> larger(new char[2 * capacity]);
      std::memcpy(larger.get(), bytes.data_.get(), bytes.size_);
      bytes.data_ = std::move(larger);
      capacity *= 2;
    }
    const ssize_t n = read(file.get(), bytes.data_.get() + bytes.size_,
                           capacity - bytes.size_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return CannotRead(name, errno);
    if (n == 0) return bytes;
    bytes.size_ += static_cast<size_t>(n);
  }
}

absl::Status WriteFileWhole(const std::string& path, std::string_view bytes) {
  return WriteFileWhole(path, std::span(&bytes, 1));
}

absl::Status WriteFileWhole(const std::string& path,
                            std::span<const std::string_view> parts) {
  if (path == "-") {
    return WriteAll(STDOUT_FILENO, parts)
               ? absl::OkStatus()
               : CannotWrite("standard output", errno);
  }
  struct stat info {};
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return CannotWrite(path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) return WriteInPlace(path, parts);

  const std::string target = FollowLinks(path);
  // The umask restricts the mode of a new file. A file that is replaced keeps
  // its mode.
  constexpr mode_t kNewFile = 0666;
  constexpr mode_t kPermissions = 0777;
  const mode_t mode = exists ? (info.st_mode & kPermissions) : kNewFile;
  std::string temporary;
  Descriptor file(CreateBeside(target, mode, temporary));
  if (file.get() < 0) return CannotWrite(path, errno);
  if ((exists && fchmod(file.get(), mode) != 0) ||
      !FillAndRename(file, parts, temporary, target)) {
    const int error = errno;
    unlink(temporary.c_str());
    return CannotWrite(path, error);
  }

  // The rename is durable only after the directory is synced. Some file systems
  // cannot sync a directory. The contents are already safe at this point.
  const std::filesystem::path parent =
      std::filesystem::path(target).parent_path();
  const Descriptor folder(OpenRetrying(parent.empty() ? "." : parent.c_str(),
                                       O_RDONLY | O_DIRECTORY));
  if (folder.get() >= 0) SyncRetrying(folder.get());
  return absl::OkStatus();
}

}  // namespace orbox
