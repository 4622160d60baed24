// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/open_file.h"

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/base/internal/os.h"

namespace orbox {
namespace {

std::string Reason(int error) { return std::generic_category().message(error); }

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) os::Close(fd_);
}

bool Descriptor::Close() { return os::Close(std::exchange(fd_, -1)); }

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

absl::StatusOr<InputFile> InputFile::Open(const std::string& path) {
  // Opened without waiting, because only the mode shows that the file is a
  // pipe.
  auto file = std::make_unique<Descriptor>(
      os::Open(path, os::Access::kReadWithoutWaiting));
  if (file->get() < 0) return CannotRead(path, errno);
  const std::optional<os::FileFacts> facts = os::FactsOf(file->get());
  if (!facts.has_value()) return CannotRead(path, errno);
  if (facts->is_folder) return CannotRead(path, EISDIR);
  if (!facts->is_regular) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is no regular file; copy it to one"));
  }
  return InputFile(path, std::move(file), static_cast<size_t>(facts->size));
}

absl::Status InputFile::ReadAt(size_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ptrdiff_t n = os::ReadAt(file_->get(), offset, out);
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
  const std::byte* const bytes = os::Map(file_->get(), size_, load);
  if (bytes == nullptr) return CannotRead(path_, errno);
  // If the shared pointer cannot be allocated, this also unmaps the file.
  return std::shared_ptr<const std::byte>(
      bytes, [size = size_](const std::byte* p) { os::Unmap(p, size); });
}

bool IsRegularFile(const std::string& path) {
  const std::optional<os::FileFacts> facts = os::FactsOf(path);
  return facts.has_value() && facts->is_regular;
}

uint64_t SizeOfFile(const std::string& path) {
  const std::optional<os::FileFacts> facts = os::FactsOf(path);
  return facts.has_value() && facts->is_regular ? facts->size : 0;
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept = default;
ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept = default;
ScratchFile::~ScratchFile() = default;

absl::StatusOr<ScratchFile> ScratchFile::OpenAs(const std::string& path,
                                                os::Access access) {
  auto file = std::make_unique<Descriptor>(os::Open(path, access));
  if (file->get() < 0) return CannotWrite(path, errno);
  return ScratchFile(path, std::move(file));
}

absl::StatusOr<ScratchFile> ScratchFile::Create(const std::string& path) {
  return OpenAs(path, os::Access::kCreate);
}

absl::StatusOr<ScratchFile> ScratchFile::Open(const std::string& path) {
  return OpenAs(path, os::Access::kReadWrite);
}

absl::StatusOr<ScratchFile> ScratchFile::Unnamed(const std::string& folder) {
  return OpenAs(absl::StrCat(folder, "/scratch"), os::Access::kCreateForNow);
}

absl::Status ScratchFile::WriteAt(uint64_t offset,
                                  std::span<const std::byte> bytes) {
  return os::WriteAt(file_->get(), offset, bytes) ? absl::OkStatus()
                                                  : CannotWrite(path_, errno);
}

absl::Status ScratchFile::ReadAt(uint64_t offset,
                                 std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ptrdiff_t n = os::ReadAt(file_->get(), offset, bytes);
    // All bytes before the end of the written part must exist.
    if (n <= 0) return CannotRead(path_, n < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

absl::Status ScratchFile::Finish() {
  return os::Sync(file_->get()) && file_->Close() ? absl::OkStatus()
                                                  : CannotWrite(path_, errno);
}

}  // namespace orbox
