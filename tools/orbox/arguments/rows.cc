// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/rows.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {

namespace {

constexpr std::string_view kBlanks = " \t";

bool IsBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// Returns the length of the quoted text at the beginning, including its quotes.
// Returns 0 if there is none.
size_t QuotedLength(std::string_view text) {
  if (!text.starts_with('"')) return 0;
  const size_t end = text.find('"', 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

// Returns the separator of the cells of a line: a semicolon if the line has one
// outside of quotes, else a comma if it has one there, else a tab, else a
// space.
char SeparatorOf(std::string_view line) {
  line = TrimSpaces(line);
  bool has_comma = false;
  bool has_tab = false;
  bool at_cell_start = true;
  for (size_t i = 0; i < line.size(); ++i) {
    if (at_cell_start) i += QuotedLength(line.substr(i));
    if (i == line.size()) break;
    if (line[i] == ';') return ';';
    has_comma = has_comma || line[i] == ',';
    has_tab = has_tab || line[i] == '\t';
    at_cell_start = line[i] == ',' || IsBlank(line[i]);
  }
  return has_comma ? ',' : has_tab ? '\t' : ' ';
}

// Returns the position of the first separator, or the length of the text. If
// the separator is a space, any blank counts, except before a unit in brackets.
size_t CellEnd(std::string_view text, char separator) {
  for (size_t i = QuotedLength(text); i < text.size(); ++i) {
    if (separator != ' ' ? text[i] == separator : IsBlank(text[i])) {
      const size_t next = text.find_first_not_of(kBlanks, i);
      const bool is_unit = separator == ' ' && next != std::string_view::npos &&
                           (text[next] == '[' || text[next] == '(');
      if (!is_unit) return i;
    }
  }
  return text.size();
}

// Returns the cells of a line, without blanks and quotes around them. Only
// `separator` separates cells. Consecutive spaces count as one separator. A tab
// or space at the end adds no cell.
std::vector<std::string_view> CellsOf(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  if (separator == '\t') {
    // Keeps a tab at the beginning, because an empty cell is before it.
    line.remove_suffix(line.size() - 1 - line.find_last_not_of(" \t\r\n"));
  } else {
    line = TrimSpaces(line);
  }
  for (;;) {
    const size_t end = CellEnd(line, separator);
    std::string_view cell = TrimSpaces(line.substr(0, end));
    if (cell.size() > 1 && QuotedLength(cell) == cell.size()) {
      cell = TrimSpaces(cell.substr(1, cell.size() - 2));
    }
    cells.push_back(cell);
    if (end == line.size()) return cells;
    line.remove_prefix(separator == ' ' ? line.find_first_not_of(kBlanks, end)
                                        : end + 1);
    const size_t quoted = line.find_first_not_of(kBlanks);
    if (separator != '\t' && quoted != std::string_view::npos) {
      line.remove_prefix(quoted);
    }
  }
}

// Returns the name in a cell, in lower case, without quotes, comment marks and
// unit: x for "X", //X and x [m].
std::string NameIn(std::string_view cell) {
  while (cell.starts_with("/") || cell.starts_with("\"")) {
    cell.remove_prefix(1);
  }
  if (cell.ends_with("\"")) cell.remove_suffix(1);
  return LowerCase(TrimSpaces(cell.substr(0, cell.find_first_of("[("))));
}

// Returns the positions of the columns in a header. Returns an empty list if
// the header names none of them.
absl::StatusOr<std::vector<size_t>> PlacesIn(
    std::string_view header, std::span<const std::string_view> columns) {
  std::vector<std::string> names;
  for (const std::string_view cell : CellsOf(header, SeparatorOf(header))) {
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

// Returns true if the cell contains several numbers with other separators, or a
// number with a decimal comma.
bool IsSeveralNumbers(std::string_view cell) {
  constexpr std::string_view kSeparators = ",; \t";
  if (cell.find_first_of(kSeparators) == std::string_view::npos) return false;
  while (!cell.empty()) {
    const size_t end = std::min(cell.find_first_of(kSeparators), cell.size());
    if (!LooksLikeNumber(cell.substr(0, end))) return false;
    const size_t next = cell.find_first_not_of(kSeparators, end);
    cell.remove_prefix(std::min(next, cell.size()));
  }
  return true;
}

std::string_view NameOf(char separator) {
  switch (separator) {
    case ';':
      return "semicolons";
    case ',':
      return "commas";
    case '\t':
      return "tabs";
    default:
      return "spaces";
  }
}

// Returns the numbers of the cells. If a row has other separators than the
// first row, or decimal commas, the error says so.
absl::StatusOr<std::vector<double>> NumbersOf(
    std::span<const std::string_view> cells, char separator) {
  absl::StatusOr<std::vector<double>> numbers = ParseEach(cells);
  if (numbers.ok()) return numbers;
  for (const std::string_view cell : cells) {
    if (!IsSeveralNumbers(cell)) continue;
    return absl::InvalidArgumentError(
        Cat(Quoted(cell), " is not one number; the first line separates by ",
            NameOf(separator),
            ", so separate all numbers so, and write decimals with a point"));
  }
  return numbers;
}

// Returns true for a name, such as old tree, and false for a mistyped number.
bool IsText(std::string_view cell) {
  constexpr std::string_view kStartsOfNumbers = "+-.0123456789";
  return !cell.empty() && !LooksLikeNumber(cell) &&
         kStartsOfNumbers.find(cell[0]) == std::string_view::npos;
}

// Moves the places behind the texts at the beginning of a row, if there are
// cells for all of them.
void SkipTexts(std::span<const std::string_view> cells,
               std::vector<size_t>& places) {
  const size_t texts =
      std::find_if_not(cells.begin(), cells.end(), IsText) - cells.begin();
  if (texts + places.size() > cells.size()) return;
  for (size_t& place : places) place += texts;
}

// Checks a row. Returns it, or an error with its position.
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
  // Returns an empty list for a row to skip.
  using Parser = absl::FunctionRef<absl::StatusOr<std::vector<double>>(
      std::string_view line)>;
  // Called with the first row if it has no numbers.
  using HeaderTaker = absl::FunctionRef<absl::Status(std::string_view line)>;

  // Refers to its arguments.
  RowReader(std::string_view columns, size_t count, Parser parse,
            HeaderTaker take_header, bool takes_count = false)
      : columns_(columns),
        parse_(parse),
        take_header_(take_header),
        takes_count_(takes_count) {
    rows_.columns_ = count;
  }

  absl::StatusOr<Rows> Read(const std::string& path);

 private:
  absl::Status AddRow(const Line& line);

  std::string_view columns_;
  Parser parse_;
  HeaderTaker take_header_;
  const bool takes_count_;
  Rows rows_;
  bool header_possible_ = true;
};

absl::StatusOr<Rows> RowReader::Read(const std::string& path) {
  rows_.name_ = NameOfInput(path);
  const absl::Status status =
      VisitLines(path, Cat("rows of ", columns_),
                 [this](const Line& line) { return AddRow(line); });
  if (!status.ok()) return status;
  if (rows_.size() == 0) {
    return absl::InvalidArgumentError(
        Cat(rows_.name_, ": there are no rows in it; give rows of ", columns_));
  }
  return std::move(rows_);
}

absl::Status RowReader::AddRow(const Line& line) {
  if (takes_count_ && rows_.size() + rows_.skipped_ == 0 &&
      !rows_.count_.has_value()) {
    constexpr uint64_t kMost = uint64_t{1} << 53;
    const absl::StatusOr<uint64_t> count = ParseCount(line.text, 0, kMost);
    if (count.ok()) {
      rows_.count_ = *count;
      return absl::OkStatus();
    }
  }
  if (std::exchange(header_possible_, false) && IsHeader(line.text)) {
    if (line.number == 1 && line.text == "ply") {
      return absl::InvalidArgumentError(
          Cat("a PLY file; give rows of ", columns_));
    }
    return take_header_(line.whole);
  }
  const absl::StatusOr<std::vector<double>> values = parse_(line.whole);
  if (!values.ok()) {
    return absl::InvalidArgumentError(std::string(values.status().message()));
  }
  if (values->empty()) {
    if (rows_.skipped_++ == 0) rows_.first_skipped_ = line.number;
    return absl::OkStatus();
  }
  rows_.values_.insert(rows_.values_.end(), values->begin(), values->end());
  rows_.lines_.push_back(line.number);
  return absl::OkStatus();
}

std::string Rows::Place(size_t i) const { return Cat(name_, ":", lines_[i]); }

absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check, const RowTolerance& tolerance) {
  const std::vector<std::string_view> names = SplitAtCommas(columns);
  std::vector<size_t> places(names.size());
  std::iota(places.begin(), places.end(), size_t{0});
  // Set by a header that names columns, or by the first row.
  std::optional<char> separator;
  const auto take_header = [&](std::string_view line) {
    const absl::StatusOr<std::vector<size_t>> found = PlacesIn(line, names);
    if (found.ok() && !found->empty()) {
      places = *found;
      separator = SeparatorOf(line);
    }
    return found.status();
  };
  const auto parse =
      [&](std::string_view line) -> absl::StatusOr<std::vector<double>> {
    const bool is_first = !separator.has_value();
    if (is_first) separator = SeparatorOf(line);
    const std::vector<std::string_view> cells = CellsOf(line, *separator);
    // Without a header, names come before the numbers. Spaces may be in names.
    if (is_first && *separator != ' ') SkipTexts(cells, places);
    std::vector<std::string_view> parts;
    for (const size_t place : places) {
      if (place < cells.size()) parts.push_back(cells[place]);
    }
    absl::StatusOr<std::vector<double>> numbers = NumbersOf(parts, *separator);
    if (tolerance.skips_not_finite && !numbers.ok() &&
        std::all_of(parts.begin(), parts.end(), LooksLikeNumber)) {
      return std::vector<double>();
    }
    return CheckedRow(std::move(numbers), columns, check);
  };
  return RowReader(columns, names.size(), parse, take_header,
                   tolerance.takes_count)
      .Read(path);
}

absl::StatusOr<Rows> ReadRows(const std::string& path,
                              const RowFormat& format) {
  return RowReader(format.columns, format.count, format.parse,
                   [](std::string_view) { return absl::OkStatus(); })
      .Read(path);
}

bool IsHeader(std::string_view line) {
  const std::vector<std::string_view> parts = CellsOf(line, SeparatorOf(line));
  return std::none_of(parts.begin(), parts.end(), [](std::string_view cell) {
    return LooksLikeNumber(cell) || IsSeveralNumbers(cell);
  });
}

absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check) {
  return CheckedRow(ParseReals(text, SplitAtCommas(columns).size()), columns,
                    check);
}

std::string HelpOnRows() {
  return "Files hold rows of numbers, separated by commas, semicolons, tabs "
         "or\n"
         "spaces; the header, or without one the first row, shows which. "
         "Blank\n"
         "lines, # comments and one header line are skipped. If the header "
         "names\n"
         "the columns, they are found by their names. Otherwise they are the "
         "first\n"
         "ones after any texts. Further columns are ignored.\n";
}

}  // namespace orbox::cli
