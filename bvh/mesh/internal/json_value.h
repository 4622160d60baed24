// SPDX-License-Identifier: Apache-2.0

// A JSON text as a value: what the reader of glTF asks of it.
//
//   absl::StatusOr<JsonValue> json = ParseJsonValue(source, text, offset);
//   uint64_t scene = json->Member("scene").Whole().value_or(0);
//   for (const JsonValue& node : json->Member("nodes").items()) ...
//
// Made from the events of nlohmann's parser, and not its own value, whose
// destructor allocates, and so ends the program where memory runs out.
#ifndef ORBOX_BVH_MESH_INTERNAL_JSON_VALUE_H_
#define ORBOX_BVH_MESH_INTERNAL_JSON_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "orbox/bvh/mesh/internal/source.h"

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

  // Null, and so without members and items, where it is no object or has none
  // of that name. O(log n).
  const JsonValue& Member(std::string_view key) const;
  bool is_null() const;
  bool Has(std::string_view key) const { return !Member(key).is_null(); }

  // None unless it is an array, or an object.
  std::span<const JsonValue> items() const;
  std::span<const JsonMember> members() const;

  // A whole number from 0 to 2^53.
  std::optional<uint64_t> Whole() const;
  std::optional<double> Number() const;
  // Empty unless it is a text.
  std::string_view Text() const;
  bool IsTrue() const;
  // A text, a number or a truth as text; none for anything else.
  std::optional<std::string> AsText() const;

 private:
  Content content_;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

// An error of the source, at a byte that `offset` is added to.
absl::StatusOr<JsonValue> ParseJsonValue(const MeshSource& source,
                                         std::string_view text, size_t offset);

}  // namespace orbox::mesh_internal

#endif  // ORBOX_BVH_MESH_INTERNAL_JSON_VALUE_H_
