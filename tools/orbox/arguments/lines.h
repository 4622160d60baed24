// SPDX-License-Identifier: Apache-2.0

// Reads text files line by line: rows of numbers, motions.
//
//   absl::Status status = VisitLines("q.csv", "rows of x,y,z",
//       [&](const Line& line) { return AddRow(line.text); });
//
// Removes text after a # and spaces around a line, and skips empty lines. Reads
// the file piece by piece, so memory is that of one line. Errors name the file,
// and the line if there is one: kInvalidArgument for bad contents, and
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
  // The text with the spaces around it, because a tab may delimit an empty
  // cell.
  std::string_view whole;
  size_t number = 0;  // from 1
};

// Returns OK or the error of a line. VisitLines adds the position to the error.
using LineVisitor = absl::FunctionRef<absl::Status(const Line& line)>;

// Calls `visit` for each line of a file. `path` "-" is standard input. `wanted`
// describes the expected lines in messages. Stops at the first error.
absl::Status VisitLines(const std::string& path, std::string_view wanted,
                        LineVisitor visit);

// Returns the name of the file for messages: its path, or "standard input".
std::string NameOfInput(const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_LINES_H_
