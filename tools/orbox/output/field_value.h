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

// A value. std::monostate is null in JSON, and empty in CSV and text.
using Value =
    std::variant<std::monostate, bool, uint64_t, double, Vec3,
                 std::array<double, 2>, std::array<uint64_t, 2>, std::string>;

void WriteValue(JsonWriter& json, const Value& value);
void AppendCell(std::string& cells, const Value& value);

// Appends `pattern` with its placeholders replaced. {} is replaced by the
// value, or by its numbers in order; {,} by a whole number in groups of three
// digits; {u} by a length with its unit; and {x} by a length with all digits,
// for bounds.
void AppendText(std::string& out, std::string_view pattern, const Value& value,
                const TextStyle& style = {});

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_FIELD_VALUE_H_
