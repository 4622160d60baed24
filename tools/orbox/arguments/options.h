// SPDX-License-Identifier: Apache-2.0

// Parses the arguments of a command by the table of its options.
//
//   constexpr Option kOptions[] = {
//       {"--pose", "P", "moves A by [R | t]"},
//       {"--exit-code", "", "exit 1 where the answer is no"}};
//   absl::StatusOr<Arguments> arguments = ParseArguments(tokens, kOptions);
//   if (arguments->Has("--pose")) ... arguments->Value("--pose") ...
//
// An option's value is the next argument or follows an equals sign: --pose P,
// --pose=P. A value may begin with one minus sign, but not with two: "--pose
// -1,0,..." is a pose, and "--pose --stats" is an error. "-" is an operand
// (standard input). "--" ends the options. Options and operands may come in any
// order. Errors are usage errors (exit_code.h) on one line.
#ifndef ORBOX_TOOLS_ORBOX_ARGUMENTS_OPTIONS_H_
#define ORBOX_TOOLS_ORBOX_ARGUMENTS_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace orbox::cli {

// Kind of contents that a command writes into the file that an option names.
enum class Contents {
  kNone,     // nothing: the command reads the file
  kResults,  // text, JSON or CSV, chosen by --format
  kMesh,     // a format chosen by the extension
  kTree,
  kPly,
  kPng,
  kHtml,
  kBcf,
  kGlb,
};

// One option: what the parser accepts and what --help shows.
struct Option {
  std::string_view name;  // as typed: "--within", "-o"
  // Name of the value in --help. Empty for a switch. If it has several words,
  // such as "A B", the option takes several values.
  std::string_view value;
  std::string_view help;
  bool repeatable = false;
  // Returns the possible values, for shell completion.
  std::vector<std::string_view> (*choices)() = nullptr;
  // Contents of the file, if the value is a file (named_files.h).
  Contents writes = Contents::kNone;
};

// Returns true if the value names a file.
bool TakesFile(const Option& option);

class Arguments {
 public:
  // The command of the arguments; empty if it was not set.
  const std::string& command() const { return command_; }
  void set_command(std::string_view name) { command_ = name; }

  std::span<const std::string> operands() const { return operands_; }

  bool Has(std::string_view option) const { return Find(option) != nullptr; }

  // Returns the value of the option, or `fallback` if it was not given.
  std::string Value(std::string_view option,
                    std::string_view fallback = {}) const;

  // Returns all values of an option that is repeatable or has several values,
  // in order.
  std::vector<std::string> Values(std::string_view option) const;

  // Returns the value as a number, or nothing if the option was not given.
  // `min` is inclusive.
  absl::StatusOr<std::optional<double>> Real(std::string_view option,
                                             double min) const;
  absl::StatusOr<std::optional<uint64_t>> Count(std::string_view option,
                                                uint64_t min,
                                                uint64_t max) const;
  // Returns the value as a number of bytes: a whole number, optionally followed
  // by K, M, G or T for powers of 1024.
  absl::StatusOr<std::optional<uint64_t>> Size(std::string_view option) const;

  // Returns the position of the value in `names`, or `fallback`.
  absl::StatusOr<size_t> Choice(std::string_view option,
                                std::span<const std::string_view> names,
                                size_t fallback) const;

 private:
  friend absl::StatusOr<Arguments> ParseArguments(
      std::span<const std::string> tokens, std::span<const Option> options);

  const std::string* Find(std::string_view option) const;

  std::string command_;
  std::vector<std::string> operands_;
  std::vector<std::pair<std::string_view, std::string>> given_;
};

// The result refers to the names of the options.
absl::StatusOr<Arguments> ParseArguments(std::span<const std::string> tokens,
                                         std::span<const Option> options);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_ARGUMENTS_OPTIONS_H_
