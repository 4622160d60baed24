// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/json_writer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace orbox::cli {
namespace {

// Escapes characters that JSON forbids in a string. Does not change UTF-8.
std::string Escaped(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20) {
      out += "\\u00";
      out += {kHex[byte / 16], kHex[byte % 16]};
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

void JsonWriter::Key(std::string_view name) {
  String(name);
  output_.Write(":");
  comma_ = false;
}

void JsonWriter::Value(double value) {
  Raw(std::isfinite(value) ? FormatReal(value) : "null");
}

void JsonWriter::Value(const Vec3& p) {
  BeginArray();
  for (size_t axis = 0; axis < 3; ++axis) Value(p[axis]);
  EndArray();
}

void JsonWriter::String(std::string_view text) {
  Raw(Cat("\"", Escaped(text), "\""));
}

void JsonWriter::Raw(std::string_view text) {
  if (comma_) output_.Write(",");
  output_.Write(text);
  comma_ = true;
}

void JsonWriter::Open(std::string_view bracket) {
  Raw(bracket);
  comma_ = false;
}

void JsonWriter::Close(std::string_view bracket) {
  output_.Write(bracket);
  comma_ = true;
}

JsonPath::Step JsonPath::To(std::string_view path) {
  std::vector<std::string> objects;
  for (size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.')) {
    objects.emplace_back(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  const auto common =
      std::mismatch(open_.begin(), open_.end(), objects.begin(), objects.end());
  Step step;
  step.closes = open_.end() - common.first;
  step.opens.assign(common.second, objects.end());
  step.key = path;
  open_ = std::move(objects);
  return step;
}

void Write(JsonWriter& json, const JsonPath::Step& step) {
  for (size_t i = 0; i < step.closes; ++i) json.EndObject();
  for (const std::string& name : step.opens) {
    json.Key(name);
    json.BeginObject();
  }
  if (!step.key.empty()) json.Key(step.key);
}

}  // namespace orbox::cli
