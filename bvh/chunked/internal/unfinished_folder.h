// SPDX-License-Identifier: Apache-2.0

// A folder under a temporary name beside its place: renamed when it is
// complete, removed otherwise. Private.
//
//   absl::StatusOr<UnfinishedFolder> folder =
//       UnfinishedFolder::Create("scan.orboxd", IsChunkedTreeAt);
//   ... write into folder->path() ...
//   absl::Status status = folder->Finish();   // scan.orboxd is there
//
// What was there before stays until Finish replaces it in one step (in two,
// where the file system has no such step).
#ifndef ORBOX_BVH_CHUNKED_INTERNAL_UNFINISHED_FOLDER_H_
#define ORBOX_BVH_CHUNKED_INTERNAL_UNFINISHED_FOLDER_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "orbox/overlap/base/export.h"

namespace orbox {

class ORBOX_EXPORT UnfinishedFolder {
 public:
  // kInvalidArgument where something is at `path` that `may_replace` refuses;
  // otherwise as CannotWrite.
  static absl::StatusOr<UnfinishedFolder> Create(
      const std::string& path,
      absl::FunctionRef<bool(const std::string& path)> may_replace);

  UnfinishedFolder(UnfinishedFolder&& other) noexcept;
  UnfinishedFolder& operator=(UnfinishedFolder&&) = delete;
  ~UnfinishedFolder();

  // Where to write. Its name begins with that of the place, and ends with
  // ".unfinished".
  const std::string& path() const { return temporary_; }

  // Requires that all files are on the disk.
  absl::Status Finish();

 private:
  UnfinishedFolder() = default;

  std::string target_;
  std::string temporary_;  // empty once there is nothing to remove
};

}  // namespace orbox

#endif  // ORBOX_BVH_CHUNKED_INTERNAL_UNFINISHED_FOLDER_H_
