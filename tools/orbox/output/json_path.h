// SPDX-License-Identifier: Apache-2.0

// The position of a field in nested objects: computes the objects to close and
// to open before the field.
//
//   JsonPath path;
//   Write(json, path.To("cost.tests"));   // "cost":{"tests":
//   json.Value(7);
//   Write(json, path.To("cost.exact"));   // ,"exact":
//   json.Value(0);
//   Write(json, path.To("any"));          // },"any":
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_JSON_PATH_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_JSON_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/orbox/output/json_writer.h"

namespace orbox::cli {

class JsonPath {
 public:
  // Steps from the last field to "a.b.key".
  struct Step {
    size_t closes = 0;
    std::vector<std::string> opens;
    std::string key;  // empty: none
  };
  Step To(std::string_view path);
  // Number of objects that are open after the last field.
  size_t depth() const { return open_.size(); }

 private:
  std::vector<std::string> open_;
};
void Write(JsonWriter& json, const JsonPath::Step& step);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_JSON_PATH_H_
