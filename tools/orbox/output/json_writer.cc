// SPDX-License-Identifier: Apache-2.0

#include "tools/orbox/output/json_writer.h"

#include <cmath>
#include <string>

namespace orbox::cli {
namespace {

// Keeps UTF-8, and escapes characters that JSON forbids in a string.
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

}  // namespace orbox::cli
