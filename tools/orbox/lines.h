// Reads text files line by line: rows of numbers, motions.
//
//   absl::Status status = VisitLines("q.csv", "rows of x,y,z",
//       [&](const Line& line) { return Take(line.text); });
//
// What follows a # is no part of a line, nor are spaces around it; lines
// without anything else are skipped. The file is read piece by piece; memory is
// that of a line. Errors name the file, and the line where it has one:
// kInvalidArgument for what is in it, kNotFound, kPermissionDenied and
// kUnavailable for what the system says.
#ifndef ORBOX_TOOLS_ORBOX_LINES_H_
#define ORBOX_TOOLS_ORBOX_LINES_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace orbox::cli {

struct Line {
  std::string_view text;  // not empty
  size_t number = 0;      // from 1
};

// What is wrong with a line, or OK; the message is put behind its place.
using LineVisitor = absl::FunctionRef<absl::Status(const Line& line)>;

// `path` "-" is standard input. `wanted` says for messages what a line is to
// be. Stops at the first error.
absl::Status VisitLines(const std::string& path, std::string_view wanted,
                        LineVisitor visit);

// What messages call the file: its path, or "standard input".
std::string NameOfInput(const std::string& path);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_LINES_H_
