// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/arguments/options.h"

#include <algorithm>

#include "absl/status/status.h"
#include "tools/orbox/arguments/numbers.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/exit_code.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

bool IsOption(std::string_view token) {
  return token.size() > 1 && token[0] == '-';
}

absl::Status UnknownOption(std::string_view name,
                           std::span<const Option> options) {
  std::vector<std::string_view> names;
  for (const Option& option : options) names.push_back(option.name);
  return UsageError(
      Cat("unknown option ", Quoted(name), DidYouMean(name, names)));
}

absl::Status BadValue(std::string_view option, const absl::Status& why) {
  return UsageError(Cat(option, ": ", std::string(why.message())));
}

}  // namespace

bool TakesFile(const Option& option) { return option.value == "FILE"; }

std::string Arguments::Value(std::string_view option,
                             std::string_view fallback) const {
  const std::string* value = Find(option);
  return value == nullptr ? std::string(fallback) : *value;
}

std::vector<std::string> Arguments::Values(std::string_view option) const {
  std::vector<std::string> values;
  for (const auto& [name, value] : given_) {
    if (name == option) values.push_back(value);
  }
  return values;
}

absl::StatusOr<std::optional<double>> Arguments::Real(std::string_view option,
                                                      double min) const {
  const std::string* text = Find(option);
  if (text == nullptr) return std::optional<double>();
  const absl::StatusOr<double> value = ParseReal(*text);
  if (!value.ok()) return BadValue(option, value.status());
  if (*value < min) {
    return UsageError(Cat(option, ": ", Quoted(*text), " is too small; give ",
                          min, " or more"));
  }
  return std::optional<double>(*value);
}

absl::StatusOr<std::optional<uint64_t>> Arguments::Count(
    std::string_view option, uint64_t min, uint64_t max) const {
  const std::string* text = Find(option);
  if (text == nullptr) return std::optional<uint64_t>();
  const absl::StatusOr<uint64_t> value = ParseCount(*text, min, max);
  if (!value.ok()) return BadValue(option, value.status());
  return std::optional<uint64_t>(*value);
}

absl::StatusOr<std::optional<uint64_t>> Arguments::Size(
    std::string_view option) const {
  const std::string* text = Find(option);
  if (text == nullptr) return std::optional<uint64_t>();
  const absl::StatusOr<uint64_t> value = ParseSize(*text);
  if (!value.ok()) return BadValue(option, value.status());
  return std::optional<uint64_t>(*value);
}

absl::StatusOr<size_t> Arguments::Choice(
    std::string_view option, std::span<const std::string_view> names,
    size_t fallback) const {
  const std::string* text = Find(option);
  if (text == nullptr) return fallback;
  const auto found = std::find(names.begin(), names.end(), *text);
  if (found != names.end()) return found - names.begin();
  std::string list;
  for (const std::string_view name : names) {
    list += Cat(list.empty() ? "" : ", ", name);
  }
  return UsageError(Cat(option, ": ", Quoted(*text), " is none of ", list));
}

const std::string* Arguments::Find(std::string_view option) const {
  for (const auto& [name, value] : given_) {
    if (name == option) return &value;
  }
  return nullptr;
}

absl::StatusOr<Arguments> ParseArguments(std::span<const std::string> tokens,
                                         std::span<const Option> options) {
  Arguments arguments;
  bool options_ended = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    if (options_ended || !IsOption(token)) {
      arguments.operands_.emplace_back(token);
      continue;
    }
    if (token == "--") {
      options_ended = true;
      continue;
    }
    const size_t equals = token.find('=');
    const std::string_view name = token.substr(0, equals);
    const auto option =
        std::find_if(options.begin(), options.end(),
                     [name](const Option& o) { return o.name == name; });
    if (option == options.end()) return UnknownOption(name, options);
    if (!option->repeatable && arguments.Has(name)) {
      return UsageError(Cat(name, " is given twice; give it once"));
    }
    if (option->value.empty()) {
      if (equals != std::string_view::npos) {
        return UsageError(
            Cat(name, " takes no value; drop ", Quoted(token.substr(equals))));
      }
      arguments.given_.emplace_back(option->name, "");
      continue;
    }
    const auto values =
        1 + std::count(option->value.begin(), option->value.end(), ' ');
    for (int value = 0; value < values; ++value) {
      if (value == 0 && equals != std::string_view::npos) {
        arguments.given_.emplace_back(option->name, token.substr(equals + 1));
      } else if (i + 1 < tokens.size() && !tokens[i + 1].starts_with("--")) {
        arguments.given_.emplace_back(option->name, tokens[++i]);
      } else {
        return UsageError(
            Cat(name, values > 1 ? " needs values: " : " needs a value: ", name,
                " ", option->value));
      }
    }
  }
  return arguments;
}

}  // namespace orbox::cli
