// SPDX-License-Identifier: Apache-2.0

// Destination of results: standard output or a file. A file appears only when
// it is complete.
//
//   absl::StatusOr<Output> output = Output::Open(path);   // "-" or a file
//   output->Write("...");
//   absl::Status status = output->Close();
//
// A file is written under a temporary name in the folder of its target. Close
// renames it; without Close it is removed (unfinished_file.h). /dev/null, pipes
// and other special files are written directly. After an error, further writes
// are ignored. Close returns the error as kUnavailable, or as ReaderGone
// (exit_code.h) if standard output has no reader. Long loops should stop if
// failed() returns true.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_OUTPUT_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_OUTPUT_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/base/progress.h"
#include "tools/orbox/output/unfinished_file.h"

namespace orbox::cli {

class Output {
 public:
  static absl::StatusOr<Output> Open(const std::string& path);
  // Writes to an open descriptor. Does not close it.
  static Output ToDescriptor(int descriptor, std::string name);
  // Calls `sink` with pieces of the text, in order.
  static Output ToSink(std::function<void(std::string_view)> sink);

  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();

  void Write(std::string_view text);
  bool failed() const { return !status_.ok(); }
  // Returns true if the output is a terminal.
  bool is_terminal() const;
  // Writes the buffered text.
  void Flush();
  // Returns true if the last line is complete. Progress must not be drawn
  // inside a line.
  bool is_at_line_start() const { return is_at_line_start_; }
  absl::Status Close();

 private:
  Output() = default;
  void Fail(std::string_view what, int error);

  void WriteAll(std::string_view bytes);

  std::string name_;                            // in messages
  std::optional<UnfinishedFile> file_;          // absent if written directly
  int descriptor_ = -1;                         // of `file_`, or a given one
  std::function<void(std::string_view)> sink_;  // used instead of a descriptor
  bool owned_ = false;                          // closes the descriptor
  std::string buffer_;
  bool is_at_line_start_ = true;
  absl::Status status_;
};

// Writes tables that are not results. Ignores errors, because they could not be
// reported.
void WriteToStandardError(std::string_view text);

// Writes results to an output that may be the terminal of the progress line:
//
//   WriteResults(progress, output, [&] { results.Write(...); });
//
// Calls `write`. At a terminal, the progress line is erased during the call.
// Afterwards it is drawn again if the last line is complete, so never within
// JSON, which is one line.
template <typename Write>
void WriteResults(ProgressDisplay& progress, Output& output, Write write) {
  if (!output.is_terminal()) {
    write();
    return;
  }
  progress.Pause();
  write();
  output.Flush();
  if (output.is_at_line_start()) progress.Resume();
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_OUTPUT_H_
