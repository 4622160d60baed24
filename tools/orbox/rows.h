// SPDX-License-Identifier: Apache-2.0

// Reads files of rows of numbers: queries, poses.
//
//   absl::StatusOr<Rows> rows = ReadRows("q.csv", "x,y,z,r", CheckSphere);
//   for (size_t i = 0; i < rows->size(); ++i) use(rows->row(i));
//
// Numbers between commas, semicolons, tabs or spaces, a row a line. Skips blank
// lines, text after a #, and a first row without any number in it (a header). A
// header that names the columns says where they are; otherwise they are the
// first ones, and further ones are ignored, whatever is in them. Errors name
// the file and the line: kInvalidArgument for bad contents, kNotFound,
// kPermissionDenied and kUnavailable from the system. Reads the file piece by
// piece; memory is that of the numbers.
#ifndef ORBOX_TOOLS_ORBOX_ROWS_H_
#define ORBOX_TOOLS_ORBOX_ROWS_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/numbers.h"

namespace orbox::cli {

class Rows {
 public:
  size_t size() const { return lines_.size(); }
  std::span<const double> row(size_t i) const {
    return std::span(values_).subspan(i * columns_, columns_);
  }
  // "q.csv:7", the place of the row.
  std::string Place(size_t i) const;

 private:
  friend class RowReader;

  std::string name_;
  size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<size_t> lines_;
};

// Returns OK or what is wrong with a row.
using RowCheck = absl::FunctionRef<absl::Status(std::span<const double> row)>;

// For rows with which nothing can be wrong.
inline absl::Status AnyNumbers(std::span<const double> /*row*/) {
  return absl::OkStatus();
}

// `columns` names them, between commas. "-" is standard input. Requires at
// least one row.
absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check);

// Conversion of a line to a row, if not by columns.
struct RowFormat {
  std::string_view columns;  // in messages
  size_t count = 0;          // of the numbers that `parse` gives
  absl::StatusOr<std::vector<double>> (*parse)(std::string_view) = nullptr;
};
absl::StatusOr<Rows> ReadRows(const std::string& path, const RowFormat& format);

// Returns true if a first row names the columns: no part of it is meant as a
// number.
bool IsHeader(std::string_view line);

// One row from the command line, with the same checks, and no further columns.
absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check);

// A paragraph about such files.
std::string HelpOnRows();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ROWS_H_
