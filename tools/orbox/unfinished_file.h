// SPDX-License-Identifier: Apache-2.0

// A file under a temporary name beside its place: renamed when it is complete,
// removed otherwise, also if a signal ends the process.
//
//   absl::StatusOr<UnfinishedFile> file = UnfinishedFile::Create("out.json");
//   write(file->descriptor(), ...);
//   absl::Status status = file->Finish();   // out.json is there
#ifndef ORBOX_TOOLS_ORBOX_UNFINISHED_FILE_H_
#define ORBOX_TOOLS_ORBOX_UNFINISHED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace orbox::cli {

class UnfinishedFile {
 public:
  // Follows symbolic links, so that it replaces the file behind them, and keeps
  // that file's permissions. kUnavailable with the system's reason.
  static absl::StatusOr<UnfinishedFile> Create(const std::string& path);

  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile();

  int descriptor() const { return descriptor_; }

  // Syncs, closes and renames it. On an error nothing is left behind.
  absl::Status Finish();

 private:
  UnfinishedFile() = default;

  std::string path_;       // in messages
  std::string target_;     // what Finish renames it to
  std::string temporary_;  // empty once there is nothing to remove
  int descriptor_ = -1;
  int slot_ = -1;  // its place for the signal handler
};

// From now on SIGINT, SIGTERM and SIGHUP remove unfinished files and then end
// the process as they would have done, so that its parent sees the signal. An
// ignored signal stays ignored: nohup works. Call it once, from the thread that
// makes the files; any thread may handle the signal.
void RemoveUnfinishedFilesAtSignals();

// Ends the process by the signal, whatever its disposition.
[[noreturn]] void EndBySignal(int signal);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_UNFINISHED_FILE_H_
