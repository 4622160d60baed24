// SPDX-License-Identifier: Apache-2.0

// A JSON text as a value, for the reader of glTF.
//
//   absl::StatusOr<JsonValue> json = ParseJsonValue(source, text, offset);
//   uint64_t scene = json->Member("scene").Whole().value_or(0);
//   for (const JsonValue& node : json->Member("nodes").items()) ...
//
// Built from the events of nlohmann's parser. The value type of that library is
// not used, because its destructor allocates memory and thus ends the program
// if memory runs out.
#ifndef ORBOX_BVH_IO_INTERNAL_JSON_VALUE_H_
#define ORBOX_BVH_IO_INTERNAL_JSON_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/io/internal/source.h"

namespace orbox::mesh_internal {

struct JsonMember;

class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // ascending by key; keys may repeat
  using Content = std::variant<std::monostate, bool, uint64_t, int64_t, double,
                               std::string, Array, Object>;

  // Defined where JsonMember is complete.
  JsonValue();
  explicit JsonValue(Content content);
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  // Returns the member. Returns null, a value without members and items, if
  // this is not an object or has no such member. O(log n).
  const JsonValue& Member(std::string_view key) const;
  bool is_null() const;
  bool Has(std::string_view key) const { return !Member(key).is_null(); }

  // Empty if this is not an array, or not an object.
  std::span<const JsonValue> items() const;
  std::span<const JsonMember> members() const;

  // Returns the value if it is a whole number from 0 to 2^53.
  std::optional<uint64_t> Whole() const;
  std::optional<double> Number() const;
  // Returns the text; empty if the value is not a text.
  std::string_view Text() const;
  bool IsTrue() const;
  // Returns a text, a number or a boolean as text, and nothing for other
  // values.
  std::optional<std::string> AsText() const;

 private:
  Content content_;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

// Parses a text. Errors name a byte of the source, to which `offset` is added.
absl::StatusOr<JsonValue> ParseJsonValue(const MeshSource& source,
                                         std::string_view text, size_t offset);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_IO_INTERNAL_JSON_VALUE_H_
