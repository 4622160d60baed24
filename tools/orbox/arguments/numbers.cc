// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/charconv.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

enum class Reading { kFinite, kNotFinite, kOutOfRange, kNoNumber };

constexpr std::string_view kSpaces = " \t\r\n";

// Removes a plus sign, which files may have and from_chars does not accept.
std::string_view WithoutPlus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

Reading Read(std::string_view text, double& value) {
  const std::string_view digits = WithoutPlus(TrimSpaces(text));
  const char* const end = digits.data() + digits.size();
  // Uses Abseil, because libc++ has no from_chars for doubles before version
  // 20. Rejects hexadecimal numbers, which Abseil accepts.
  if (digits.find_first_of("xX") != digits.npos) return Reading::kNoNumber;
  const auto [stop, error] = absl::from_chars(digits.data(), end, value);
  if (digits.empty() || stop != end || error == std::errc::invalid_argument) {
    return Reading::kNoNumber;
  }
  if (error == std::errc::result_out_of_range) return Reading::kOutOfRange;
  return std::isfinite(value) ? Reading::kFinite : Reading::kNotFinite;
}

}  // namespace

absl::StatusOr<double> ParseReal(std::string_view text) {
  double value = 0;
  switch (Read(text, value)) {
    case Reading::kFinite:
      return value;
    case Reading::kNotFinite:
      return absl::InvalidArgumentError(
          Cat(Quoted(text), " is not a finite number"));
    case Reading::kOutOfRange:
      return absl::InvalidArgumentError(
          Cat(Quoted(text), " is beyond the range of double"));
    case Reading::kNoNumber:
      break;
  }
  return absl::InvalidArgumentError(Cat(Quoted(text), " is not a number"));
}

absl::StatusOr<std::vector<double>> ParseEach(
    std::span<const std::string_view> parts) {
  std::vector<double> values;
  values.reserve(parts.size());
  for (const std::string_view part : parts) {
    const absl::StatusOr<double> value = ParseReal(part);
    if (!value.ok()) return value.status();
    values.push_back(*value);
  }
  return values;
}

absl::StatusOr<std::vector<double>> ParseReals(std::string_view text) {
  const absl::Status separators = CheckSeparators(text);
  if (!separators.ok()) return separators;
  return ParseEach(SplitCells(text));
}

absl::StatusOr<std::vector<double>> ParseReals(std::string_view text,
                                               size_t count) {
  absl::StatusOr<std::vector<double>> values = ParseReals(text);
  if (!values.ok()) return values;
  if (values->size() != count) {
    return absl::InvalidArgumentError(Cat("found ",
                                          Counted(values->size(), "number"),
                                          " where ", count, " are needed"));
  }
  return values;
}

absl::StatusOr<uint64_t> ParseCount(std::string_view text, uint64_t min,
                                    uint64_t max) {
  const std::string_view digits = WithoutPlus(TrimSpaces(text));
  const char* const end = digits.data() + digits.size();
  uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc{} && stop == end && value >= min && value <= max) {
    return value;
  }
  return absl::InvalidArgumentError(
      Cat(Quoted(text), " is not a whole number from ", min, " to ", max));
}

absl::StatusOr<uint64_t> ParseSize(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::string_view digits = TrimSpaces(text);
  int shift = 0;
  if (!digits.empty()) {
    const size_t unit = kUnits.find(digits.back());
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<int>(unit) + 1);
      digits.remove_suffix(1);
    }
  }
  const absl::StatusOr<uint64_t> value =
      ParseCount(digits, 1, std::numeric_limits<uint64_t>::max() >> shift);
  if (value.ok()) return *value << shift;
  return absl::InvalidArgumentError(
      Cat(Quoted(text), " is no size in bytes, such as 800M or 2G"));
}

bool LooksLikeNumber(std::string_view text) {
  double value = 0;
  return Read(text, value) != Reading::kNoNumber;
}

std::string_view TrimSpaces(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

std::vector<std::string_view> SplitAtCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t comma = text.find(',');
    parts.push_back(TrimSpaces(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string_view> SplitCells(std::string_view text) {
  std::vector<std::string_view> parts;
  text = TrimSpaces(text);
  for (;;) {
    parts.push_back(text.substr(0, text.find_first_of(",; \t\r\n")));
    text.remove_prefix(parts.back().size());
    const size_t blank = std::min(text.find_first_not_of(kSpaces), text.size());
    const auto tabs = std::count(text.begin(), text.begin() + blank, '\t');
    text.remove_prefix(blank);
    if (text.empty()) return parts;
    if (text.front() != ',' && text.front() != ';') {
      if (tabs > 1) parts.resize(parts.size() + tabs - 1);
      continue;
    }
    text = TrimSpaces(text.substr(1));
    // After a separator at the end, there is another, empty part.
    if (!text.empty()) continue;
    parts.emplace_back();
    return parts;
  }
}

absl::Status CheckSeparators(std::string_view text) {
  if (text.find(';') == std::string_view::npos ||
      text.find(',') == std::string_view::npos) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "both commas and semicolons are in it; write decimals with a point, and "
      "separate numbers by one of the two");
}

}  // namespace orbox::cli
