// SPDX-License-Identifier: Apache-2.0

// The exit codes of the command, and the errors that lead to them.
//
//   if (!status.ok()) return ExitCodeOf(status);
//
// The codes are part of the command's contract: scripts rely on them.
#ifndef ORBOX_TOOLS_ORBOX_EXIT_CODE_H_
#define ORBOX_TOOLS_ORBOX_EXIT_CODE_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace orbox::cli {

enum class ExitCode {
  kOk = 0,
  kLook = 1,      // something to look at, where an option asked to be told so
  kUsage = 2,     // a command line that makes no sense
  kBadInput = 3,  // files that are missing, or whose content is wrong
  kIo = 4,        // reads and writes that fail, memory that runs out
  // Nobody reads standard output any more: main ends the process by SIGPIPE,
  // silently, as other tools do. Shells show this number.
  kReaderGone = 141,
};

// Descriptions for people, in order.
struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeMeaning> ExitCodeMeanings();

// An error of the command line, and what to do.
absl::Status UsageError(const std::string& message);
bool IsUsageError(const absl::Status& status);

// Standard output is a pipe that nobody reads any more.
absl::Status ReaderGone();
bool IsReaderGone(const absl::Status& status);

// Requires an error. Errors of the library are about files and their contents,
// unless they say that the system failed.
ExitCode ExitCodeOf(const absl::Status& error);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_EXIT_CODE_H_
