// SPDX-License-Identifier: Apache-2.0

// Files that are read or written at any offset. For whole files, see file_io.h.
// Private.
//
//   absl::StatusOr<InputFile> file = InputFile::Open("part.orbox");
//   absl::Status status = file->ReadAt(offset, buffer);
//
//   absl::StatusOr<ScratchFile> runs = ScratchFile::Unnamed(folder);
//   absl::Status status = runs->WriteAt(offset, bytes);
//
// Interrupting signals and partial transfers are not errors. Any number of
// threads may use one object. Concurrent writes must be at different offsets.
#ifndef ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_
#define ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/os.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// A file descriptor that is closed by its destructor.
class ORBOX_EXPORT Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int get() const { return fd_; }
  // Closes the file. Returns false, with the reason in errno, if the system
  // reports a late error.
  bool Close();

 private:
  int fd_;
};

// Returns kNotFound, kPermissionDenied, kInvalidArgument for a directory, or
// kUnavailable for other failures.
ORBOX_EXPORT absl::Status CannotRead(const std::string& path, int error);
// Returns kInvalidArgument for a directory, or kUnavailable for other failures.
ORBOX_EXPORT absl::Status CannotWrite(const std::string& path, int error);

// A regular file that is read at any offset, or mapped.
class ORBOX_EXPORT InputFile {
 public:
  // Opens a file. Errors are those of CannotRead, and kInvalidArgument for a
  // file that is not regular. A pipe is rejected without waiting for a writer.
  static absl::StatusOr<InputFile> Open(const std::string& path);

  // Returns the size that the file had when it was opened.
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
// Returns the size of the file in bytes; 0 if it does not exist or is not a
// regular file.
ORBOX_EXPORT uint64_t SizeOfFile(const std::string& path);

// A new file. Either it has a name and is kept, or it has no name and is
// deleted with this object, even if the process is killed. Errors are those of
// CannotWrite and CannotRead.
class ORBOX_EXPORT ScratchFile {
 public:
  // Creates a file with a name. Fails if the file exists.
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
  static absl::StatusOr<ScratchFile> OpenAs(const std::string& path,
                                            os::Access access);
  ScratchFile(std::string path, std::unique_ptr<Descriptor> file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;  // for messages
  std::unique_ptr<Descriptor> file_;
};

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_OPEN_FILE_H_
