// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/clash/clash_rules.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "absl/status/status.h"
#include "orbox/bvh/base/internal/file_io.h"
#include "tools/orbox/arguments/lines.h"
#include "tools/orbox/arguments/suggest.h"
#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 8> kKeysOfRule = {
    "name",      "a",          "b",      "tolerance",
    "clearance", "insulation", "ignore", "severity"};

// Reads one rule. Returns the error, or an empty text.
std::string ReadRule(const Json& row, ClashRule& rule) {
  if (!row.is_object()) return "is no object; give {\"a\": ..., \"b\": ...}";
  for (const auto& [key, value] : row.items()) {
    std::string* text = key == "name"         ? &rule.name
                        : key == "a"          ? &rule.a
                        : key == "b"          ? &rule.b
                        : key == "insulation" ? &rule.insulation
                        : key == "severity"   ? &rule.severity
                                              : nullptr;
    std::optional<double>* length = key == "tolerance"   ? &rule.tolerance
                                    : key == "clearance" ? &rule.clearance
                                                         : nullptr;
    if (text != nullptr) {
      if (!value.is_string()) return Cat(key, " is no string");
      *text = OnOneLine(value.get<std::string>());
    } else if (length != nullptr) {
      if (!value.is_number() || !(value.get<double>() >= 0)) {
        return Cat(key, " is no length; give a number, 0 or more");
      }
      *length = value.get<double>();
    } else if (key == "ignore") {
      if (!value.is_boolean()) return "ignore is neither true nor false";
      rule.ignore = value.get<bool>();
    } else {
      const std::string guess = DidYouMean(key, kKeysOfRule);
      return Cat("unknown key ", Quoted(OnOneLine(key)),
                 !guess.empty() ? guess
                                : "; there are name, a, b, tolerance, "
                                  "clearance, insulation, ignore and severity");
    }
  }
  if (rule.name.empty()) rule.name = Cat(rule.a, " and ", rule.b);
  return "";
}

}  // namespace

absl::StatusOr<std::vector<ClashRule>> ReadClashRules(const std::string& path) {
  const absl::StatusOr<FileBytes> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  const auto error = [&path](const std::string& what) {
    return absl::InvalidArgumentError(Cat(NameOfInput(path), ": ", what));
  };
  const Json file =
      Json::parse(bytes->view().begin(), bytes->view().end(), nullptr,
                  /*allow_exceptions=*/false);
  if (file.is_discarded()) return error("is no JSON");
  if (!file.is_object() || file.size() != 1 || !file.contains("rules") ||
      !file["rules"].is_array()) {
    return error("has no rules; give {\"rules\": [...]}");
  }
  std::vector<ClashRule> rules;
  for (const Json& row : file["rules"]) {
    const std::string wrong = ReadRule(row, rules.emplace_back());
    if (!wrong.empty()) {
      return error(Cat("rules[", rules.size() - 1, "]: ", wrong));
    }
  }
  return rules;
}

}  // namespace orbox::cli
