// SPDX-License-Identifier: Apache-2.0

#include "tools/report/body_words.h"

#include <cctype>

#include "tools/base/text.h"

namespace orbox::report {
namespace {

bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)); }

std::string ValueOf(const BodyProperties& properties, const std::string& key) {
  const auto found = properties.find(key);
  return found == properties.end() ? "" : found->second;
}

std::string GuidOf(const BodyProperties& properties) {
  for (const auto& [key, value] : properties) {
    const std::string name = tools::LowerCase(key);
    const bool is_guid = name.find("guid") != std::string::npos ||
                         name.find("globalid") != std::string::npos;
    if (is_guid && IsIfcGuid(value)) return value;
  }
  return "";
}

// Removes the number of the element that some programs put behind its name, as
// in "Basic Wall:Interior:138062".
std::string WithoutNumber(const std::string& name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos || colon == 0) return name;
  const std::string_view number = std::string_view(name).substr(colon + 1);
  const bool is_number =
      number.size() > 3 &&
      number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_number ? name.substr(0, colon) : name;
}

}  // namespace

bool IsIfcGuid(std::string_view text) {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
  return text.size() == 22 &&
         text.find_first_not_of(kDigits) == std::string_view::npos;
}

std::string TypeInWords(std::string_view type) {
  if (!type.starts_with("Ifc") || type.size() == 3) return std::string(type);
  type.remove_prefix(3);
  for (const std::string_view ending : {"StandardCase", "ElementedCase"}) {
    if (type.size() > ending.size() && type.ends_with(ending)) {
      type.remove_suffix(ending.size());
    }
  }
  std::string words;
  for (const char c : type) {
    const bool begins = IsUpper(c) && !words.empty();
    if (begins) words += ' ';
    words += begins ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return words;
}

std::string CountedType(size_t count, const std::string& type) {
  std::string text = tools::Cat(tools::Grouped(count), " ", type);
  if (count == 1 || type.empty() || type.back() == 's') return text;
  const bool is_ies = text.ends_with("ry") || text.ends_with("ty");
  if (is_ies) text.pop_back();
  return text + (is_ies ? "ies" : "s");
}

BodyWords WordsOf(const std::string& name, const BodyProperties& properties) {
  BodyWords words{.title = WithoutNumber(ValueOf(properties, "name")),
                  .type = TypeInWords(ValueOf(properties, "type")),
                  .storey = ValueOf(properties, "storey"),
                  .file = ValueOf(properties, "file"),
                  .guid = GuidOf(properties)};
  const bool is_named = words.type.empty() || !IsIfcGuid(name);
  if (words.title.empty() && is_named) words.title = name;
  // A name often begins with the type.
  const bool has_type =
      tools::LowerCase(words.title).starts_with(tools::LowerCase(words.type));
  if (words.title.empty()) {
    words.title = words.type;
  } else if (!has_type) {
    words.title = tools::Cat(words.type, " ", words.title);
  }
  return words;
}

}  // namespace orbox::report
