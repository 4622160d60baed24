// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

namespace {

// Removes the marks that exporters add to names: "X", //X, x.
std::string NameIn(std::string_view cell) {
  while (cell.starts_with("/") || cell.starts_with("\"")) {
    cell.remove_prefix(1);
  }
  if (cell.ends_with("\"")) cell.remove_suffix(1);
  return LowerCase(cell);
}

// Returns the positions of the columns in a header; nothing if it names none of
// them.
absl::StatusOr<std::vector<size_t>> PlacesIn(
    std::string_view header, std::span<const std::string_view> columns) {
  std::vector<std::string> names;
  for (const std::string_view cell : SplitCells(header)) {
    names.push_back(NameIn(cell));
  }
  std::vector<size_t> places;
  std::string_view missing;
  for (const std::string_view column : columns) {
    const auto found = std::find(names.begin(), names.end(), column);
    if (found == names.end()) {
      missing = column;
    } else {
      places.push_back(found - names.begin());
    }
  }
  if (places.empty() || missing.empty()) return places;
  return absl::InvalidArgumentError(
      Cat("the header has no ", Quoted(missing), " beside ",
          Quoted(columns[missing == columns[0] ? 1 : 0]), "; name it"));
}

// Returns the row, or its error.
absl::StatusOr<std::vector<double>> CheckedRow(
    absl::StatusOr<std::vector<double>> values, std::string_view columns,
    RowCheck check) {
  const size_t count = SplitAtCommas(columns).size();
  if (values.ok() && values->size() < count) {
    values = absl::InvalidArgumentError(Cat("found ",
                                            Counted(values->size(), "number"),
                                            " where ", count, " are needed"));
  }
  if (!values.ok()) {
    return absl::InvalidArgumentError(
        Cat(std::string(values.status().message()), "; give ", columns));
  }
  const absl::Status status = check(*values);
  if (!status.ok()) return status;
  return values;
}

}  // namespace

// Collects rows line by line.
class RowReader {
 public:
  using Parser = absl::FunctionRef<absl::StatusOr<std::vector<double>>(
      std::string_view line)>;
  // Called with a first row without numbers.
  using HeaderTaker = absl::FunctionRef<absl::Status(std::string_view line)>;

  // Refers to its arguments.
  RowReader(std::string_view columns, size_t count, Parser parse,
            HeaderTaker take_header)
      : columns_(columns), parse_(parse), take_header_(take_header) {
    rows_.columns_ = count;
  }

  absl::StatusOr<Rows> Read(const std::string& path);

 private:
  absl::Status Take(const Line& line);

  std::string_view columns_;
  Parser parse_;
  HeaderTaker take_header_;
  Rows rows_;
  bool header_possible_ = true;
};

absl::StatusOr<Rows> RowReader::Read(const std::string& path) {
  rows_.name_ = NameOfInput(path);
  const absl::Status status =
      VisitLines(path, Cat("rows of ", columns_),
                 [this](const Line& line) { return Take(line); });
  if (!status.ok()) return status;
  if (rows_.size() == 0) {
    return absl::InvalidArgumentError(
        Cat(rows_.name_, ": there are no rows in it; give rows of ", columns_));
  }
  return std::move(rows_);
}

absl::Status RowReader::Take(const Line& line) {
  if (std::exchange(header_possible_, false) && IsHeader(line.text)) {
    if (line.number == 1 && line.text == "ply") {
      return absl::InvalidArgumentError(
          Cat("a PLY file; give rows of ", columns_));
    }
    return take_header_(line.text);
  }
  const absl::StatusOr<std::vector<double>> values = parse_(line.text);
  if (!values.ok()) {
    return absl::InvalidArgumentError(std::string(values.status().message()));
  }
  rows_.values_.insert(rows_.values_.end(), values->begin(), values->end());
  rows_.lines_.push_back(line.number);
  return absl::OkStatus();
}

std::string Rows::Place(size_t i) const { return Cat(name_, ":", lines_[i]); }

absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check) {
  const std::vector<std::string_view> names = SplitAtCommas(columns);
  std::vector<size_t> places(names.size());
  std::iota(places.begin(), places.end(), size_t{0});
  const auto take_header = [&](std::string_view line) {
    const absl::StatusOr<std::vector<size_t>> found = PlacesIn(line, names);
    if (found.ok() && !found->empty()) places = *found;
    return found.status();
  };
  const auto parse =
      [&](std::string_view line) -> absl::StatusOr<std::vector<double>> {
    const absl::Status separators = CheckSeparators(line);
    if (!separators.ok()) return separators;
    const std::vector<std::string_view> cells = SplitCells(line);
    std::vector<std::string_view> parts;
    for (const size_t place : places) {
      if (place < cells.size()) parts.push_back(cells[place]);
    }
    return CheckedRow(ParseEach(parts), columns, check);
  };
  return RowReader(columns, names.size(), parse, take_header).Read(path);
}

absl::StatusOr<Rows> ReadRows(const std::string& path,
                              const RowFormat& format) {
  return RowReader(format.columns, format.count, format.parse,
                   [](std::string_view) { return absl::OkStatus(); })
      .Read(path);
}

bool IsHeader(std::string_view line) {
  const std::vector<std::string_view> parts = SplitCells(line);
  return std::none_of(parts.begin(), parts.end(), LooksLikeNumber);
}

absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check) {
  return CheckedRow(ParseReals(text, SplitAtCommas(columns).size()), columns,
                    check);
}

std::string HelpOnRows() {
  return "Files hold rows of numbers between commas, semicolons, tabs or "
         "spaces;\nblank lines, # comments and one header line are skipped. A "
         "header that\nnames the columns says where they are; otherwise they "
         "are the first ones,\nand further ones are ignored.\n";
}

}  // namespace orbox::cli
