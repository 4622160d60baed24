// SPDX-License-Identifier: Apache-2.0

// A new file, written and read at any offset. It is kept, or it has no name and
// disappears when this object is destroyed, however the process ends.
//
//   absl::StatusOr<ScratchFile> runs = ScratchFile::Unnamed(folder);
//   absl::Status status = runs->WriteAt(offset, bytes);
//
// Interrupting signals and partial transfers are no errors. Errors are those of
// CannotWrite and CannotRead (descriptor.h). Any number of threads may use one
// object, at different offsets. Private.
#ifndef ORBOX_BVH_BASE_INTERNAL_SCRATCH_FILE_H_
#define ORBOX_BVH_BASE_INTERNAL_SCRATCH_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/bvh/base/internal/descriptor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

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

#endif  // ORBOX_BVH_BASE_INTERNAL_SCRATCH_FILE_H_
