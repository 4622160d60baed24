// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/field_value.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "tools/orbox/base/text.h"

namespace orbox::cli {
namespace {

template <typename T>
concept Pair = std::same_as<T, std::array<double, 2>> ||
    std::same_as<T, std::array<uint64_t, 2>>;

// Returns a cell. Quotes it if it contains commas, quotes or line ends (RFC
// 4180).
std::string QuotedCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

// Returns a cell, or a part of one.
template <typename T>
std::string CellOf(const T& value) {
  if constexpr (std::same_as<T, std::monostate>) {
    return "";
  } else if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::same_as<T, Vec3>) {
    return Cat(value.x, ",", value.y, ",", value.z);
  } else if constexpr (Pair<T>) {
    return Cat(value[0], ",", value[1]);
  } else if constexpr (std::same_as<T, std::string>) {
    return QuotedCell(value);
  } else {
    return Cat(value);
  }
}

// Returns the text for the i-th {} of a pattern.
template <typename T>
std::string TextOf(const T& value, size_t i, const TextStyle& style) {
  if constexpr (std::same_as<T, std::array<double, 2>>) {
    return Styled(value[std::min<size_t>(i, 1)], style);
  } else if constexpr (Pair<T>) {
    return Cat(value[std::min<size_t>(i, 1)]);
  } else if constexpr (std::same_as<T, double> || std::same_as<T, Vec3>) {
    return Styled(value, style);
  } else if constexpr (std::same_as<T, std::string>) {
    return value;
  } else {
    return CellOf(value);
  }
}

}  // namespace

void WriteValue(JsonWriter& json, const Value& value) {
  std::visit(
      [&json](const auto& v) {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::same_as<T, std::monostate>) {
          json.Null();
        } else if constexpr (std::same_as<T, std::string>) {
          json.String(v);
        } else if constexpr (Pair<T>) {
          json.BeginArray();
          for (const auto x : v) json.Value(x);
          json.EndArray();
        } else {
          json.Value(v);
        }
      },
      value);
}

void AppendCell(std::string& cells, const Value& value) {
  std::visit([&cells](const auto& v) { cells += CellOf(v); }, value);
}

void AppendText(std::string& out, std::string_view pattern, const Value& value,
                const TextStyle& style) {
  if (std::holds_alternative<std::monostate>(value)) return;
  for (size_t i = 0; !pattern.empty(); ++i) {
    const size_t open = pattern.find('{');
    out += pattern.substr(0, open);
    if (open == std::string_view::npos) return;
    const size_t close = pattern.find('}', open);
    const std::string_view form = pattern.substr(open + 1, close - open - 1);
    TextStyle own = style;
    if (form == "x") own.digits = kMostDigits;
    out += form == ","
               ? Grouped(std::get<uint64_t>(value))
               : std::visit([&](const auto& v) { return TextOf(v, i, own); },
                            value);
    if ((form == "u" || form == "x") && !style.unit.empty())
      out += Cat(" ", style.unit);
    pattern.remove_prefix(close + 1);
  }
}

}  // namespace orbox::cli
