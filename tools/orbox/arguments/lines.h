// SPDX-License-Identifier: Apache-2.0

// Reads text files line by line: rows of numbers, motions.
//
//   absl::Status status = VisitLines("q.csv", "rows of x,y,z",
//       [&](const Line& line) { return Take(line.text); });
//
// Drops text after a # and spaces around a line; skips empty lines. Reads the
// file piece by piece; memory is that of one line. Errors have the name of the
// file, and the line if there is one: kInvalidArgument for bad contents,
// kNotFound, kPermissionDenied and kUnavailable from the system.
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_LINES_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace orbox::cli {

struct Line {
  std::string_view text;  // not empty
  // The text with spaces around it: a tab may be next to an empty cell.
  std::string_view whole;
  size_t number = 0;  // from 1
};

// Returns OK or the error of a line. The position is added before the message.
using LineVisitor = absl::FunctionRef<absl::Status(const Line& line)>;

// `path` "-" is standard input. `wanted` describes a line for messages. Stops
// at the first error.
absl::Status VisitLines(const std::string& path, std::string_view wanted,
                        LineVisitor visit);

// Returns the name of the file in messages: its path, or "standard input".
std::string NameOfInput(const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_LINES_H_
