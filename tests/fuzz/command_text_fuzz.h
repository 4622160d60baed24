// SPDX-License-Identifier: Apache-2.0

// Laws of the text that the command reads: files of rows, poses, arguments. A
// violation aborts.
#ifndef ORBOX_TESTS_FUZZ_COMMAND_TEXT_FUZZ_H_
#define ORBOX_TESTS_FUZZ_COMMAND_TEXT_FUZZ_H_

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orbox/bvh/build/build.h"
#include "orbox/bvh/io/internal/mesh_format.h"
#include "orbox/bvh/posed/posed_tree.h"
#include "orbox/overlap/internal/numbers/exact_number.h"
#include "tests/fuzz/cost_per_byte.h"
#include "tests/fuzz/require.h"
#include "tests/support/meshes.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/options.h"
#include "tools/orbox/arguments/rows.h"
#include "tools/orbox/arguments/settings.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/commands/command.h"
#include "tools/orbox/commands/poses.h"

namespace orbox {

// The first byte chooses how many columns there are, and the rest is the file.
// With `costs`, reading an input takes no longer than others do, here and
// below.
void FuzzRows(std::string_view input, CostPerByte* costs = nullptr);

// Text after --pose.
void FuzzPose(std::string_view text, CostPerByte* costs = nullptr);

// The first byte chooses the command, and the rest are its arguments, a line
// each.
void FuzzArguments(std::string_view input, CostPerByte* costs = nullptr);

// Implementation.

// The file, read again in the plainest way.
struct PlainRows {
  enum class Reading { kNumber, kNotFinite, kNoNumber };

  std::vector<std::vector<double>> rows;
  std::vector<size_t> lines;    // the line of each row
  std::optional<size_t> fault;  // the first line that is wrong
  bool names_columns = false;   // the first line may choose among them

  static std::string Trimmed(std::string_view text) {
    const auto is_space = [](char c) {
      return c == ' ' || c == '\t' || c == '\r';
    };
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return std::string(text);
  }
  static bool IsOfWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }
  static std::vector<std::string> Split(std::string_view text, char separator);
  static Reading Read(const std::string& text, double* value);
  // Names at the beginning of the first row, if enough cells follow them.
  static size_t CountNames(const std::vector<std::string>& cells,
                           size_t columns);
  PlainRows(std::string_view text, size_t columns);
};

inline std::vector<std::string> PlainRows::Split(std::string_view text,
                                                 char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// A sign, digits with a point somewhere, an exponent; or infinity, or NaN.
inline PlainRows::Reading PlainRows::Read(const std::string& text,
                                          double* value) {
  size_t at = 0;
  const auto digits = [&] {
    size_t count = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      ++count;
    }
    return count;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const size_t begin = at;
  size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) {
    std::string word = text.substr(begin);
    for (char& c : word) c = static_cast<char>(std::tolower(c));
    const bool is_word =
        word == "inf" || word == "infinity" || word == "nan" ||
        (word.starts_with("nan(") && word.find(')') == word.size() - 1 &&
         std::all_of(word.begin() + 4, word.end() - 1, IsOfWord));
    return is_word ? Reading::kNotFinite : Reading::kNoNumber;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return Reading::kNoNumber;
  }
  if (at != text.size()) return Reading::kNoNumber;
  *value = std::strtod(text.c_str(), nullptr);
  const bool has_digit =
      text.substr(0, text.find_first_of("eE")).find_first_of("123456789") !=
      std::string::npos;
  const bool vanishes = *value == 0 && has_digit;
  return std::isfinite(*value) && !vanishes ? Reading::kNumber
                                            : Reading::kNotFinite;
}

// The cells between commas, semicolons, tabs or spaces, with a comma for each
// of these.
inline std::string WithCommas(const std::string& line) {
  const auto is_blank = [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  };
  const auto is_comma = [](char c) { return c == ',' || c == ';'; };
  std::string cells;
  for (size_t i = 0; i < line.size();) {
    if (!is_blank(line[i])) {
      cells += is_comma(line[i]) ? ',' : line[i];
      ++i;
      continue;
    }
    size_t tabs = 0;
    const size_t begin = i;
    for (; i < line.size() && is_blank(line[i]); ++i) tabs += line[i] == '\t';
    const bool belongs_to_comma = begin == 0 || i == line.size() ||
                                  is_comma(line[begin - 1]) ||
                                  is_comma(line[i]);
    if (!belongs_to_comma) cells.append(std::max<size_t>(tabs, 1), ',');
  }
  return cells;
}

// Numbers with decimal commas look like that.
inline bool MixesSeparators(std::string_view line) {
  return line.find(',') != std::string_view::npos &&
         line.find(';') != std::string_view::npos;
}

// True if one character at most separates cells, the same in each line, and
// none is quoted. Otherwise the first line decides; rows_test.cc has such
// files. Comments separate nothing.
inline bool HasOneSeparator(std::string_view text) {
  if (text.find_first_of("\t\r\"[(") != std::string_view::npos) return false;
  int kinds = 0;
  for (const char separator : {',', ';', ' '}) {
    size_t with = 0;
    size_t without = 0;
    for (const std::string& line : PlainRows::Split(text, '\n')) {
      const std::string cells = line.substr(0, line.find('#'));
      if (PlainRows::Trimmed(cells).empty()) continue;
      ++(cells.find(separator) == std::string::npos ? without : with);
    }
    if (with > 0 && without > 0) return false;
    kinds += with > 0 ? 1 : 0;
  }
  return kinds <= 1;
}

inline size_t PlainRows::CountNames(const std::vector<std::string>& cells,
                                    size_t columns) {
  constexpr std::string_view kStartsOfNumbers = "+-.0123456789";
  size_t count = 0;
  double value = 0;
  while (count < cells.size() && !cells[count].empty() &&
         kStartsOfNumbers.find(cells[count][0]) == std::string_view::npos &&
         Read(cells[count], &value) == Reading::kNoNumber) {
    ++count;
  }
  return count + columns <= cells.size() ? count : 0;
}

inline PlainRows::PlainRows(std::string_view text, size_t columns) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  bool may_be_header = true;
  std::optional<size_t> names;
  size_t number = 0;
  for (const std::string& whole : Split(text, '\n')) {
    ++number;
    const std::string line = Trimmed(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    std::vector<std::string> cells;
    for (const std::string& part : Split(WithCommas(line), ',')) {
      cells.push_back(Trimmed(part));
    }
    double value = 0;
    const bool any_number =
        std::any_of(cells.begin(), cells.end(), [&](const std::string& cell) {
          return Read(cell, &value) != Reading::kNoNumber;
        });
    if (std::exchange(may_be_header, false) && !any_number) {
      // Headers may name columns.
      names_columns =
          line.find_first_of("cC") != std::string::npos || line == "ply";
      continue;
    }
    if (!names.has_value()) {
      const bool may_have_names = line.find_first_of(",;") != std::string::npos;
      names = may_have_names ? CountNames(cells, columns) : 0;
    }
    std::vector<double> row;
    for (size_t i = *names; i < cells.size() && row.size() < columns; ++i) {
      if (Read(cells[i], &value) != Reading::kNumber) fault = number;
      row.push_back(value);
    }
    if (row.size() < columns) fault = number;
    if (MixesSeparators(line)) fault = number;
    if (fault) return;
    rows.push_back(row);
    lines.push_back(number);
  }
}

// A file without a name, which can be opened all the same.
class UnnamedFile {
 public:
  explicit UnnamedFile(std::string_view bytes) : file_(std::tmpfile()) {
    Require(file_ != nullptr, "there is room for a temporary file");
    std::fwrite(bytes.data(), 1, bytes.size(), file_);
    std::rewind(file_);
  }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile() { std::fclose(file_); }

  std::string path() const {
    return "/dev/fd/" + std::to_string(fileno(file_));
  }

 private:
  std::FILE* file_;
};

inline absl::Status AnyRow(std::span<const double>) { return absl::OkStatus(); }

inline void FuzzRows(std::string_view input, CostPerByte* costs) {
  // Longer lines are refused as such.
  if (input.empty() || input.size() > 60000) return;
  const size_t count = static_cast<uint8_t>(input.front()) % 12 + 1;
  input.remove_prefix(1);
  std::string columns = "c0";
  for (size_t i = 1; i < count; ++i) columns += ",c" + std::to_string(i);

  const PlainRows expected(input, count);
  if (expected.names_columns || !HasOneSeparator(input)) return;
  const UnnamedFile file(input);
  const auto rows = CostPerByte::With(costs, input, [&] {
    return cli::ReadRows(file.path(), columns, AnyRow);
  });
  if (costs != nullptr) {
    costs->OfSomeLonger(input, [&](std::string_view longer) {
      const UnnamedFile long_file(longer);
      return cli::ReadRows(long_file.path(), columns, AnyRow).status();
    });
  }
  const std::string_view first_line = input.substr(0, input.find('\n'));
  if (!mesh_internal::HowToConvertBytes(first_line).empty()) {
    Require(rows.status().code() == absl::StatusCode::kInvalidArgument,
            "files of another kind are refused");
    return;
  }
  Require(rows.ok() == (!expected.fault && !expected.rows.empty()),
          "rows are read, or an error");
  if (!rows.ok()) {
    Require(rows.status().code() == absl::StatusCode::kInvalidArgument,
            "errors are kInvalidArgument");
    const std::string place =
        file.path() + ":" +
        (expected.fault ? std::to_string(*expected.fault) + ":" : "");
    Require(std::string(rows.status().message()).starts_with(place),
            "errors begin with the place");
    return;
  }
  Require(rows->size() == expected.rows.size(), "all rows are read");
  std::string written;
  for (size_t i = 0; i < rows->size(); ++i) {
    const auto row = rows->row(i);
    Require(std::equal(row.begin(), row.end(), expected.rows[i].begin(),
                       expected.rows[i].end()),
            "their numbers are the ones that stand there");
    Require(
        rows->Place(i) == file.path() + ":" + std::to_string(expected.lines[i]),
        "and they know where");
    for (const double x : row) written += cli::FormatReal(x) + ",";
    written.back() = '\n';
  }
  const UnnamedFile copy(written);
  const auto again = cli::ReadRows(copy.path(), columns, AnyRow);
  Require(again.ok() && again->size() == rows->size(),
          "what is written is read");
  for (size_t i = 0; i < rows->size(); ++i) {
    const auto row = rows->row(i);
    Require(std::equal(row.begin(), row.end(), again->row(i).begin()),
            "as the same numbers");
  }
}

inline void FuzzPose(std::string_view text, CostPerByte* costs) {
  if (text.starts_with("@")) return;  // a file, which FuzzRows is for
  const auto parse = [](std::string_view typed) {
    return cli::ParsePoses(std::string(typed), /*flatten=*/true);
  };
  const auto poses =
      CostPerByte::With(costs, text, [&] { return parse(text); });
  if (costs != nullptr) {
    costs->OfSomeLonger(
        text, [&](std::string_view longer) { return parse(longer).status(); });
  }
  const PlainRows::Reading kNumber = PlainRows::Reading::kNumber;
  std::vector<double> expected;
  bool is_pose = !MixesSeparators(text);
  const std::string cells = WithCommas(std::string(text));
  for (const std::string& cell : PlainRows::Split(cells, ',')) {
    double value = 0;
    is_pose = is_pose && PlainRows::Read(cell, &value) == kNumber;
    expected.push_back(value);
  }
  if (expected.size() == 16) {
    is_pose = is_pose && expected[12] == 0 && expected[13] == 0 &&
              expected[14] == 0 && expected[15] == 1;
    expected.resize(12);
  }
  is_pose = is_pose && expected.size() == 12;
  Require(poses.ok() == is_pose, "a pose is read, or an error");
  if (!poses.ok()) {
    Require(cli::IsUsageError(poses.status()), "which is one of usage");
    return;
  }
  Require(poses->poses.size() == 1 && !poses->is_list(), "it is one");
  const Pose& pose = poses->poses[0];
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      Require(pose.rows[i][k] == expected[4 * i + k], "a number of R");
    }
    Require(pose.translation[i] == expected[4 * i + 3], "a number of t");
  }
  Exact determinant(0.0);
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    const Exact minor = Exact(pose.rows[1][j]) * Exact(pose.rows[2][k]) -
                        Exact(pose.rows[1][k]) * Exact(pose.rows[2][j]);
    determinant = determinant + Exact(pose.rows[0][i]) * minor;
  }
  Require(cli::ParsePoses(std::string(text), /*flatten=*/false).ok() ==
              (determinant.Sign() != 0),
          "a singular one is refused");
  Require(cli::NoteOnPoses(*poses).empty() || !pose.IsIdentity(),
          "nothing is said about the identity");
  static const Tree tree =
      Build(meshes::Tetrahedron({1, 2, 3}, 4), {.threads = 1}).value();
  Require(
      cli::CheckPoses(*poses, tree).ok() == PosedTree::Create(tree, pose).ok(),
      "poses are refused before they are used");
}

// Arguments in order: operands, options and values.
inline void CheckArguments(const cli::Arguments& arguments,
                           std::span<const std::string> tokens,
                           std::span<const cli::Option> options) {
  for (const std::string& operand : arguments.operands()) {
    Require(std::find(tokens.begin(), tokens.end(), operand) != tokens.end(),
            "operands are arguments");
  }
  for (const cli::Option& option : options) {
    const std::vector<std::string> values = arguments.Values(option.name);
    Require(arguments.Has(option.name) == !values.empty(),
            "an option that is given has a value, be it an empty one");
    Require(values.size() <= 1 || option.repeatable, "once where once is all");
    if (values.empty()) continue;
    Require(arguments.Value(option.name) == values[0], "the first is it");
    if (option.value.empty()) Require(values[0].empty(), "switches have none");
    const auto real = arguments.Real(option.name, -1);
    Require(real.ok() ? *real >= -1 : cli::IsUsageError(real.status()),
            "a number in range, or an error");
    const auto count = arguments.Count(option.name, 2, 9);
    Require(count.ok() ? **count >= 2 && **count <= 9
                       : cli::IsUsageError(count.status()),
            "a whole number in range, or an error");
  }
}

inline void FuzzArguments(std::string_view input, CostPerByte* costs) {
  if (input.empty()) return;
  const auto commands = cli::Commands();
  const cli::Command& command =
      *commands[static_cast<uint8_t>(input.front()) % commands.size()];
  input.remove_prefix(1);
  const std::vector<std::string> tokens = PlainRows::Split(input, '\n');
  const std::vector<cli::Option> options = cli::AllOptions(command);
  // Not of longer ones, which no command line is.
  const auto arguments = CostPerByte::With(
      costs, input, [&] { return cli::ParseArguments(tokens, options); });
  if (!arguments.ok()) {
    Require(cli::IsUsageError(arguments.status()), "an error is one of usage");
    return;
  }
  CheckArguments(*arguments, tokens, options);
  const auto settings = cli::ReadSettings(*arguments);
  if (!settings.ok()) {
    Require(cli::IsUsageError(settings.status()), "an error is one of usage");
    return;
  }
  Require(settings->threads >= 1 && !settings->output.empty(),
          "settings are in range");
}

}  // namespace orbox

#endif  // ORBOX_TESTS_FUZZ_COMMAND_TEXT_FUZZ_H_
