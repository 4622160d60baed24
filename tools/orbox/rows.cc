#include "tools/orbox/rows.h"

#include <algorithm>
#include <utility>

#include "tools/orbox/lines.h"
#include "tools/orbox/numbers.h"
#include "tools/orbox/text.h"

namespace orbox::cli {

// Gathers rows line by line.
class RowReader {
 public:
  RowReader(std::string name, std::string_view columns, RowCheck check)
      : columns_(columns), check_(check) {
    rows_.name_ = std::move(name);
    rows_.columns_ = SplitAtCommas(columns).size();
  }

  absl::Status Take(const Line& line);
  absl::StatusOr<Rows> Finish();

 private:
  std::string_view columns_;
  RowCheck check_;
  Rows rows_;
  bool header_possible_ = true;
};

absl::Status RowReader::Take(const Line& line) {
  if (std::exchange(header_possible_, false) && IsHeader(line.text)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<double>> values =
      ParseRow(line.text, columns_, check_);
  if (!values.ok()) {
    return absl::InvalidArgumentError(std::string(values.status().message()));
  }
  rows_.values_.insert(rows_.values_.end(), values->begin(), values->end());
  rows_.lines_.push_back(line.number);
  return absl::OkStatus();
}

absl::StatusOr<Rows> RowReader::Finish() {
  if (rows_.size() == 0) {
    return absl::InvalidArgumentError(
        Cat(rows_.name_, ": there are no rows in it; give rows of ", columns_));
  }
  return std::move(rows_);
}

std::string Rows::Place(size_t i) const { return Cat(name_, ":", lines_[i]); }

absl::StatusOr<Rows> ReadRows(const std::string& path, std::string_view columns,
                              RowCheck check) {
  RowReader reader(NameOfInput(path), columns, check);
  const absl::Status status =
      VisitLines(path, Cat("rows of ", columns),
                 [&reader](const Line& line) { return reader.Take(line); });
  if (!status.ok()) return status;
  return reader.Finish();
}

bool IsHeader(std::string_view line) {
  const std::vector<std::string_view> parts = SplitAtCommas(line);
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
