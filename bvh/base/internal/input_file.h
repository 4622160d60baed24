// SPDX-License-Identifier: Apache-2.0

// A regular file, read at any place or mapped.
//
//   absl::StatusOr<InputFile> file = InputFile::Open("part.orbox");
//   absl::Status status = file->ReadAt(offset, buffer);
//
// Interrupting signals and partial reads are no errors. Any number of threads
// may read from one object.
#ifndef ORBOX_BVH_BASE_INTERNAL_INPUT_FILE_H_
#define ORBOX_BVH_BASE_INTERNAL_INPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/descriptor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

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

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_INPUT_FILE_H_
