#include "tools/orbox/rows.h"

#include <algorithm>
#include <utility>

#include "tools/orbox/lines.h"
#include "tools/orbox/text.h"

namespace orbox::cli {

// Collects rows line by line.
class RowReader {
 public:
  using Parser = absl::FunctionRef<absl::StatusOr<std::vector<double>>(
      std::string_view line)>;
  using Splitter = std::vector<std::string_view> (*)(std::string_view);

  // The reader refers to all of them.
  RowReader(std::string_view columns, size_t count, Splitter split,
            Parser parse)
      : columns_(columns), split_(split), parse_(parse) {
    rows_.columns_ = count;
  }

  absl::StatusOr<Rows> Read(const std::string& path);

 private:
  absl::Status Take(const Line& line);

  std::string_view columns_;
  Splitter split_;
  Parser parse_;
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
  if (std::exchange(header_possible_, false) && IsHeader(line.text, split_)) {
    return absl::OkStatus();
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
  const auto parse = [&](std::string_view line) {
    return ParseRow(line, columns, check);
  };
  return RowReader(columns, SplitAtCommas(columns).size(), SplitAtCommas, parse)
      .Read(path);
}

absl::StatusOr<Rows> ReadRows(const std::string& path,
                              const RowFormat& format) {
  return RowReader(format.columns, format.count, format.split, format.parse)
      .Read(path);
}

bool IsHeader(std::string_view line,
              std::vector<std::string_view> (*split)(std::string_view)) {
  const std::vector<std::string_view> parts = split(line);
  return std::none_of(parts.begin(), parts.end(), LooksLikeNumber);
}

absl::StatusOr<std::vector<double>> ParseRow(std::string_view text,
                                             std::string_view columns,
                                             RowCheck check) {
  absl::StatusOr<std::vector<double>> values =
      ParseReals(text, SplitAtCommas(columns).size());
  if (!values.ok()) {
    return absl::InvalidArgumentError(
        Cat(std::string(values.status().message()), "; give ", columns));
  }
  const absl::Status status = check(*values);
  if (!status.ok()) return status;
  return values;
}

}  // namespace orbox::cli
