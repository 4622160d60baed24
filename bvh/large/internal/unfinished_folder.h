// SPDX-License-Identifier: Apache-2.0

// A folder under a temporary name next to its final path: renamed when it is
// complete, removed otherwise. Private.
//
//   absl::StatusOr<UnfinishedFolder> folder =
//       UnfinishedFolder::Create("scan.orboxd", IsChunkedTreeAt);
//   ... write into folder->path() ...
//   absl::Status status = folder->Finish();   // scan.orboxd is there
//
// A folder that was at the path before stays until Finish replaces it in one
// step (in two, if the file system has no such step).
#ifndef ORBOX_BVH_LARGE_INTERNAL_UNFINISHED_FOLDER_H_
#define ORBOX_BVH_LARGE_INTERNAL_UNFINISHED_FOLDER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT UnfinishedFolder {
 public:
  // kInvalidArgument if `may_replace` refuses what is at `path`; other errors
  // are those of CannotWrite.
  static absl::StatusOr<UnfinishedFolder> Create(
      const std::string& path,
      absl::FunctionRef<bool(const std::string& path)> may_replace);

  UnfinishedFolder(UnfinishedFolder&& other) noexcept;
  UnfinishedFolder& operator=(UnfinishedFolder&&) = delete;
  ~UnfinishedFolder();

  // The folder to write into. Its name begins with that of the final path, and
  // ends with ".unfinished".
  const std::string& path() const { return temporary_; }

  // Requires that all files are on the disk.
  absl::Status Finish();

 private:
  UnfinishedFolder() = default;

  std::string target_;
  std::string temporary_;  // empty once there is nothing to remove
};

}  // namespace orbox

#endif  // ORBOX_BVH_LARGE_INTERNAL_UNFINISHED_FOLDER_H_
