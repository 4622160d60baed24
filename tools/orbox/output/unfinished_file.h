// SPDX-License-Identifier: Apache-2.0

// A file with a temporary name next to its target. It is renamed when it is
// complete. Otherwise it is removed, also if a signal ends the process.
//
//   absl::StatusOr<UnfinishedFile> file = UnfinishedFile::Create("out.json");
//   write(file->descriptor(), ...);
//   absl::Status status = file->Finish();   // out.json exists
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace orbox::cli {

// Returns the file that is written if a path is written: absolute, through
// symbolic links, even if the last one points to a file that is not there yet.
std::filesystem::path WrittenPath(const std::string& path);

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

// From now on, SIGINT, SIGTERM and SIGHUP remove unfinished files and then end
// the process by the signal, so that the parent process sees it. Ignored
// signals remain ignored, so that nohup works. Call it once, from the thread
// that creates the files. Any thread may handle the signal.
void RemoveUnfinishedFilesAtSignals();

// Ends the process by the signal, even if it is ignored or handled.
[[noreturn]] void EndBySignal(int signal);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_UNFINISHED_FILE_H_
