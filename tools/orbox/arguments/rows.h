// SPDX-License-Identifier: Apache-2.0

// Reads files of rows of numbers: queries, poses.
//
//   absl::StatusOr<Rows> rows = ReadRows("q.csv", "x,y,z,r", CheckSphere);
//   for (size_t i = 0; i < rows->size(); ++i) use(rows->row(i));
//
// Each line is a row of cells, separated by semicolons, commas, tabs or spaces.
// The whole file has one separator, which the header (if it names columns) or
// the first row decides: a semicolon if that line has one outside of quotes,
// else a comma, else a tab, else a space. So names may contain spaces. Skips
// blank lines, text after a #, and a first row without any number (a header).
// Columns are found by their names in the header, without units in brackets ("x
// [m]"). Without such names, the first columns are used. Further columns are
// ignored, whatever they contain. Decimal commas are errors. Errors name the
// file and the line: kInvalidArgument for bad contents, and kNotFound,
// kPermissionDenied and kUnavailable from the system. Reads the file piece by
// piece, so memory is that of the numbers.
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_ROWS_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/orbox/arguments/numbers.h"

namespace orbox::cli {

class Rows {
 public:
  size_t size() const { return lines_.size(); }
  std::span<const double> row(size_t i) const {
    return std::span(values_).subspan(i * columns_, columns_);
  }
  // Number of rows that were skipped because they are not finite, and the line
  // of the first one.
  size_t skipped() const { return skipped_; }
  size_t first_skipped() const { return first_skipped_; }
  // Number of rows as declared in the first row, if there is such a
  // declaration.
  std::optional<uint64_t> count() const { return count_; }
  // Returns the position of a row, for example "q.csv:7".
  std::string Place(size_t i) const;

 private:
  friend class RowReader;

  std::string name_;
  size_t columns_ = 0;
  std::vector<double> values_;
  std::vector<size_t> lines_;
  size_t skipped_ = 0;
  size_t first_skipped_ = 0;
  std::optional<uint64_t> count_;
};

// Returns OK or the error of a row.
using RowCheck = absl::FunctionRef<absl::Status(std::span<const double> row)>;

// Accepts any row.
inline absl::Status AnyNumbers(std::span<const double> /*row*/) {
  return absl::OkStatus();
}

struct RowTolerance {
  // If true, rows with a NaN, an infinity or a number beyond double are
  // skipped.
  bool skips_not_finite = false;
  // If true, the first row may be a single whole number: the number of rows.
  bool takes_count = false;
};

// Reads a file of rows, at least one. `columns` has the names of the columns,
// separated by commas. "-" is standard input.
absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check,
                              const RowTolerance& tolerance = {});

// Format of rows that have no named columns.
struct RowFormat {
  std::string_view columns;  // in messages
  size_t count = 0;          // number of results of `parse`
  absl::StatusOr<std::vector<double>> (*parse)(std::string_view) = nullptr;
};
absl::StatusOr<Rows> ReadRows(const std::string& path, const RowFormat& format);

// Returns true if a first row is a header: none of its parts is intended as a
// number.
bool IsHeader(std::string_view line);

// Parses one row from the command line, with the same checks. Additional
// columns are errors.
absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check);

// Returns a paragraph about files of rows.
std::string HelpOnRows();

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_ROWS_H_
