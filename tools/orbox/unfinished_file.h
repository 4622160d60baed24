// A file under a temporary name beside its place: renamed when it is whole,
// removed otherwise, also by a signal that ends the process.
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
  // Follows symbolic links, so that the file behind them is replaced, and keeps
  // the permissions of the one that is. kUnavailable with the system's reason.
  static absl::StatusOr<UnfinishedFile> Create(const std::string& path);

  UnfinishedFile(UnfinishedFile&& other) noexcept;
  UnfinishedFile& operator=(UnfinishedFile&&) = delete;
  ~UnfinishedFile();

  int descriptor() const { return descriptor_; }

  // Syncs and closes it, and gives it its name. On an error nothing is left.
  absl::Status Finish();

 private:
  UnfinishedFile() = default;

  std::string path_;       // in messages
  std::string target_;     // what Finish renames it to
  std::string temporary_;  // empty once there is nothing to remove
  int descriptor_ = -1;
  int slot_ = -1;  // where the signal handler finds it
};

// From now on SIGINT, SIGTERM and SIGHUP remove the files that are unfinished
// and then end the process as they would have done, so that its parent sees the
// signal. One that is ignored stays so: nohup works. Call it once, from the
// thread that makes the files; whichever thread a signal meets, that one
// removes them.
void RemoveUnfinishedFilesAtSignals();

// Ends the process by the signal, whatever has been done about it.
[[noreturn]] void EndBySignal(int signal);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_UNFINISHED_FILE_H_
