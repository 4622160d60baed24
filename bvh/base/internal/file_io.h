// SPDX-License-Identifier: Apache-2.0

// Reads and writes whole files.
//
//   absl::StatusOr<FileBytes> file = ReadFileBytes("part.stl");
//   Parse(file->view());
//   absl::Status status = WriteFileWhole("part.ply", bytes);
//
// Interrupting signals and partial transfers are not errors. A message is one
// line with the file, the reason that the system gives, and the remedy.
#ifndef ORBOX_BVH_BASE_INTERNAL_FILE_IO_H_
#define ORBOX_BVH_BASE_INTERNAL_FILE_IO_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

// Like a std::string, but its memory is not initialised before it is filled.
class FileBytes {
 public:
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  friend absl::StatusOr<FileBytes> ReadFileBytes(const std::string& path);
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
};

// `path` "-" is standard input. Errors: kNotFound, kPermissionDenied,
// kInvalidArgument for a directory, kUnavailable for other failures.
ORBOX_EXPORT absl::StatusOr<FileBytes> ReadFileBytes(const std::string& path);

// Writes to a temporary file next to `path`, syncs it, renames it over `path`
// and syncs the directory. So at each moment `path` has all of its old or all
// of its new contents. No temporary file remains. Follows a link; writes to a
// pipe or a device directly. `path` "-" is standard output. Errors:
// kInvalidArgument for a directory, kUnavailable for other failures.
ORBOX_EXPORT absl::Status WriteFileWhole(const std::string& path,
                                         std::string_view bytes);

// WriteFileWhole for contents that are given in several parts, in order.
ORBOX_EXPORT absl::Status WriteFileWhole(
    const std::string& path, std::span<const std::string_view> parts);

}  // namespace orbox

#endif  // ORBOX_BVH_BASE_INTERNAL_FILE_IO_H_
