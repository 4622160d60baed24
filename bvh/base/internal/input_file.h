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

class InputFile {
 public:
  // Errors as CannotRead; kInvalidArgument if it is no regular file (found
  // without waiting for the other end of a pipe).
  static absl::StatusOr<InputFile> Open(const std::string& path);

  // The size when the file was opened.
  size_t size() const { return size_; }

  // Fills `out` with the bytes from `offset` on; kUnavailable if the file ends
  // before.
  absl::Status ReadAt(size_t offset, std::span<std::byte> out) const;

  // All `size()` bytes, mapped for reading while a copy of the pointer lives,
  // which may outlive this object. With `load`, tells the system that all of
  // them will be read soon. Requires a nonempty file.
  absl::StatusOr<std::shared_ptr<const std::byte>> Map(bool load) const;

 private:
  InputFile(std::string path, std::unique_ptr<Descriptor> file, size_t size)
      : path_(std::move(path)), file_(std::move(file)), size_(size) {}

  std::string path_;
  std::unique_ptr<Descriptor> file_;
  size_t size_;
};

// Whether a regular file has this name.
bool IsRegularFile(const std::string& path);
// Its bytes; 0 for what is no regular file, or not there.
ORBOX_EXPORT uint64_t SizeOfFile(const std::string& path);

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_INPUT_FILE_H_
