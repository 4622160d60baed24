// SPDX-License-Identifier: Apache-2.0

// Writes JSON piece by piece, so that results need not fit in memory.
//
//   JsonWriter json(output);
//   json.BeginObject();
//   json.Field("intersects", true);
//   json.Key("pairs");
//   json.BeginArray(); ... json.EndArray();
//   json.EndObject();
//
// The output is one line without spaces. Numbers have the fewest digits that
// are read back as the same double. Infinity and NaN become null.
#ifndef ORBOX_TOOLS_ORBOX_OUTPUT_JSON_WRITER_H_
#define ORBOX_TOOLS_ORBOX_OUTPUT_JSON_WRITER_H_

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/overlap/shapes/vec3.h"
#include "tools/orbox/base/text.h"
#include "tools/orbox/output/output.h"

namespace orbox::cli {

class JsonWriter {
 public:
  // The output must outlive the writer.
  explicit JsonWriter(Output& output) : output_(output) {}

  void BeginObject() { Open("{"); }
  void EndObject() { Close("}"); }
  void BeginArray() { Open("["); }
  void EndArray() { Close("]"); }

  void Key(std::string_view name);

  void Value(bool value) { Raw(value ? "true" : "false"); }
  void Value(double value);
  void Value(std::integral auto value) { Raw(Cat(value)); }
  void Value(const Vec3& p);  // [x,y,z]
  void Null() { Raw("null"); }
  // Not an overload of Value, because a char pointer would convert to bool.
  void String(std::string_view text);

  template <typename T>
  void Field(std::string_view name, const T& value) {
    Key(name);
    Value(value);
  }

 private:
  void Raw(std::string_view text);
  void Open(std::string_view bracket);
  void Close(std::string_view bracket);

  Output& output_;
  bool comma_ = false;  // the next value needs a comma before it
};

// Position of the last field in nested objects. Computes the objects that end
// and begin before the next field.
//
//   JsonPath path;
//   Write(json, path.To("cost.tests"));   // "cost":{"tests":
//   json.Value(7);
//   Write(json, path.To("cost.exact"));   // ,"exact":
//   json.Value(0);
//   Write(json, path.To("any"));          // },"any":
class JsonPath {
 public:
  // Objects to close and to open, on the way from the last field to "a.b.key".
  struct Step {
    size_t closes = 0;
    std::vector<std::string> opens;
    std::string key;  // empty if there is none
  };
  Step To(std::string_view path);
  // Number of objects that are open after the last field.
  size_t depth() const { return open_.size(); }

 private:
  std::vector<std::string> open_;
};
void Write(JsonWriter& json, const JsonPath::Step& step);

}  // namespace orbox::cli

#endif  // ORBOX_TOOLS_ORBOX_OUTPUT_JSON_WRITER_H_
