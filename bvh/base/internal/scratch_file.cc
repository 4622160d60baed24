// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/base/internal/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"

namespace orbox {
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
    // The bytes before the end of the written part must exist.
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
