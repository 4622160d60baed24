// SPDX-License-Identifier: Apache-2.0

// A file with a temporary name next to its target. It is renamed when it is
// complete. Otherwise it is removed, also if a signal ends the process.
//
//   absl::StatusOr<UnfinishedFile> file = UnfinishedFile::Create("out.json");
//   os::Write(file->descriptor(), text);
//   absl::Status status = file->Finish();   // out.json exists
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace orbox::cli {

class UnfinishedFile {
 public:
  // Creates the file. If `path` is a symbolic link, the file that it points to
  // is replaced, and its permissions are kept. Errors are kUnavailable, with
  // the system's reason.
  static absl::StatusOr<UnfinishedFile> Create(const std::string& path);

  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile();

  int descriptor() const { return descriptor_; }

  // Syncs, closes and renames the file. After an error, no file remains.
  absl::Status Finish();

 private:
  UnfinishedFile() = default;

  std::string path_;       // for messages
  std::string target_;     // the final name
  std::string temporary_;  // empty if there is no file to remove
  int descriptor_ = -1;
  int slot_ = -1;  // index for the signal handler
};

// Makes signals and events of the console that end the process remove
// unfinished files (os::CleanBeforeEnd). Call it once, from the thread that
// creates the files.
void RemoveUnfinishedFilesAtEnd();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_
