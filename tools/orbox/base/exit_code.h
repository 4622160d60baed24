// SPDX-License-Identifier: Apache-2.0

// The exit codes of the command, and the errors that lead to them.
//
//   if (!status.ok()) return ExitCodeOf(status);
//
// The codes are part of the command's contract: scripts rely on them.
#ifndef ORBOX_TOOLS_ORBOX_BASE_EXIT_CODE_H_
#define ORBOX_TOOLS_ORBOX_BASE_EXIT_CODE_H_

#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace orbox::cli {

enum class ExitCode {
  kOk = 0,
  kLook = 1,      // something needs attention, if an option requests this code
  kUsage = 2,     // a wrong command line
  kBadInput = 3,  // files that are missing or have wrong contents
  kIo = 4,        // failed reads and writes, or out of memory
  // Standard output has no reader. Then main ends the process by SIGPIPE,
  // without a message, like other tools. Shells show this number.
  kReaderGone = 141,
};

// Descriptions of the exit codes for --help, in order.
struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeMeaning> ExitCodeMeanings();

// Returns a usage error with this message, which should contain advice.
absl::Status UsageError(const std::string& message);
bool IsUsageError(const absl::Status& status);

// Returns the error for a standard output without a reader, such as a pipe
// whose other end is closed.
absl::Status ReaderGone();
bool IsReaderGone(const absl::Status& status);

// Returns the exit code of an error. Errors of the library count as bad input,
// unless their code is that of a system failure.
ExitCode ExitCodeOf(const absl::Status& error);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_BASE_EXIT_CODE_H_
