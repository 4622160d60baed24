// SPDX-License-Identifier: Apache-2.0

// Value of a field of a result (schema.h), and its text in each format.
//
//   const Value at = Vec3{1, 2, 3};
//   WriteValue(json, at);                   // [1,2,3]
//   AppendCell(cells, at);                  // 1,2,3
//   AppendText(text, "at {}", at);          // at (1, 2, 3)
//
// These functions do not depend on the schema.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_FIELD_VALUE_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_FIELD_VALUE_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/json_writer.h"

namespace orbox::cli {

// std::monostate is null in JSON, an empty cell in CSV, and empty in text.
using Value =
    std::variant<std::monostate, bool, uint64_t, double, Vec3,
                 std::array<double, 2>, std::array<uint64_t, 2>, std::string>;

void WriteValue(JsonWriter& json, const Value& value);
void AppendCell(std::string& cells, const Value& value);

// {} stands for the value, or for its numbers in turn; {,} for a whole number
// in groups of three digits; {u} for a length with its unit; {x} for a length
// with all of its digits, because it is a bound.
void AppendText(std::string& out, std::string_view pattern, const Value& value,
                const TextStyle& style = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_FIELD_VALUE_H_
