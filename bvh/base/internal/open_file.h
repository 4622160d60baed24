// SPDX-License-Identifier: Apache-2.0

// Files that are read or written at any offset; file_io.h has whole files.
// Private.
//
//   absl::StatusOr<InputFile> file = InputFile::Open("part.orbox");
//   absl::Status status = file->ReadAt(offset, buffer);
//
//   absl::StatusOr<ScratchFile> runs = ScratchFile::Unnamed(folder);
//   absl::Status status = runs->WriteAt(offset, bytes);
//
// Interrupting signals and partial transfers are no errors. Any number of
// threads may use one object; for writes, at different offsets.
#ifndef ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_
#define ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// A file descriptor that closes itself.
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

// A regular file, read at any place or mapped.
class ORBOX_EXPORT InputFile {
 public:
  // Errors are those of CannotRead, and kInvalidArgument for a file that is not
  // regular. A pipe is rejected without waiting for its other end.
  static absl::StatusOr<InputFile> Open(const std::string& path);

  // The size when the file was opened.
  size_t size() const { return size_; }

  // Fills `out` with the bytes from `offset` on. kUnavailable if the file ends
  // too early.
  absl::Status ReadAt(size_t offset, std::span<std::byte> out) const;

  // Maps all `size()` bytes for reading. They stay mapped while a copy of the
  // pointer exists, which may outlive this object. With `load`, advises the
  // system that all of them will be read soon. Requires a nonempty file.
  absl::StatusOr<std::shared_ptr<const std::byte>> Map(bool load) const;

 private:
  InputFile(std::string path, std::unique_ptr<Descriptor> file, size_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::string path_;
  std::unique_ptr<Descriptor> file_;
  size_t size_;
};

// Returns true if a regular file has this name.
ORBOX_EXPORT bool IsRegularFile(const std::string& path);
// Returns its size in bytes; 0 if it does not exist or is not a regular file.
ORBOX_EXPORT uint64_t SizeOfFile(const std::string& path);

// A new file. It is kept, or it has no name and disappears when this object is
// destroyed, however the process ends. Errors are those of CannotWrite and
// CannotRead.
class ORBOX_EXPORT ScratchFile {
 public:
  // Fails if the file exists.
  static absl::StatusOr<ScratchFile> Create(const std::string& path);
  // Opens an existing file, possibly created by another process.
  static absl::StatusOr<ScratchFile> Open(const std::string& path);
  static absl::StatusOr<ScratchFile> Unnamed(const std::string& folder);

  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;
  ~ScratchFile();

  absl::Status WriteAt(uint64_t offset, std::span<const std::byte> bytes);
  absl::Status ReadAt(uint64_t offset, std::span<std::byte> bytes) const;

  // Waits until the contents are on the disk, and closes the file.
  absl::Status Finish();

 private:
  ScratchFile(std::string path, std::unique_ptr<Descriptor> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;  // in messages
  std::unique_ptr<Descriptor> file_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_
