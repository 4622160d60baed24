// SPDX-License-Identifier: Apache-2.0

#include "orbox/bvh/io/internal/json_value.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "orbox/bvh/io/internal/little_endian.h"

namespace orbox::mesh_internal {
namespace {

// Handler of the events of nlohmann::json::sax_parse. A handler returns false
// to end the parsing.
class JsonBuilder {
 public:
  JsonBuilder(const MeshSource& source, size_t offset)
      : source_(source), offset_(offset) {}

  absl::StatusOr<JsonValue> Finish(bool is_json) {
    if (!status_.ok()) return status_;
    if (!is_json) return ErrorInFile(source_, "is no JSON");
    return std::move(result_);
  }

  bool null() { return Add({}); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(int64_t value) { return Add(value); }
  bool number_unsigned(uint64_t value) { return Add(value); }
  bool number_float(double value, const std::string&) { return Add(value); }
  bool string(std::string& text) { return Add(std::move(text)); }
  bool binary(std::vector<uint8_t>&) { return Add({}); }
  bool start_object(size_t) { return Open(JsonValue::Object()); }
  bool start_array(size_t) { return Open(JsonValue::Array()); }
  bool key(std::string& text) {
    open_.back().key = std::move(text);
    return true;
  }
  bool end_object() {
    auto& members = std::get<JsonValue::Object>(open_.back().content);
    std::stable_sort(
        members.begin(), members.end(),
        [](const auto& a, const auto& b) { return a.key < b.key; });
    return Close();
  }
  bool end_array() { return Close(); }
  bool parse_error(size_t position, const std::string&,
                   const nlohmann::json::exception&) {
    status_ = ErrorAtByte(source_, offset_ + (position > 0 ? position - 1 : 0),
                          "is no JSON from here on; is the file damaged?");
    return false;
  }

 private:
  struct Level {
    JsonValue::Content content;
    std::string key;  // of the value that comes next
  };

  bool Open(JsonValue::Content content) {
    // Maximum nesting. Far more than any file needs, and few enough for
    // recursive destructors.
    constexpr size_t kDeepest = 200;
    if (open_.size() == kDeepest) {
      status_ = ErrorInFile(
          source_, absl::StrCat("its JSON is nested more than ", kDeepest,
                                " deep; is the file damaged?"));
      return false;
    }
    open_.push_back({std::move(content), {}});
    return true;
  }
  bool Close() {
    JsonValue::Content content = std::move(open_.back().content);
    open_.pop_back();
    return Add(std::move(content));
  }
  bool Add(JsonValue::Content content) {
    JsonValue value(std::move(content));
    if (open_.empty()) {
      result_ = std::move(value);
      return true;
    }
    Level& level = open_.back();
    if (auto* const array = std::get_if<JsonValue::Array>(&level.content)) {
      array->push_back(std::move(value));
    } else {
      std::get<JsonValue::Object>(level.content)
          .push_back({std::move(level.key), std::move(value)});
    }
    return true;
  }

  const MeshSource& source_;
  const size_t offset_;
  std::vector<Level> open_;
  JsonValue result_;
  absl::Status status_;
};

template <typename Number>
std::string TextOfNumber(Number number) {
  std::string text;
  AppendNumber(number, text);
  return text;
}

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(Content content) : content_(std::move(content)) {}
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
JsonValue::~JsonValue() = default;

bool JsonValue::is_null() const {
  return std::holds_alternative<std::monostate>(content_);
}

const JsonValue& JsonValue::Member(std::string_view key) const {
  static const JsonValue null;
  const std::span<const JsonMember> all = members();
  const auto found =
      std::lower_bound(all.begin(), all.end(), key,
                       [](const JsonMember& member, std::string_view k) {
                         return std::string_view(member.key) < k;
                       });
  return found != all.end() && found->key == key ? found->value : null;
}

std::span<const JsonValue> JsonValue::items() const {
  const auto* const array = std::get_if<Array>(&content_);
  return array == nullptr ? std::span<const JsonValue>() : *array;
}

std::span<const JsonMember> JsonValue::members() const {
  const auto* const object = std::get_if<Object>(&content_);
  return object == nullptr ? std::span<const JsonMember>() : *object;
}

std::optional<uint64_t> JsonValue::Whole() const {
  // Some writers write 3.0 for 3, as JSON allows.
  const std::optional<double> number = Number();
  if (!number.has_value() || !(*number >= 0 && *number < 0x1p53) ||
      *number != std::floor(*number)) {
    return std::nullopt;
  }
  return static_cast<uint64_t>(*number);
}

std::optional<double> JsonValue::Number() const {
  if (const auto* const number = std::get_if<double>(&content_)) {
    return *number;
  }
  if (const auto* const number = std::get_if<uint64_t>(&content_)) {
    return static_cast<double>(*number);
  }
  if (const auto* const number = std::get_if<int64_t>(&content_)) {
    return static_cast<double>(*number);
  }
  return std::nullopt;
}

std::string_view JsonValue::Text() const {
  const auto* const text = std::get_if<std::string>(&content_);
  return text == nullptr ? std::string_view() : *text;
}

bool JsonValue::IsTrue() const {
  const auto* const truth = std::get_if<bool>(&content_);
  return truth != nullptr && *truth;
}

std::optional<std::string> JsonValue::AsText() const {
  if (const auto* const text = std::get_if<std::string>(&content_)) {
    return *text;
  }
  if (std::holds_alternative<bool>(content_))
    return IsTrue() ? "true" : "false";
  if (const auto* const number = std::get_if<uint64_t>(&content_)) {
    return TextOfNumber(*number);
  }
  if (const auto* const number = std::get_if<int64_t>(&content_)) {
    return TextOfNumber(*number);
  }
  if (const auto* const number = std::get_if<double>(&content_)) {
    return TextOfNumber(*number);
  }
  return std::nullopt;
}

absl::StatusOr<JsonValue> ParseJsonValue(const MeshSource& source,
                                         std::string_view text, size_t offset) {
  JsonBuilder builder(source, offset);
  const bool is_json =
      nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.Finish(is_json);
}

}  // namespace orbox::mesh_internal
