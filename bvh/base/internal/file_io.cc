// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/file_io.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "orbox/bvh/base/internal/open_file.h"
#include "orbox/bvh/base/internal/os.h"

namespace orbox {
namespace {

bool WriteAll(int fd, std::span<const std::string_view> parts) {
  return std::all_of(parts.begin(), parts.end(), [fd](std::string_view part) {
    return os::Write(fd, part);
  });
}

// Performs all steps up to the rename. Returns false on failure, with the
// reason in errno.
bool FillAndRename(Descriptor& file, std::span<const std::string_view> parts,
                   const std::string& temporary, const std::string& path) {
  return WriteAll(file.get(), parts) && os::Sync(file.get()) && file.Close() &&
         os::Rename(temporary, path);
}

absl::Status WriteInPlace(const std::string& path,
                          std::span<const std::string_view> parts) {
  Descriptor file(os::Open(path, os::Access::kWrite));
  if (file.get() < 0 || !WriteAll(file.get(), parts) || !file.Close()) {
    return CannotWrite(path, errno);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileBytes> ReadFileBytes(const std::string& path) {
  const bool is_stdin = path == "-";
  Descriptor file(is_stdin ? os::Duplicate(os::kStandardInput)
                           : os::Open(path, os::Access::kRead));
  const std::string name = is_stdin ? "standard input" : path;
  if (file.get() < 0) return CannotRead(name, errno);
  const std::optional<os::FileFacts> facts = os::FactsOf(file.get());
  if (!facts.has_value()) return CannotRead(name, errno);
  if (facts->is_folder) return CannotRead(name, EISDIR);

  // The size is only a hint: pipes have none, and files grow. One extra byte
  // detects the end without growing the buffer.
  size_t capacity = std::max<size_t>(
      facts->is_regular ? static_cast<size_t>(facts->size) + 1 : 0,
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
    const ptrdiff_t n = os::Read(
        file.get(), {bytes.data_.get() + bytes.size_, capacity - bytes.size_});
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
    return WriteAll(os::kStandardOutput, parts)
               ? absl::OkStatus()
               : CannotWrite("standard output", errno);
  }
  const std::optional<os::FileFacts> old = os::FactsOf(path);
  if (old.has_value() && old->is_folder) return CannotWrite(path, EISDIR);
  if (old.has_value() && !old->is_regular) return WriteInPlace(path, parts);

  const std::string target = os::FollowLinks(path);
  // A file that is replaced keeps its permissions.
  const int permissions =
      old.has_value() ? old->permissions : os::kUsualPermissions;
  std::string temporary;
  Descriptor file(os::CreateBeside(target, permissions, temporary));
  if (file.get() < 0) return CannotWrite(path, errno);
  if ((old.has_value() && !os::SetPermissions(file.get(), permissions)) ||
      !FillAndRename(file, parts, temporary, target)) {
    const int error = errno;
    file.Close();
    os::Remove(temporary.c_str());
    return CannotWrite(path, error);
  }
  os::SyncFolder(os::FolderOf(target));
  return absl::OkStatus();
}

}  // namespace orbox
