// SPDX-License-Identifier: Apache-2.0

// The type of the JSON values of a schema (schema.h), and of the results of a
// command, for JSON Schema files.
//
//   JsonType type = hit_schema.Type();
//   type.Merge(JsonType::Scalar("null"));  // a hit or null
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_JSON_TYPE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_JSON_TYPE_H_

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"

namespace orbox::cli {

// A union of scalars, at most one kind of object and at most one kind of array.
struct JsonType {
  struct Property;

  static JsonType Scalar(std::string scalar);

  // Each is a type of JSON ("null", "boolean", "integer", "number", "string"),
  // possible texts ("above|on|below"), or a definition of common.schema.json
  // ("point").
  std::vector<std::string> scalars;
  std::vector<Property> properties;  // of objects; empty if there are none
  std::vector<JsonType> items;       // of arrays: one; empty if there are none

  // Adds the values of another type. A property is required if both types
  // require it.
  void Merge(const JsonType& other);

  // Adds a required property to the object at `path`, whose names are of
  // objects in objects.
  void SetProperty(std::span<const std::string> path, std::string_view name,
                   JsonType type);
};

struct JsonType::Property {
  std::string name;
  JsonType type;
  bool is_required = true;
};

// Type of the results of a command.
struct ResultType {
  JsonType json;           // of one result
  std::string csv_header;  // of one result
  // Number of a result in a list (ResultWriter); empty if there is no list.
  std::string number = "";
  // True if there may be a single result, without a list.
  bool may_be_alone = true;
  // Definition of common.schema.json for the statistics.
  std::string statistics = "statistics";
};

// Returns the scalar of a C++ type.
template <typename T>
constexpr std::string_view JsonScalarOf() {
  using Bare = std::remove_cvref_t<T>;
  if constexpr (std::same_as<Bare, bool>) return "boolean";
  if constexpr (std::integral<Bare>) return "count";
  if constexpr (std::same_as<Bare, Vec3>) return "point";
  if constexpr (std::same_as<Bare, std::array<double, 2>>) return "interval";
  if constexpr (std::convertible_to<Bare, std::string_view>) return "string";
  return "number";
}

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_JSON_TYPE_H_
