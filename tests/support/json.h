// SPDX-License-Identifier: Apache-2.0

// A strict JSON reader (RFC 8259), so that tests read the command's output the
// way that its users' programs do.
//
//   std::optional<Json> json = ParseJson(text);
//   (*json)["results"][0]["distance"].number()
//
// Refuses what the grammar refuses (NaN, leading zeros, trailing commas, text
// after the value) and, beyond it, keys that occur twice.
#ifndef ORBOX_TESTS_SUPPORT_JSON_H_
#define ORBOX_TESTS_SUPPORT_JSON_H_

#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/charconv.h"

namespace orbox {

struct JsonField;

class Json {
 public:
  enum class Type { kNull, kBool, kNumber, kString, kArray, kObject };

  Type type = Type::kNull;
  // Numbers as written; the content of strings; "true" and "false".
  std::string text;
  std::vector<Json> items;        // of an array
  std::vector<JsonField> fields;  // of an object

  bool is_null() const { return type == Type::kNull; }
  bool is_number() const { return type == Type::kNumber; }
  bool Has(std::string_view key) const;
  size_t size() const { return items.size(); }
  std::vector<std::string> Keys() const;

  // These throw where the value is of another type or has no such part, which
  // fails the test.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](size_t i) const { return items.at(i); }
  double number() const;
  bool boolean() const;
};

struct JsonField {
  std::string name;
  Json value;
};

// Nothing where `text` is not one JSON value.
std::optional<Json> ParseJson(std::string_view text);

// Implementation.

inline bool Json::Has(std::string_view key) const {
  for (const auto& [name, value] : fields) {
    if (name == key) return true;
  }
  return false;
}

inline std::vector<std::string> Json::Keys() const {
  std::vector<std::string> keys;
  for (const auto& [name, value] : fields) keys.push_back(name);
  return keys;
}

inline const Json& Json::operator[](std::string_view key) const {
  for (const auto& [name, value] : fields) {
    if (name == key) return value;
  }
  throw std::out_of_range("no key " + std::string(key));
}

inline double Json::number() const {
  if (type != Type::kNumber) throw std::invalid_argument("no number: " + text);
  double value = 0;
  absl::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline bool Json::boolean() const {
  if (type != Type::kBool) throw std::invalid_argument("no boolean: " + text);
  return text == "true";
}

namespace internal {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text) {}

  bool ReadAll(Json& json) {
    if (!Value(json, 0)) return false;
    SkipSpaces();
    return rest_.empty();
  }

 private:
  // Deeper than anything that is meant seriously.
  static constexpr int kDeepest = 100;

  void SkipSpaces() {
    const size_t n = rest_.find_first_not_of(" \t\n\r");
    rest_.remove_prefix(n == std::string_view::npos ? rest_.size() : n);
  }
  bool Consume(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  size_t Digits(size_t from) const {
    size_t end = from;
    while (end < rest_.size() && rest_[end] >= '0' && rest_[end] <= '9') ++end;
    return end - from;
  }
  bool Word(Json& json, Json::Type type, std::string_view word) {
    json.type = type;
    json.text = word;
    return Consume(word);
  }

  bool Value(Json& json, int depth) {
    if (depth > kDeepest) return false;
    SkipSpaces();
    if (rest_.empty()) return false;
    switch (rest_[0]) {
      case '{':
        return Object(json, depth);
      case '[':
        return Array(json, depth);
      case '"':
        json.type = Json::Type::kString;
        return String(json.text);
      case 't':
        return Word(json, Json::Type::kBool, "true");
      case 'f':
        return Word(json, Json::Type::kBool, "false");
      case 'n':
        return Word(json, Json::Type::kNull, "null");
      default:
        return Number(json);
    }
  }

  bool Object(Json& json, int depth) {
    json.type = Json::Type::kObject;
    rest_.remove_prefix(1);
    SkipSpaces();
    if (Consume("}")) return true;
    do {
      std::string key;
      SkipSpaces();
      if (!String(key) || json.Has(key)) return false;
      SkipSpaces();
      if (!Consume(":")) return false;
      json.fields.push_back({key, Json()});
      if (!Value(json.fields.back().value, depth + 1)) return false;
      SkipSpaces();
    } while (Consume(","));
    return Consume("}");
  }

  bool Array(Json& json, int depth) {
    json.type = Json::Type::kArray;
    rest_.remove_prefix(1);
    SkipSpaces();
    if (Consume("]")) return true;
    do {
      json.items.emplace_back();
      if (!Value(json.items.back(), depth + 1)) return false;
      SkipSpaces();
    } while (Consume(","));
    return Consume("]");
  }

  bool String(std::string& out) {
    if (!Consume("\"")) return false;
    while (!rest_.empty()) {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (!Escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool Escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const size_t letter = kLetters.find(rest_[0]);
    if (letter != std::string_view::npos) {
      out += kMeanings[letter];
      rest_.remove_prefix(1);
      return true;
    }
    unsigned code = 0;
    if (rest_[0] != 'u' || rest_.size() < 5) return false;
    const char* const end = rest_.data() + 5;
    const auto [stop, error] = std::from_chars(rest_.data() + 1, end, code, 16);
    if (stop != end || error != std::errc{}) return false;
    // Ours writes no others; of files of other programs, it is left out.
    out += code < 0x80 ? static_cast<char>(code) : '?';
    rest_.remove_prefix(5);
    return true;
  }

  bool Number(Json& json) {
    json.type = Json::Type::kNumber;
    size_t n = rest_[0] == '-' ? 1 : 0;
    const size_t whole = Digits(n);
    if (whole == 0 || (whole > 1 && rest_[n] == '0')) return false;
    n += whole;
    if (n < rest_.size() && rest_[n] == '.') {
      const size_t fraction = Digits(n + 1);
      if (fraction == 0) return false;
      n += 1 + fraction;
    }
    if (n < rest_.size() && (rest_[n] == 'e' || rest_[n] == 'E')) {
      ++n;
      if (n < rest_.size() && (rest_[n] == '+' || rest_[n] == '-')) ++n;
      const size_t exponent = Digits(n);
      if (exponent == 0) return false;
      n += exponent;
    }
    json.text = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return true;
  }

  std::string_view rest_;
};

}  // namespace internal

inline std::optional<Json> ParseJson(std::string_view text) {
  Json json;
  if (!internal::JsonReader(text).ReadAll(json)) return std::nullopt;
  return json;
}

}  // namespace orbox

#endif  // ORBOX_TESTS_SUPPORT_JSON_H_
